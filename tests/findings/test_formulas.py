"""The formulas as functions, a class each; the conformance suite holds the figures of whole estates."""

import math
from dataclasses import replace

import pytest

from findings.amounts import Partial, partial_sum, share_of, total
from findings.caveats import staleness_caveats
from findings.confidence import badge, heuristic, unreachable
from findings.drain import Drain, drain, time_to_target
from findings.entropy import entropy
from findings.exposure import critical_share
from findings.power_capped import units_that_fit
from findings.progress import lost_minutes, restart_of
from findings.race import verdict
from findings.roles import role_loss
from findings.services import counted, service
from findings.staleness import staleness
from findings.term import Basis, Term, term, weakest
from topology.model import Estate, Number, Provenance, Signal, Workload

SNAPSHOT = "2026-11-30T12:00:00Z"


def estate(default_restart: Number | None = None, provenance: Provenance | None = None) -> Estate:
    return Estate(
        "c",
        "gpu",
        SNAPSHOT,
        (),
        {},
        default_restart_minutes=default_restart,
        provenance=provenance or Provenance(),
    )


class TestSums:
    """Spec 2: the known part and the number of unknown terms; None when there are terms and none is known."""

    def test_known_part(self) -> None:
        assert partial_sum([1, None, 2]) == Partial(3, 1)
        assert partial_sum([None, None]) == Partial(None, 2)
        assert partial_sum([]) == Partial(0, 0)

    def test_integers_stay_integers_and_floats_do_not_depend_on_order(self) -> None:
        assert isinstance(total([1, 2]), int)
        assert total([1e16, 1.0, -1e16]) == 1.0
        assert share_of(30, 0.5) == 15
        assert isinstance(share_of(30, 0.5), int)
        assert share_of(15, 0.5) == 7.5


class TestProgress:
    """lost_minutes = checkpoint_interval / 2 + restart_overhead; annotation, estate default, 90 minutes."""

    def test_lost_minutes(self) -> None:
        assert lost_minutes(30, 20) == 35
        assert lost_minutes(0, 20) == 20
        assert lost_minutes(None, 20) is None

    @pytest.mark.parametrize(
        ("annotated", "default", "minutes", "basis"),
        [
            (20, 45, 20, "annotated"),
            (0, 45, 0, "annotated"),
            (None, 45, 45, "estateDefault"),
            (None, 0, 0, "estateDefault"),
            (None, None, 90, "assumed"),
        ],
    )
    def test_precedence(
        self, annotated: Number | None, default: Number | None, minutes: Number, basis: str
    ) -> None:
        restart = restart_of(Workload("w", "training", {}, restart_minutes=annotated), estate(default))
        assert (restart.minutes, restart.basis) == (minutes, basis)


class TestDrain:
    """time_to_target = slowest expected drain, slowest worst-case drain; unknowable as soon as one is."""

    def test_orders_run_in_parallel(self) -> None:
        jobs = [Workload("a", "batch", {}), Workload("b", "training", {}, checkpoint_minutes=30)]
        assert time_to_target(map(drain, jobs)) == Drain(15, 30)
        assert time_to_target([]) == Drain(0, 0)
        assert time_to_target([Drain(1, 1), drain(Workload("c", "training", {}))]) == Drain(None, None)


class TestRace:
    """checkpointable when worst ≤ ride-through, not when expected > ride-through, tight otherwise."""

    @pytest.mark.parametrize(
        ("ride", "expected", "worst", "word"),
        [
            (30, 15, 30, "checkpointable"),
            (29, 15, 30, "tight"),
            (15, 15, 30, "tight"),
            (14, 15, 30, "not-checkpointable"),
            (0, 0, 0, "checkpointable"),
            (None, 15, 30, "unknown"),
            (30, None, None, "unknown"),
        ],
    )
    def test_verdict(
        self, ride: Number | None, expected: Number | None, worst: Number | None, word: str
    ) -> None:
        assert verdict(ride, Drain(expected, worst)) == word


class TestEntropy:
    """H = −Σ p ln p, H / ln(max(2, domain_count))."""

    def test_hand_computed(self) -> None:
        each = entropy("rack", {"a": 6, "b": 2, "c": 0})
        h = -(0.75 * math.log(0.75) + 0.25 * math.log(0.25))
        assert each.h == pytest.approx(h)
        assert each.h_norm == pytest.approx(h / math.log(3))
        assert (each.top_domain, each.top_share) == ("a", 0.75)

    @pytest.mark.parametrize("count", range(1, 40))
    def test_even_is_one_and_never_more(self, count: int) -> None:
        each = entropy("rack", {f"r{number:02}": 7 for number in range(count)})
        assert each.h_norm is not None
        assert each.h_norm <= 1
        assert each.h_norm == pytest.approx(1 if count > 1 else 0)
        assert each.top_domain == "r00"


class TestPowerCap:
    """Free units energize while each unit's kW still fits into the headroom (1e-9 tolerance)."""

    @pytest.mark.parametrize(
        ("room", "units", "unit_kw", "fitting"),
        [
            (2, 8, 1, 2),
            (2.5, 8, 1, 2),
            (-1, 8, 1, 0),
            (0, 8, 0, 8),
            (0.1 + 0.1 + 0.1 - 1e-16, 3, 0.1, 3),
            (2.5, 2.5, 1, 2.5),
            (2.4, 2.5, 1, 2),
            (5, 4, 2, 2),
            (8, 4, 2, 4),
            (1, 4, 0.5, 2),
            (0.5, 4, 0.25, 2),
        ],
    )
    def test_units_that_fit(self, room: float, units: Number, unit_kw: Number, fitting: Number) -> None:
        assert units_that_fit(room, units, unit_kw, rated_kw=10) == fitting


class TestCriticalShare:
    """critical_share = critical_gpus_standing / max(1, total_critical_gpus)."""

    @pytest.mark.parametrize(
        ("standing", "everywhere", "share"),
        [
            (1, 1, 1),
            (0.5, 0.5, 0.5),
            (0, 0, 0),
            (3, 4, 0.75),
            (None, 4, None),
            (None, None, None),
            (0, None, 0),
        ],
    )
    def test_share(self, standing: Number | None, everywhere: Number | None, share: float | None) -> None:
        assert critical_share(Partial(standing), Partial(everywhere)) == share


class TestQuorum:
    """Quorum is lost when no more than half of the members are left; roles that do not vote have none."""

    @pytest.mark.parametrize(
        ("lost", "of", "gone"), [(1, 3, False), (2, 3, True), (1, 2, True), (2, 5, False)]
    )
    def test_etcd(self, lost: int, of: int, gone: bool) -> None:
        assert role_loss(("c", "etcd"), lost, of).quorum_lost is gone

    def test_storage_does_not_vote(self) -> None:
        assert role_loss(("c", "storage"), 3, 3).quorum_lost is None


class TestService:
    """Replicas left against minAvailable."""

    def test_a_service_that_was_short_before(self) -> None:
        web = Workload("web", "inference", {}, replicas={"a": 1, "b": 1}, min_available=3)
        left = service(web, {"a"})
        assert (left.replicas, left.replicas_left, left.below, left.was_below) == (2, 1, True, True)

    def test_what_is_out_already_is_no_fault_of_the_failure(self) -> None:
        """docs/methodology.md: "`wasBelow` is the same with nothing failed: what is out takes replicas"."""
        web = Workload("web", "inference", {}, replicas={"a": 3, "b": 1, "c": 1}, min_available=3)
        left = service(web, {"a", "b"}, {"a"})
        assert (left.replicas, left.replicas_left, left.below, left.was_below) == (5, 1, True, True)
        assert service(web, {"a", "b"}, {"b"}).was_below is False

    def test_a_node_that_holds_nothing_of_it_need_not_say_how_many_replicas_it_runs(self) -> None:
        web = Workload("web", "inference", {"a": 2, "b": 0}, replicas={"a": 2}, min_available=1)
        assert service(web, {"c"}).below is False
        assert counted(web)
        assert not counted(replace(web, placements={"a": 2, "b": 1}))

    def test_no_minimum_is_never_below(self) -> None:
        left = service(Workload("web", "inference", {}, replicas={"a": 1}), {"a"})
        assert (left.replicas_left, left.below) == (0, None)


class TestStaleness:
    """snapshot_age = now − collectedAt (fallback: snapshotAt); the map has a clock of its own."""

    def test_verified_at_wins_over_the_files_time(self) -> None:
        provenance = Provenance(topology_file_modified_at="2026-11-30T00:00:00Z")
        verified = replace(estate(provenance=provenance), verified_at="2026-11-29T12:00:00Z")
        ages = staleness(verified, SNAPSHOT)
        assert (ages.topology_file.hours, ages.topology_file.field) == (24, "verifiedAt")

    def test_a_snapshot_from_the_future_has_a_negative_age(self) -> None:
        ages = staleness(estate(), "2026-11-30T11:00:00Z")
        assert (ages.snapshot.hours, ages.stale) == (-1, False)
        assert "lies in the future" in " ".join(staleness_caveats(ages.snapshot, snapshot=True))

    def test_a_snapshot_of_this_very_moment_is_none(self) -> None:
        ages = staleness(estate(), SNAPSHOT)
        assert ages.snapshot.hours == 0
        assert list(staleness_caveats(ages.snapshot, snapshot=True)) == []


class TestConfidence:
    """High for direct counts, Med for estimated or defaulted inputs, Low for a missing signal."""

    @staticmethod
    def inputs(*bases: Basis) -> list[Term]:
        return [term(basis, 1, "", basis) for basis in bases]

    def test_levels(self) -> None:
        assert badge(self.inputs("measured", "declared")).level == "High"
        assert badge(self.inputs("measured"), unknown=2).level == "Med"
        soft = badge(self.inputs("measured", "annotated"))
        assert (soft.level, soft.signal) == ("Med", "annotated (annotated)")
        blind = badge([*self.inputs("assumed"), term("ride-through", None, "min", "declared")])
        assert (blind.level, blind.signal) == ("Low", "ride-through")
        assert badge(self.inputs("measured"), missing="dcgm").signal == "dcgm"

    def test_unreachable_signals(self) -> None:
        provenance = Provenance(signals={"dcgm": Signal(False, "no service"), "metrics": Signal(True)})
        assert unreachable(estate(provenance=provenance), "metrics", "dcgm") == "dcgm"
        assert unreachable(estate(), "dcgm") is None

    def test_an_explicit_label_is_no_heuristic(self) -> None:
        assert heuristic([Workload("w", "batch", {}, critical=True, critical_basis="label")]) is None
        assert heuristic([Workload("w", "batch", {}, critical=True, critical_basis="pdb")]) is not None

    def test_a_figure_takes_its_weakest_basis(self) -> None:
        assert weakest(["measured", "assumed", "annotated"]) == "assumed"
        assert weakest([]) == "measured"
