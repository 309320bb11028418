"""What pauses take off an overloaded survivor, which of those is the hardest to relieve, and what is lost."""

from __future__ import annotations

import dataclasses

from closure.compiled import compile_facility
from findings.rescue.plan import plan_rescue
from tests.findings.test_rescue import NOW, shared_survivor
from topology.model import Domain, Node, Overload, Standing, Workload


class TestWhatIsTakenOff:
    """A pause takes off an overloaded survivor what is its own of the power, or of the heat."""

    def test_a_loop_is_relieved_by_what_it_cools_alone(self) -> None:
        """The chiller that is left is rated 8 kW for the 12 kW of `n1`; `n2` and `n3` are not its own."""
        domains = {
            "one": Domain("one", "cooling", rated_kw=99),
            "two": Domain("two", "cooling", rated_kw=8),
            "loop": Domain("loop", "cooling", feeds=("one", "two")),
            "other": Domain("other", "cooling"),
        }
        nodes = (
            Node("n1", 12, standings=(Standing("cooling", "one", ("loop",)),)),
            Node("n2", 12, standings=(Standing("cooling", "one", ("other",)),)),
            Node("n3", 12),
        )
        jobs = tuple(Workload(f"w{i}", "batch", {f"n{i}": 4}, critical=i == 1) for i in (1, 2, 3))
        estate = dataclasses.replace(
            shared_survivor(), nodes=nodes, domains=domains, workloads=jobs, price_per_unit_hour=None
        )
        result = plan_rescue(compile_facility(estate), ["one"], now=NOW)
        assert [(each.over.id, each.at_all_kw) for each in result.reliefs] == [("loop", 4), ("two", 4)]
        assert [pause.workload.id for pause in result.plan.pauses] == ["w1"]

    def test_the_hardest_is_carried_the_shortest(self) -> None:
        """`--picture` draws "the overloaded survivor that carries its overload the shortest"."""
        carries = (("b", 60), ("c", 600))
        domains = {
            "a": Domain("a", "power"),
            **{
                name: Domain(name, "power", rated_kw=8, overload=(Overload(150, seconds),))
                for name, seconds in carries
            },
            **{f"d{name}": Domain(f"d{name}", "rack", feeds=("a", name)) for name, _ in carries},
        }
        nodes = tuple(
            Node(f"n{name}", 12, standings=(Standing("rack", "one", (f"d{name}",)),)) for name, _ in carries
        )
        jobs = tuple(Workload(f"w{name}", "batch", {f"n{name}": 4}, critical=False) for name, _ in carries)
        estate = dataclasses.replace(shared_survivor(), nodes=nodes, domains=domains, workloads=jobs)
        hardest = plan_rescue(compile_facility(estate), ["a"], now=NOW).hardest
        assert hardest is not None
        assert (hardest.over.id, hardest.over.carry_seconds, hardest.plan.kw) == ("b", 60, 4)

    def test_what_nobody_knows_is_not_counted(self) -> None:
        """`lostUnits` are the known ones, and so are the critical ones: `n3`, of unknown units, goes too."""
        jobs = (("w", "batch", 3), ("x", "batch", 2), ("y", "batch", 1))
        estate = shared_survivor(*jobs)
        lost = Node("n3", None, standings=(Standing("pdu", "one", ("a",)),))
        known = zip(estate.workloads, (True, False, None), strict=True)
        workloads = tuple(dataclasses.replace(job, critical=critical) for job, critical in known)
        estate = dataclasses.replace(estate, nodes=(*estate.nodes, lost), workloads=workloads)
        before = plan_rescue(compile_facility(estate), ["a"], now=NOW).before
        assert (before.nodes, before.units, before.critical_units) == (3, 12, 3)
