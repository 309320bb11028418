"""`import topo` is the library: every public name is there, documented, and the same object everywhere."""

import pytest

import topo


@pytest.mark.parametrize("name", [name for name in topo.__all__ if name != "__version__"])
def test_every_public_name_leads_to_something_documented(name: str) -> None:
    thing = getattr(topo, name)
    assert thing is getattr(topo, name)
    assert thing.__doc__


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = topo.no_such_name


def test_tab_completion_knows_the_names() -> None:
    assert set(topo.__all__) <= set(dir(topo))
