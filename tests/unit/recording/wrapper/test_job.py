from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from kit.recording.wrapper.job import JOURNALS, Job
from tests.fakes.examples import costly

TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@costly(30)
@given(
    st.builds(
        Job,
        mode=st.sampled_from(["record", "replay"]),
        name=TEXT,
        start=TEXT,
        seed=st.integers(),
        redaction=st.dictionaries(TEXT, st.lists(TEXT)),
        paths=st.lists(st.tuples(TEXT, TEXT)).map(tuple),
        ignore=st.lists(TEXT).map(tuple),
        writes=st.lists(TEXT).map(tuple),
        runs=st.lists(st.lists(TEXT).map(tuple)).map(tuple),
        connects=st.lists(st.tuples(TEXT, st.none() | st.integers(1, 65535))).map(tuple),
        sources=st.dictionaries(TEXT, TEXT),
    )
)
def test_job_is_read_as_it_was_written(job: Job) -> None:
    """The child gets exactly what the parent decided."""
    with tempfile.TemporaryDirectory() as folder:
        job.write(Path(folder))
        assert Job.read(Path(folder)) == job
        assert (Path(folder) / JOURNALS).is_dir()
