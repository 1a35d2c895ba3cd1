"""Strategies for JSON values and texts that break careless writers of YAML."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

_ODD = " \t\n\r:#-'\"{}[],&*!|>%@`\\\x00\x1b\x7f\x85\u2028\ufeff\ufffeé😀0aA~<?=./«»"
_WORDS = [
    "null",
    "No",
    "yes",
    "1e5",
    "0x1f",
    "1:30",
    "2001-01-01",
    "<<",
    "---",
    "...",
    "- a",
    "a: b",
    "a #b",
    "|",
    "~",
]
_KEYS = [
    *(
        "id",
        "messages",
        "role",
        "content",
        "arguments",
        "tool_call_id",
        "choices",
        "delta",
        "usage",
        "streamed",
    ),
    *("index", "created", "model", "tool_calls", "function", "after", "x.y", "[0]"),
]

texts: st.SearchStrategy[str] = st.one_of(
    st.text(st.one_of(st.sampled_from(_ODD), st.characters(codec="utf-8")), max_size=30),
    st.sampled_from(_WORDS),
)
"""Texts that UTF-8 can hold."""

broken_texts: st.SearchStrategy[str] = st.text(st.one_of(st.sampled_from(_ODD), st.characters()), max_size=20)
"""Texts with lone surrogates among them."""

numbers: st.SearchStrategy[Any] = st.one_of(
    st.integers(), st.floats(), st.sampled_from([2**64, 10**40, 1e300, -0.0, 1e16, 1e-7])
)

values: st.SearchStrategy[Any] = st.recursive(
    st.one_of(texts, broken_texts, numbers, st.booleans(), st.none()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.one_of(texts, st.sampled_from(_KEYS)), inner, max_size=4),
    ),
    max_leaves=12,
)
"""Any JSON value that Python knows, NaN and infinities included."""

odd_json: st.SearchStrategy[str] = st.sampled_from(
    [
        '{"a":1,"a":2}', '{"a":1e5,"b":-0,"c":1.10,"d":1E5,"e":1e400}', '{"n":123456789012345678901234}',
        '{"a": 1,"b":2}', '["\\ud83d"]', '["\\ud83d\\ude00"]', '["\\uD83D\\uDE00", "é"]', '["\\u00e9é"]',
        '["\\u003c\\u0026"]', '["<\\/a>"]', '\ufeff{"a":1}\n', ' {"a":1}', '{"a":', "nul", '"text"', "null",
        '{\n  "a": [],\n  "b": {}\n}', '{\n\t"a": 1\n}', "[" * 50 + "]" * 50, '["a\\u0000b"]', "[1,2,]",
        "1" * 5000, "[NaN]", "17",
    ]
)  # fmt: skip
"""JSON texts, and texts that only look so, which cannot be written again by every library."""
