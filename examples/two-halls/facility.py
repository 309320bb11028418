"""The facility: sections of domains, upstream first, each with the remarks that the map carries."""

from section import Fields, Section, rates

UPS_OVERLOAD = [{"percent": 125, "seconds": 600}, {"percent": 150, "seconds": 60}]
UPS_METERS_KW = {"h1-ups-a": 871, "h1-ups-b": 824, "h2-ups-a": 905, "h2-ups-b": 655}
BREAKER_OVERLOAD = [{"percent": 110, "seconds": 3600}, {"percent": 135, "seconds": 120}]
RACKS_PER_ROW = {"h1": (8, 8, 8, 8, 8), "h2": (8, 8, 8, 6, 4)}


def racks(hall: str, row: int) -> list[str]:
    """Return the ids of a row's GPU racks."""
    return [f"{hall}-r{row}-{k:02}" for k in range(1, RACKS_PER_ROW[hall][row - 1] + 1)]


def sections() -> list[Section]:
    """Return every domain of the facility."""
    return [
        _supplies(),
        _generators(),
        _switchboards(),
        _ups(),
        _panels(),
        _motor_control(),
        _pdus_hall1(),
        _pdus_hall2(),
        _racks_hall1(),
        _racks_hall2(),
        _chilled_water(),
        _loops_hall1(),
        _loops_hall2(),
        _fabric(),
        _places(),
    ]


def _supplies() -> Section:
    part = Section(
        "Utilities and transformers. A 2.5 MVA cast-resin unit is 2,250 kW at power factor 0.9. Failure "
        "rates of utilities and transformers are of the class that IEEE Std 493 reports; all other "
        "rates are this sample's assumptions."
    )
    for side, substation in (("a", "north"), ("b", "south")):
        remark = f"20 kV feeder, {substation} substation"
        part.add(f"utility-{side}", "utility", remark, ratedKw=9000, **rates(1.956, 1.32))
    for name, side in (("h1-xfmr-a", "a"), ("h1-xfmr-b", "b"), ("h2-xfmr-a", "a"), ("h2-xfmr-b", "b")):
        part.add(name, "transformer", parent=f"utility-{side}", ratedKw=2250, **rates(0.0062, 342))
    part.add("xfmr-r", "transformer", "reserve", parent="utility-b", ratedKw=2250, **rates(0.0062, 342))
    return part


def _generators() -> Section:
    part = Section("Diesel generators, 2.5 MVA class, 2,000 kW each. Three of the four carry the site.")
    names = [f"gen-{n}" for n in range(1, 5)]
    for name in names:
        part.add(name, "generator", ratedKw=2000, **rates(0.12, 18))
    part.add("gen-bus", "switchgear", "N+1", feeds=names, minFeeds=3, ratedKw=8000)
    return part


def _switchboards() -> Section:
    part = Section("Main switchboards with automatic transfer: the transformer first, then the generators.")
    for name in ("h1-ats-a", "h1-ats-b", "h2-ats-a", "h2-ats-b", "ats-r"):
        feeds = [name.replace("ats", "xfmr"), "gen-bus"]
        part.add(name, "ats", feeds=feeds, transfer="preferred", ratedKw=2250, **rates(0.01, 6))
    return part


def _ups() -> Section:
    part = Section(
        "UPS: distributed redundant. Each hall has an A and a B system of four 300 kW modules; one "
        "reserve system of the same size catches whichever of the four fails."
    )
    for name in ("h1-ups-a", "h1-ups-b", "h2-ups-a", "h2-ups-b", "ups-r"):
        remark = "the catcher: idle until a static switch calls on it" if name == "ups-r" else ""
        board = name.replace("ups", "ats")
        meter = {"measuredKw": UPS_METERS_KW[name]} if name in UPS_METERS_KW else {}
        limits: Fields = {"ratedKw": 1200, "overload": UPS_OVERLOAD, "contact": "facilities-oncall"}
        part.add(name, "ups", remark, parent=board, **limits, **meter, **rates(0.02, 12))
    return part


def _panels() -> Section:
    part = Section("Pump and fan panels: on UPS, because a stopped pump overheats its racks within minutes.")
    remark = "sized for two CDUs in 2023; h1-mech-1 has four today"
    part.add("h1-ups-m", "ups", remark, parent="ats-r", ratedKw=60, **rates(0.02, 12))
    for name, feeds, kw in (
        ("h1-mech-1", ["h1-ups-a", "h1-ups-m"], 100),
        ("h1-mech-2", ["h1-ups-b", "h1-ups-m"], 100),
        ("h2-mech-1", ["h2-ups-a", "h2-ups-b"], 150),
        ("h2-mech-2", ["h2-ups-b", "h2-ups-a"], 150),
    ):
        part.add(name, "power", feeds=feeds, transfer="preferred", ratedKw=kw, **rates(0.01, 6))
    return part


def _motor_control() -> Section:
    part = Section("Motor control centres for the chillers: no UPS, they restart on the generators.")
    for name in ("h1-mcc-a", "h1-mcc-b", "h2-mcc-a", "h2-mcc-b"):
        part.add(name, "power", parent=name.replace("mcc", "ats"), ratedKw=800, **rates(0.01, 6))
    return part


def _pdus_hall1() -> Section:
    part = Section(
        "Hall 1: one PDU pair per row, 500 kVA, 400 kW at 80 % continuous. Rows 1 to 3 have a static "
        "transfer switch to the catcher in front of every PDU; rows 4 and 5 wait for theirs."
    )
    for row in (1, 2, 3):
        for side in "ab":
            part.pdu(f"h1-pdu-{row}{side}", [f"h1-ups-{side}", "ups-r"], 400)
    part.pdu("h1-pdu-4a", "h1-ups-a", 400, "no static switch yet")
    part.pdu("h1-pdu-4b", "h1-ups-b", 240, "300 kVA, moved from the old hall", overload=BREAKER_OVERLOAD)
    part.pdu("h1-pdu-5a", "h1-ups-a", 400, "no static switch yet")
    part.pdu("h1-pdu-5b", "h1-ups-b", 400, "no static switch yet")
    return part


def _pdus_hall2() -> Section:
    part = Section(
        "Hall 2: smaller units in front of the inference row, bigger ones in front of the GB200 row."
    )
    a, b = ["h2-ups-a", "ups-r"], ["h2-ups-b", "ups-r"]
    part.pdu("h2-pdu-1a", a, 400)
    part.pdu("h2-pdu-1b", b, None, "nameplate painted over: rating unknown")
    part.pdu("h2-pdu-2a", a, 400)
    part.pdu("h2-pdu-2b", b, 400, measuredKw=205)
    part.pdu("h2-pdu-3a", "h2-ups-a", 400)
    part.pdu("h2-pdu-3b", "h2-ups-a", 400, "labelled B")
    part.pdu("h2-pdu-4a", a, 250)
    part.pdu("h2-pdu-4b", b, 250)
    part.pdu("h2-pdu-5a", a, 640)
    part.pdu("h2-pdu-5b", b, 640)
    return part


def _racks_hall1() -> Section:
    part = Section(
        "Hall 1 racks: four 10.2 kW nodes each, two 415 V, 60 A three-phase whips a side (34.5 kW each "
        "at 80 %); the rear door takes 44 kW, which is the limit. Service racks: one 30 A whip a side."
    )
    for row in range(1, 6):
        for rack in racks("h1", row):
            if rack == "h1-r4-08":
                part.add(rack, "rack", "the B whip was never pulled", parent="h1-pdu-4a", ratedKw=44)
            elif rack in {"h1-r3-07", "h1-r3-08"}:
                part.rack(rack, f"h1-pdu-{row}", 34.5, "one whip a side")
            else:
                part.rack(rack, f"h1-pdu-{row}", 44)
    part.add("h1-svc-1", "rack", "servers with one power supply", parent="h1-pdu-5a", ratedKw=17.2, loadKw=6)
    part.rack("h1-svc-2", "h1-pdu-4", 17.2, loadKw=7)
    return part


def _racks_hall2() -> Section:
    part = Section("Hall 2 racks: as hall 1; row 4 is L40S servers, row 5 GB200 NVL72 at 132 kW a rack.")
    for row, kw in enumerate((44, 44, 44, 17.2, 140), 1):
        for rack in racks("h2", row):
            part.rack(rack, f"h2-pdu-{row}", kw)
    part.rack("h2-svc-1", "h2-pdu-4", 17.2, loadKw=7)
    return part


def _chilled_water() -> Section:
    part = Section(
        "Chillers, 1,000 kW (285 ton) class, N+1: two of three carry a hall; 220 kW electric at a COP "
        "of 4.5. Two chilled-water mains a hall; the buffer tanks hold five minutes."
    )
    for hall in ("h1", "h2"):
        motors = [f"{hall}-mcc-a", f"{hall}-mcc-b"]
        standby: Fields = {"feeds": motors, "transfer": "preferred"}
        plant: Fields = {"ratedKw": 1000, "loadKw": 220, "rideThroughMinutes": 5, **rates(0.3, 24)}
        part.add(f"{hall}-ch-1", "cooling", parent=motors[0], **plant)
        part.add(f"{hall}-ch-2", "cooling", parent=motors[1], **plant)
        part.add(f"{hall}-ch-3", "cooling", "standby, fed from either side", **standby, **plant)
        chillers = [f"{hall}-ch-{n}" for n in (1, 2, 3)]
        for n in (1, 2):
            part.loop(f"{hall}-chw-{n}", chillers, 5, "", minFeeds=2, ratedKw=2000)
    return part


def _loops_hall1() -> Section:
    part = Section(
        "Hall 1 loops: rear-door heat exchangers behind pairs of CDUs, 800 kW class, 15 kW of pumps "
        "each; either carries its loop. Without pumps the water in the doors lasts 2 to 3 minutes."
    )
    for number, panel in enumerate((1, 2, 1, 2), 1):
        part.cdu(f"h1-cdu-{number}", panel, 800, 3)
    part.cdu("h1-cdu-5", 1, 400, 2, "row 5 came later: both of its CDUs")
    part.cdu("h1-cdu-6", 1, 400, 2, "went to the panel with free breakers")
    part.loop("h1-loop-12", ["h1-cdu-1", "h1-cdu-2"], 3, "rows 1 and 2")
    part.loop("h1-loop-34", ["h1-cdu-3", "h1-cdu-4"], 3, "rows 3 and 4")
    part.loop("h1-loop-5", ["h1-cdu-5", "h1-cdu-6"], 2, "row 5")
    for n in (1, 2):
        fan: Fields = {"parent": f"h1-mech-{n}", "ratedKw": 60, "loadKw": 7.5, "rideThroughMinutes": 4}
        part.add(f"h1-crah-{n}", "cooling", **fan)
    part.loop("h1-air", ["h1-crah-1", "h1-crah-2"], 4, "service racks")
    return part


def _loops_hall2() -> Section:
    part = Section(
        "Hall 2 loops: rows 1 and 2 share a buffer tank; the GB200 row has 1.3 MW in-row CDUs, and its "
        "cold plates hold less than a minute. Its trays need the liquid loop and the air: half of a "
        "tray's heat is booked on each."
    )
    for number, kw, minutes in (
        (1, 800, 5),
        (2, 800, 5),
        (3, 400, 5),
        (4, 400, 5),
        (5, 1300, 0.5),
        (6, 1300, 0.5),
    ):
        part.cdu(f"h2-cdu-{number}", 2 - number % 2, kw, minutes)
    part.loop("h2-loop-12", ["h2-cdu-1", "h2-cdu-2"], 5, "rows 1 and 2")
    part.loop("h2-loop-3", ["h2-cdu-3", "h2-cdu-4"], 5, "row 3")
    part.loop("h2-loop-nvl", ["h2-cdu-5", "h2-cdu-6"], 0.5, "row 5")
    panels = ["h2-mech-1", "h2-mech-2"]
    fans = [f"h2-crah-{n}" for n in range(1, 6)]
    for n, fan in enumerate(fans):
        supply: Fields = {"feeds": panels[:: (-1) ** n], "transfer": "preferred"}
        part.add(fan, "cooling", **supply, ratedKw=200, loadKw=9, rideThroughMinutes=4)
    part.loop("h2-air", fans, 4, "rows 4 and 5: fan walls, N+1", minFeeds=4)
    return part


def _fabric() -> Section:
    part = Section(
        "Compute fabric: a leaf group per row (one scalable unit of 32 nodes); four spines a hall, "
        "three needed. A leaf needs the fabric and one of its PDUs. An NVLink domain lives and dies "
        "with its rack."
    )
    for hall in ("h1", "h2"):
        spines = [f"{hall}-spine-{n}" for n in range(1, 5)]
        for n, spine in enumerate(spines, 1):
            part.add(spine, "network", feeds=[f"{hall}-pdu-{n}a", f"{hall}-pdu-{n}b"], loadKw=4)
        part.add(f"{hall}-fabric", "network", feeds=spines, minFeeds=3)
        for row in range(1, 6):
            feeds = [f"{hall}-pdu-{row}a", f"{hall}-pdu-{row}b"]
            part.add(f"{hall}-leaf-{row}", "network", parent=f"{hall}-fabric", feeds=feeds, loadKw=6)
    for k, rack in enumerate(racks("h2", 5), 1):
        part.add(f"h2-nvl-{k}", "nvlink", parent=rack)
    return part


def _places() -> Section:
    part = Section(
        "Places. Kubernetes sees two zones; they share the catcher, the generators, the utilities."
    )
    for hall in ("h1", "h2"):
        for row in range(1, 6):
            part.add(f"{hall}-row-{row}", "row")
    part.add("zone-1", "zone", "hall 1")
    part.add("zone-2", "zone", "hall 2")
    return part
