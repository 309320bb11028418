"""The model, the engine and the findings run where nothing but the standard library can be imported."""

import json
import subprocess
import sys

import pytest

from tests.repo.tree import CORE, ROOT, module_name, modules

BLOCKER = """
import sys

class OnlyTheStandardLibrary:
    allowed = sys.stdlib_module_names | {"closure", "findings", "topology"}

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in self.allowed:
            raise ModuleNotFoundError(f"{name} is blocked", name=name)

sys.meta_path.insert(0, OnlyTheStandardLibrary())
for name in list(sys.modules):
    assert name.partition(".")[0] in OnlyTheStandardLibrary.allowed | {"__main__"} or "site" in name, name
"""

SCENARIO = """
import json
from closure.compiled import compile_facility
from findings.scenario import whatif
from findings.scenario_json import whatif_to_json
from topology.model import Domain, Estate, Node, Standing, Workload

domains = {
    "loop": Domain(id="loop", kind="cooling", ride_through_minutes=20),
    "pdu": Domain(id="pdu", kind="power", feeds=("ups-a", "ups-b")),
    "ups-a": Domain(id="ups-a", kind="ups", rated_kw=8),
    "ups-b": Domain(id="ups-b", kind="ups", rated_kw=4),
}
standings = (Standing("pdu", "one", ("pdu",)), Standing("cooling", "one", ("loop",)))
node = Node(id="n", allocated=6, installed=8, standings=standings)
work = Workload(id="w", kind="training", placements={"n": 6}, critical=True, checkpoint_minutes=30)
estate = Estate(
    cluster="c", unit="gpu", snapshot_at="2026-11-30T12:00:00Z", nodes=(node,), domains=domains,
    workloads=(work,), price_per_unit_hour=2.5, watts_per_unit_kw=1.0,
)
facility = compile_facility(estate)
lost = {failed: whatif_to_json(whatif(facility, [failed])) for failed in ("ups-a", "ups-b", "loop")}
print(json.dumps({failed: [thing["id"] for kind in ("domains", "nodes") for thing in document["lost"][kind]]
                  for failed, document in lost.items()}))
"""


def run(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-S", "-c", BLOCKER + program],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("package", CORE)
def test_every_module_imports_with_everything_else_blocked(package: str) -> None:
    names = [module_name(path) for path in modules(package)]
    done = run("".join(f"import {name}\n" for name in names))
    assert done.returncode == 0, done.stderr


def test_a_scenario_runs_with_everything_else_blocked() -> None:
    """Feeds of 8 and 4 kW under 6 kW: losing the strong one is fatal, losing the weak one is not."""
    done = run(SCENARIO)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "ups-a": ["pdu", "ups-a", "n"],
        "ups-b": ["ups-b"],
        "loop": ["loop", "n"],
    }


def test_the_block_works() -> None:
    done = run("import networkx")
    assert "networkx is blocked" in done.stderr
