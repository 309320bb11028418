"""One word for each kind, wherever a person reads it."""

from topo.diagram.model import NODES
from topo.kind_words import kind_word
from topology.kinds import KINDS


class TestKindWords:
    """Methodology: "cooling loop, PDU, network, NVLink, rack"; PDU to UPS to transformer."""

    def test_every_kind_has_a_word(self) -> None:
        assert all(kind_word(kind) and kind_word(kind, 2) for kind in (*KINDS, NODES))

    def test_words_of_the_methodology(self) -> None:
        assert [kind_word(kind) for kind in ("power", "ups", "transformer")] == ["PDU", "UPS", "transformer"]

    def test_words_tell_the_kinds_apart(self) -> None:
        words = [kind_word(kind) for kind in (*KINDS, NODES)]
        assert len(set(words)) == len(words)
