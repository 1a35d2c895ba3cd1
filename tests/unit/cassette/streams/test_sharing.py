"""Text that templates have in common."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kit.cassette.streams.sharing import Part, Sharing
from tests.fakes.examples import costly

LONG = ",".join(f'"field{number}":null' for number in range(12)) + ","


def test_long_text_of_several_templates_is_said_once() -> None:
    """What is different around it stays."""
    templates: list[list[Part]] = [[f'{{"a":1,{LONG}"x":1}}'], [f'{{"b":2,{LONG}"y":', (("slot",),), "}"]]
    sharing = Sharing(templates)
    shared = [sharing.shared(template) for template in templates]
    (path,) = sharing.constants
    assert LONG.removesuffix(",") in sharing.constants[path]
    assert all((path,) in template for template in shared)
    assert (("slot",),) in shared[1]


@costly(30)
@given(
    st.lists(
        st.lists(st.sampled_from(["a,", "b,c", LONG, ",", "x" * 90, ""]), max_size=5).map("".join), max_size=4
    )
)
def test_nothing_is_lost(texts: list[str]) -> None:
    """With the constants put back, each template is what it was."""
    sharing = Sharing([[text] for text in texts])
    for text in texts:
        parts = sharing.shared([text])
        assert (
            "".join(part if isinstance(part, str) else sharing.constants[part[0]] for part in parts) == text
        )
