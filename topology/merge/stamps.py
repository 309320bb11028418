"""How fresh a merged estate is: as fresh as its stalest input, by instants, not by texts."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from topology.merge.inputs import Input
from topology.model import Provenance, Signal
from topology.timestamps import parse_timestamp


def oldest(stamps: Iterable[str | None]) -> str | None:
    """Return the earliest of some RFC 3339 times; None where there is none."""
    known = [(moment, stamp) for stamp in stamps if stamp and (moment := parse_timestamp(stamp)) is not None]
    return min(known)[1] if known else None


def freshness(inputs: Sequence[Input]) -> dict[str, Any]:
    """Return the stamps of the merged estate: the snapshot's and the map's, each the oldest there is."""
    verified = [each.estate.verified_at for each in inputs]
    return {
        "snapshot_at": oldest(each.estate.snapshot_at for each in inputs) or inputs[0].estate.snapshot_at,
        "verified_at": oldest(verified) if all(verified) else None,
    }


def merged_provenance(inputs: Sequence[Input]) -> Provenance:
    """Return what the collectors saw together; `inputs` are in the order of their clusters.

    A caveat that not every cluster carries, and the detail of a signal, are led by the cluster's name.
    """
    collected = [each.estate.provenance.collected_at for each in inputs]
    clocks = [each.estate.provenance.collected_at or each.estate.snapshot_at for each in inputs]
    versions = {each.estate.provenance.collector_version for each in inputs} - {None}
    return Provenance(
        collected_at=oldest(clocks) if any(collected) else None,
        collector_version=", ".join(sorted(version for version in versions if version)) or None,
        topology_file_modified_at=oldest(_map_clock(inputs)),
        signals=_signals(inputs),
        caveats=_caveats(inputs),
    )


def _map_clock(inputs: Sequence[Input]) -> Iterable[str | None]:
    """What the map's age is measured from where not every map says when it was verified."""
    if all(each.estate.verified_at for each in inputs):
        return [each.estate.provenance.topology_file_modified_at for each in inputs]
    return [each.estate.verified_at or each.estate.provenance.topology_file_modified_at for each in inputs]


def _lead(each: Input) -> str:
    return ", ".join(sorted(terms.id for terms in each.clusters))


def _caveats(inputs: Sequence[Input]) -> tuple[str, ...]:
    common = set(inputs[0].estate.provenance.caveats)
    common.intersection_update(*(each.estate.provenance.caveats for each in inputs))
    return tuple(
        dict.fromkeys(
            caveat if caveat in common or each.merged else f"{_lead(each)}: {caveat}"
            for each in inputs
            for caveat in each.estate.provenance.caveats
        )
    )


def _signals(inputs: Sequence[Input]) -> Mapping[str, Signal]:
    """A source is reachable when every collector that asked could read it."""
    found: dict[str, list[tuple[Input, Signal]]] = {}
    for each in inputs:
        for name, signal in each.estate.provenance.signals.items():
            found.setdefault(name, []).append((each, signal))
    return {name: _signal(said, alone=len(inputs) == 1) for name, said in sorted(found.items())}


def _signal(said: Sequence[tuple[Input, Signal]], *, alone: bool) -> Signal:
    details = [
        signal.detail if alone or each.merged else f"{_lead(each)}: {signal.detail}"
        for each, signal in said
        if signal.detail
    ]
    return Signal(all(signal.reachable for _, signal in said), "; ".join(details) or None)
