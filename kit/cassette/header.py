"""Where a cassette comes from (decision 11)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

KEY_RULE = 1
"""Version of the rule by which requests are matched (decision 4); a cassette names its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """Provenance of one cassette. Everything here may differ between two recordings of the same answers.

    Attributes:
        kind: `run` (an agent's run) or `judge` (judge calls of a run).
        suite: suite of the scenario; None for a tape (a cassette without a scenario).
        scenario: scenario id, or the tape's name.
        variant: named change of set-up; None for the plain run.
        replicate: n-th repetition, 1-based (X-04).
        model: the model that answered, as its tag (decision 20).
        model_digest: digest of the model where the server tells one.
        server: what answered, e.g. `llama.cpp` from the Server header.
        base_url: address of the model endpoint when recorded; only told to people, never matched.
        sampling: `{temperature: 0, …}` as the endpoint was told.
        seed: seed of the run's chance and of the model.
        key_rule: version of the key rule.
        start: the virtual clock's start, ISO 8601 UTC.
        recorded: real instant of the recording, ISO 8601 UTC.
        agent: `package.module:function`, or the command of a tape.
        agent_version: version the agent tells, or None.
        inputs: digest of each input (scenario, fixtures, files the agent read), by path in the project.
        kit: version of kit.
        commit: git commit of the project, `-dirty` behind it where the tree was.
        cost_micro_usd: what the recording cost; None where a price is unknown.
        python_hash_seed: PYTHONHASHSEED the run had, where the wrapper set one.
        verdict: verdict at the recording; of a tape `fail` if the program exited with an error, else `pass`.
        fork: where this run left another recording: `{of: path, until: number of the last call served,
            faults: [...]}`; empty for a run of its own.
        migrated: that the answers were given to other requests than stand here: `{at: day, expires: day,
            changed: [classes of what differed]}`; empty where each answers its own.
        imported: name of the file of another kit that this was made from; None for a recording of kit's own.
            Nothing but the exchanges is known of such a run: `recorded` is the date of its first answer, or
            of the import where no answer tells one, and no time in it is measured (decision 20).
    """

    kind: str = "run"
    suite: str | None = None
    scenario: str
    variant: str | None = None
    replicate: int = 1
    model: str | None = None
    model_digest: str | None = None
    server: str | None = None
    base_url: str | None = None
    sampling: dict[str, Any] = field(default_factory=dict)
    seed: int = 1
    key_rule: int = KEY_RULE
    start: str
    recorded: str
    agent: str | None = None
    agent_version: str | None = None
    inputs: dict[str, str] = field(default_factory=dict)
    kit: str = ""
    commit: str | None = None
    cost_micro_usd: int | None = None
    python_hash_seed: int | None = None
    verdict: str | None = None
    fork: dict[str, Any] = field(default_factory=dict)
    migrated: dict[str, Any] = field(default_factory=dict)
    imported: str | None = None
