"use strict";
// The report's only script. It computes no figure: it shows what the page carries, as text, and sorts and filters rows.
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("topo-data").textContent);
  const SVG = "http://www.w3.org/2000/svg";
  const PAGE = 100;

  // --- elements and words ---------------------------------------------------------------------

  const put = (node, attributes, children) => {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === true) node.setAttribute(name, "");
      else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, String(value));
    }
    for (const child of (children || []).flat()) if (child !== null && child !== "") node.append(child);
    return node;
  };
  const el = (tag, attributes, ...children) => put(document.createElement(tag), attributes, children);
  const mark = (tag, attributes, ...children) => put(document.createElementNS(SVG, tag), attributes, children);
  const expand = (steps) => {
    let last = 0;
    return steps.map((step) => (last += step));
  };
  const format = (least, most) =>
    new Intl.NumberFormat("en-US", {
      minimumFractionDigits: least, maximumFractionDigits: most, roundingMode: "halfEven",
    });
  const plain = format(0, 2), tenth = format(0, 1), cents = format(2, 2), whole = format(0, 0);
  const known = (value, text) => (value === null ? "unknown" : text(value));
  const number = (value) => known(value, (v) => plain.format(v));
  const least = (unsaid) => (value) => known(value, (v) => (unsaid ? ">= " : "") + plain.format(v));
  const usd = (unsaid) => (value) => known(value, (v) => (unsaid ? ">= $" : "$") + cents.format(v));
  const percent = (value) => known(value, (v) => tenth.format(v * 100) + " %");
  const minutes = (value) => known(value, (v) => tenth.format(v) + " min");
  const count = (amount, noun, plural) => number(amount) + " " + (amount === 1 ? noun : plural || noun + "s");
  const shown = (value, words) =>
    value === undefined ? "nothing stands" : value === null ? el("span", { class: "unknown" }, "unknown") : el("data", { value }, words(value));
  const yes = (flag, good, bad) => (flag === null ? "unknown" : flag ? good : bad);

  // --- what the page carries ------------------------------------------------------------------

  const states = data.states;
  const SAFE = states.length - 1;
  const codeOf = Object.fromEntries(states.map((state, code) => [state.name, code]));
  const idOf = (d) => data.domains[d][0];
  const kindOf = (d) => data.domains[d][1];
  const chip = (code, text) =>
    el("span", { class: "chip s-" + states[code].name }, states[code].glyph + " " + (text || states[code].word));
  const groups = data.groups;
  const closeUps = new Set(data.closeUps);
  const [NODES, UNITS, CRITICAL, SHARE, STALLED, AMPLIFICATION, USD, GANG, UNPRICED, UNSAID, USD_LEAST, GANG_LEAST] =
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
  const strictOf = (failure) => failure.t || failure.c;
  const worseOf = (failure) => failure.w || "same";
  const leading = (failure) => (failure.w === "strict" ? strictOf(failure) : failure.c);
  const nodesOf = (steps) => expand(steps).flatMap((g) => expand(groups[g])).sort((a, b) => a - b);

  let chosen = null;
  let now = new Map();
  let wanted = "overview", view = "overview";

  const stateMap = (failure) => {
    const found = new Map();
    // Without states in the page, what failed is all that is known to have failed.
    if (failure && !failure.s) found.set(chosen, codeOf.failed);
    for (const [code, steps] of (failure && failure.s) || []) for (const d of expand(steps)) found.set(d, code);
    return found;
  };

  // --- theme ----------------------------------------------------------------------------------

  const darkSheet = byId("dark");
  const systemDark = matchMedia("(prefers-color-scheme: dark)");
  let dark = systemDark.matches;
  const themeButton = el("button", { type: "button", id: "theme" });
  const paint = () => {
    darkSheet.media = dark ? "screen" : "not all";
    themeButton.textContent = dark ? "Light page" : "Dark page";
  };
  themeButton.addEventListener("click", () => { dark = !dark; paint(); });
  systemDark.addEventListener("change", () => { dark = systemDark.matches; paint(); });
  byId("tools").append(themeButton);
  paint();

  // --- the overview ---------------------------------------------------------------------------

  const overview = byId("overview");
  const drawing = overview.querySelector("svg");
  const strips = mark("defs", {});
  for (const state of states) {
    if (!data.strips[state.strip]) continue;
    const tile = { id: "now-" + state.name, class: "strip s-" + state.name, width: 6, height: 6, patternUnits: "userSpaceOnUse" };
    strips.append(mark("pattern", tile, mark("path", { d: data.strips[state.strip], "stroke-width": 1.8, fill: "none" })));
  }
  drawing.append(strips);
  drawing.setAttribute("role", "group");

  const boxes = data.overview.boxes.map((box) => {
    const node = byId("ov-" + box.key);
    const frame = [...node.querySelectorAll(".frame")].pop();
    const lines = [...node.querySelectorAll("text")];
    const rest = node.getAttribute("class");
    const safe = rest.endsWith("s-safe");
    const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(frame.getAttribute(name)));
    const label = safe ? mark("text", { x: lines[0].getAttribute("x"), y: y + 79, "font-size": 9.5, "font-weight": "bold", class: "state" }) : lines[1];
    const strip = mark("rect", { x: x + 2, y: y + 2, width: 5, height: height - 4, class: "strip" });
    const own = [...node.querySelectorAll(".strip")];
    if (safe) node.append(label);
    frame.after(strip);
    strip.setAttribute("visibility", "hidden");
    const domains = box.domains ? expand(box.domains) : null;
    return { node, label, strip, own, rest, top: y + 2, tall: height - 4, text: label.textContent, name: lines[0], title: lines[0].textContent, squeezed: lines[0].getAttribute("textLength"), room: width - 20, domains, groups: box.groups ? expand(box.groups) : null };
  });
  const boxOf = new Map();
  boxes.forEach((box, b) => (box.domains || []).forEach((d) => boxOf.set(d, b)));
  const lines = [...drawing.querySelectorAll("path.wire")].slice(0, data.overview.hubs.length).map((node, i) => {
    const marks = [node];
    for (let next = node.nextElementSibling; next && next.matches(".core,.dot"); next = next.nextElementSibling)
      if (next.matches(".dot")) marks.push(next);
    return { hub: data.overview.hubs[i], marks: marks.map((one) => [one, one.getAttribute("class")]) };
  });

  const tallyOf = (box, failure) => {
    const counts = new Map();
    const add = (code) => counts.set(code, (counts.get(code) || 0) + 1);
    if (box.domains) box.domains.forEach((d) => add(now.has(d) ? now.get(d) : SAFE));
    else {
      const of = (steps, code) => expand(steps || []).map((g) => [g, code]);
      const fate = new Map([...of(failure.i, codeOf.degraded), ...of(failure.j, codeOf.unverified), ...of(failure.h, codeOf["strict-lost"]), ...of(failure.g, codeOf.lost)]);
      box.groups.forEach((g) => add(fate.has(g) ? fate.get(g) : SAFE));
    }
    return [...counts].sort((a, b) => a[0] - b[0]);
  };
  const stateWords = (counts) => {
    const touched = counts.filter(([code]) => code !== SAFE);
    if (!touched.length) return "";
    if (counts.length === 1) return states[touched[0][0]].glyph + " " + states[touched[0][0]].word;
    if (touched.length === 1 && states[touched[0][0]].word.length < 12)
      return states[touched[0][0]].glyph + " " + whole.format(touched[0][1]) + " " + states[touched[0][0]].word;
    return touched.map(([code, amount]) => states[code].glyph + " " + whole.format(amount)).join("  ");
  };
  // What failed is named, also where its box holds several.
  const NAMED = 28, WIDE = 7.2;
  const rename = (box) => {
    const within = chosen !== null && box.domains && box.domains.length > 1 && box.domains.includes(chosen);
    const id = within ? idOf(chosen) : "";
    const short = id.length > NAMED ? id.slice(0, NAMED / 2) + ".." + id.slice(2 - NAMED / 2) : id;
    box.name.textContent = within ? short + " of " + box.title : box.title;
    const length = within && box.name.textContent.length * WIDE > box.room ? box.room : within ? null : box.squeezed;
    if (length === null) ["textLength", "lengthAdjust"].forEach((name) => box.name.removeAttribute(name));
    else put(box.name, { textLength: length, lengthAdjust: "spacingAndGlyphs" });
  };
  // The name of a box is what can be read in it.
  const speak = (box) =>
    box.node.setAttribute("aria-label", [...box.node.querySelectorAll("text")].map((text) => text.textContent).filter(Boolean).join(" "));
  const recolour = (failure) => {
    boxes.forEach((box, b) => {
      const counts = failure ? tallyOf(box, failure) : [];
      const worst = failure ? counts[0][0] : null;
      const look = failure ? states[worst] : null;
      box.node.setAttribute("class", failure ? "box s-" + look.name : box.rest);
      box.node.classList.toggle("chosen", chosen !== null && boxOf.get(chosen) === b);
      box.label.textContent = failure ? stateWords(counts) : box.text;
      box.own.forEach((strip) => strip.classList.toggle("was", failure !== null));
      const pattern = failure && data.strips[look.strip];
      const bare = !failure || !look.strip;
      box.strip.setAttribute("visibility", bare ? "hidden" : "visible");
      box.strip.setAttribute("class", pattern ? "strip" : "strip plain");
      if (pattern) box.strip.setAttribute("fill", "url(#now-" + look.name + ")");
      const half = failure && look.strip === "half" ? box.tall / 2 : 0;
      put(box.strip, { y: box.top + half, height: box.tall - half });
      rename(box);
      speak(box);
    });
    for (const line of lines) {
      const hub = boxes[line.hub];
      const codes = hub.domains ? hub.domains.map((d) => (now.has(d) ? now.get(d) : SAFE)) : [SAFE];
      const style = !failure ? "" : codes.every((code) => states[code].dead) ? "dead" : codes.every((code) => states[code].deadInStrict) ? "strict" : "";
      for (const [node, css] of line.marks) node.setAttribute("class", style ? css.replace(/\b(live|dead|strict)\b/, style) : css);
    }
  };

  const focusBox = (b) => {
    boxes.forEach((box, i) => box.node.setAttribute("tabindex", i === b ? "0" : "-1"));
    boxes[b].node.focus();
  };
  boxes.forEach((box, b) => {
    const single = box.domains && box.domains.length === 1;
    put(box.node, { role: "button", tabindex: b === 0 ? 0 : -1 });
    const act = () => (single ? choose(box.domains[0], "stage") : box.domains ? listBox(box.domains) : null);
    box.node.addEventListener("click", act);
    box.node.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (event.key === "Enter" || event.key === " ") act();
      else if (step) focusBox((b + step + boxes.length) % boxes.length);
      else if (event.key === "Home") focusBox(0);
      else if (event.key === "End") focusBox(boxes.length - 1);
      else return;
      event.preventDefault();
    });
  });

  // --- controls -------------------------------------------------------------------------------

  const LISTED = 1000;
  const select = el("select", { id: "what-fails" }, el("option", { value: "" }, "nothing fails"));
  for (const d of data.ranking.slice(0, LISTED)) select.append(el("option", { value: d }, idOf(d).slice(0, 80) + " (" + kindOf(d) + ")"));
  const views = { overview: el("button", { type: "button" }, "Whole facility"), close: el("button", { type: "button" }, "Close-up") };
  const viewNote = el("span", { class: "note" });
  const reset = el("button", { type: "button" }, "Reset");
  byId("controls").append(
    el("label", {}, "What fails?", select), reset, el("span", { class: "switch" }, views.overview, views.close), viewNote,
  );
  if (data.ranking.length > LISTED)
    byId("controls").append(el("span", { class: "note" }, "The list holds the worst " + whole.format(LISTED) + "; the table of domains has all."));
  select.addEventListener("change", () => choose(select.value === "" ? null : Number(select.value), "stage"));
  reset.addEventListener("click", () => choose(null, "stage"));
  views.overview.addEventListener("click", () => { wanted = view = "overview"; showView(); });
  views.close.addEventListener("click", () => { wanted = view = "close"; showView(); });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && chosen !== null && event.target.tagName !== "INPUT") choose(null, "stage");
  });

  const showView = () => {
    const available = chosen !== null && closeUps.has(chosen);
    const hiddenFailure = chosen !== null && !boxOf.has(chosen);
    const close = available && view === "close";
    overview.hidden = close;
    for (const d of closeUps) byId("close-" + d).hidden = !(close && d === chosen);
    views.overview.setAttribute("aria-pressed", String(!close));
    views.close.setAttribute("aria-pressed", String(close));
    views.close.disabled = !available;
    viewNote.textContent =
      chosen === null ? "" :
      !data.failures[chosen].s ? "The states of this failure are not in the page: only what failed is marked." :
      hiddenFailure ? "What failed is not a box of the whole facility: its kind is left out there." :
      available ? "" : "Close-ups travel for the " + whole.format(closeUps.size) + " worst failures; topo diagram FILE --fail ID draws any.";
  };

  // --- one failure ----------------------------------------------------------------------------

  const unitTitle = data.unit[1][0].toUpperCase() + data.unit[1].slice(1);
  const unitWord = (amount) => data.unit[amount === 1 ? 0 : 1];
  const units = (figures) => {
    if (figures[UNITS] === null) return data.unit[1] + " unknown";
    const amount = number(figures[UNITS]) + " " + unitWord(figures[UNITS]);
    return figures[CRITICAL] === null
      ? amount + ", of which critical: unknown"
      : amount + ", " + (figures[UNSAID] ? "at least " : "") + number(figures[CRITICAL]) + " critical" +
        (figures[SHARE] === null ? "" : " (" + percent(figures[SHARE]) + " of " + data.allCritical + ")");
  };
  const said = (d) => {
    if (d === null) return "Nothing fails: " + count(data.domains.length, "domain") + ", " + count(data.nodeCount, "node") + ".";
    const failure = data.failures[d], worse = worseOf(failure), lead = leading(failure);
    const loses = lead[NODES] ? number(lead[NODES]) + " of " + count(data.nodeCount, "node") + " lost: " + units(lead) : "no node is lost";
    const by = worse === "strict" ? " By the strict check, which is worse; the closure says " + count(failure.c[NODES], "node") + "."
      : worse === "closure" ? " By the closure, which is worse; the strict check says " + count(strictOf(failure)[NODES], "node") + "."
      : " Closure and strict check agree.";
    const grave = failure.q ? " With it, " + failure.q : "";
    return idOf(d) + " (" + kindOf(d) + ") fails: " + loses + "." + by + grave + (failure.u ? " Some survivors are not proven safe." : "");
  };

  const link = (formula, ...content) => el("a", { class: "n", href: "#f-" + formula }, ...content);
  const grid = (caption, heads, rows) =>
    el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
      el("table", {}, el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))),
        el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell, i) => el(i ? "td" : "th", i ? {} : { scope: "row" }, cell)))))));
  const card = (title, wide, ...content) => el("div", { class: wide ? "card wide" : "card" }, el("h4", {}, title), ...content);
  const failButton = (d) => {
    const button = el("button", { type: "button", class: "fail" }, idOf(d));
    button.addEventListener("click", () => choose(d, "stage"));
    return button;
  };
  const cut = (all, listed) => (all > listed ? el("p", { class: "more" }, whole.format(all - listed) + " more: topo whatif lists all.") : null);

  // Nothing stands, so nothing is amplified: that is not unknown.
  const amplification = (figures) => (figures[AMPLIFICATION] === null && figures[STALLED] !== null ? undefined : figures[AMPLIFICATION]);
  const figureTable = (failure) => {
    const strict = strictOf(failure), worse = worseOf(failure);
    const rows = [
      ["Domains lost", null, failure.d, failure.e === undefined ? failure.d : failure.e, number],
      ["Nodes lost", null, failure.c[NODES], strict[NODES], number],
      [unitTitle + " lost", "critical-share", failure.c[UNITS], strict[UNITS], number],
      ["Critical " + data.unit[1] + " lost", "critical-share", failure.c[CRITICAL], strict[CRITICAL], least(failure.c[UNSAID]), least(strict[UNSAID])],
      ["Share of all critical " + data.unit[1], "critical-share", failure.c[SHARE], strict[SHARE], percent],
      [unitTitle + " stalled, gangs whole", "gang-amplification", failure.c[STALLED], strict[STALLED], number],
      ["Stalled per " + data.unit[0] + " standing", "gang-amplification", amplification(failure.c), amplification(strict), number],
      ["Progress at risk", "progress-at-risk", failure.c[USD], strict[USD], usd(failure.c[USD_LEAST]), usd(strict[USD_LEAST])],
      ["Progress at risk, gangs whole", "gang-amplification", failure.c[GANG], strict[GANG], usd(failure.c[GANG_LEAST]), usd(strict[GANG_LEAST])],
      ["Training not priced (no cadence)", "progress-at-risk", failure.c[UNPRICED], strict[UNPRICED], number],
    ];
    const head = ["", worse === "closure" ? "Closure (worse)" : "Closure", worse === "strict" ? "Strict check (worse)" : "Strict check"];
    const body = rows.map(([label, formula, mine, theirs, words, theirWords = words]) =>
      el("tr", {}, el("th", { scope: "row" }, formula ? link(formula, label) : label),
        el("td", { class: worse === "strict" ? "right" : "right leads" }, shown(mine, words)),
        el("td", { class: worse === "strict" ? "right leads" : "right" }, shown(theirs, theirWords))));
    return el("table", { id: "figures" }, el("caption", {}, "Both engines, never mixed; the worse one leads"),
      el("thead", {}, el("tr", {}, head.map((text, i) => (i ? el("th", { scope: "col", class: "right" }, text) : el("td", {}))))),
      el("tbody", {}, body));
  };
  const stateCards = (failure) => !failure.s ? [card("States", false, el("p", { class: "note" },
    "Which domains and nodes are lost travels for the " + whole.format(data.failures.filter((one) => one.s).length) +
    " worst failures of this estate; the diagram shows only what failed. The figures are exact for every one; topo whatif --fail ID FILE lists all of it."))] : failure.s.map(([code, steps]) => {
    const found = expand(steps);
    const items = found.slice(0, PAGE).map((d) => el("li", {}, failButton(d), " ", el("span", { class: "note" }, kindOf(d))));
    return card(whole.format(found.length) + " " + (found.length === 1 ? "domain: " : "domains: ") + states[code].means, false,
      chip(code), el("ul", { class: "flow", "data-state": states[code].name }, items), cut(found.length, PAGE));
  });
  const nodeCard = (title, name, steps) => {
    const found = steps && steps.length ? nodesOf(steps) : [];
    if (!found.length) return null;
    const items = found.slice(0, 2 * PAGE).map((n) => el("li", { class: "id" }, data.nodes[n]));
    return card(count(found.length, "node") + " " + title, false, el("ul", { class: "flow", "data-nodes": name }, items), cut(found.length, 2 * PAGE));
  };
  const workload = (w) => data.workloads[w][0];
  const kw = (value) => shown(value, number);
  const detailCards = (d) => {
    const more = data.details[d];
    if (!more)
      return [card("Lists", false, el("p", { class: "note" },
        "Workloads, trips, races and services travel for the " + whole.format(Object.keys(data.details).length) +
        " worst failures of this estate. Figures and states are exact for every one; topo whatif --fail ID FILE lists all of it."))];
    const [hits, trips, survivors, races, calls] = more.counts;
    const restart = more.restart;
    return [
      hits ? card(count(hits, "workload") + " hit (by the worse engine)", true,
        grid("Workloads", ["Workload", "Kind", "Critical", unitTitle + " lost", unitTitle + " stalled"], more.hits.map(([w, standing, stalled]) =>
          [el("span", { class: "id" }, workload(w)), data.workloads[w][1], yes(data.workloads[w][2], "CRITICAL", "no"), shown(standing, number), shown(stalled, number)])),
        cut(hits, more.hits.length)) : null,
      trips ? card(count(trips, "domain") + " trip in the strict check", false,
        grid("Trips", ["Trips", "Round", "Before kW", "After kW", "Rated kW", "Load"], more.trips.map(([t, round, before, after, rated]) =>
          [failButton(t), String(round), kw(before), kw(after), kw(rated), percent(rated ? after / rated : null)])), cut(trips, more.trips.length)) : null,
      survivors ? card(count(survivors, "survivor") + (survivors === 1 ? " carries" : " carry") + " more" + (more.bound ? " (lower bounds)" : ""), false,
        grid("Survivors", ["Survivor", "Before kW", "After kW", "Rated kW", "Load"], more.survivors.map(([t, before, after, , rated]) =>
          [failButton(t), kw(before), kw(after), kw(rated), percent(rated ? after / rated : null)])), cut(survivors, more.survivors.length)) : null,
      races ? card(count(races, "thermal race") + ", by the closure", false,
        grid("Races", ["Cooling", "Verdict", "Ride-through", "Expected", "Worst"], more.races.map(([t, ride, expected, worst, verdict]) =>
          [failButton(t), verdict, minutes(ride), ...[expected, worst].map((drain) => (verdict === "no-training" || verdict === "already-lost" ? "–" : minutes(drain)))])), cut(races, more.races.length)) : null,
      more.services.length ? card("Services with a minAvailable", false,
        grid("Services", ["Service", "Replicas", "Left", "Needed", "State"], more.services.map(([w, replicas, left, needed, below]) =>
          [el("span", { class: "id" }, workload(w)), number(replicas), number(left), number(needed), yes(below, "BELOW", "ok")]))) : null,
      more.roles.length ? card("Control plane and storage", false,
        grid("Roles", ["Cluster", "Role", "Lost", "Of", "Quorum"], more.roles.map(([cluster, role, lost, total, quorum]) =>
          [data.texts[cluster], role, number(lost), number(total), quorum === null ? "" : quorum ? "LOST" : "holds"]))) : null,
      calls ? card("Whom to call", false,
        grid("Calls", ["Namespace", "Owner", "Contact", unitTitle, "Critical"], more.calls.map(([space, owner, contact, amount, critical, unsaid]) =>
          [...[space, owner, contact].map((text) => (text === null ? "unknown" : data.texts[text])), number(amount), least(unsaid)(critical)])), cut(calls, more.calls.length)) : null,
      card("Redone by hand (closure)", true,
        more.share ? el("p", { class: "worked-line" }, link("critical-share", "critical share"), " = " + more.share) : null,
        more.dollars.length ? el("p", { class: "worked-line" }, link("progress-at-risk", "progress at risk"), " = the sum of:") : null,
        more.dollars.length ? el("ul", {}, more.dollars.map(([name, how, , basis]) => el("li", {}, el("span", { class: "id" }, data.texts[name]), ": " + how + " ", el("span", { class: "basis" }, basis)))) : null,
        el("p", { class: "note" }, "Restarts: " + number(restart[0]) + " annotated (self-reported), " + number(restart[1]) + " by the estate's default, " + number(restart[2]) + " assumed.")),
      card("Read with care", true, el("ul", {}, more.caveats.map((text) => el("li", {}, data.texts[text])))),
    ];
  };
  const panel = (d) => {
    if (d === null) return [];
    const failure = data.failures[d];
    return [
      el("div", { class: "panel-head" }, el("h3", { id: "panel-title", tabindex: -1 }, "If ", el("span", { class: "id" }, idOf(d)), " fails"),
        el("code", { class: "id" }, "topo whatif --fail '" + idOf(d) + "' FILE")),
      el("div", { class: "panel-grid" },
        el("div", { class: "card" }, figureTable(failure), el("ul", { class: "notes" }, failure.b.map((label) => el("li", {}, data.basisWords[label])))),
        ...stateCards(failure),
        nodeCard("lost", "lost", failure.g), nodeCard("lost in the strict check alone", "strict", failure.h), nodeCard("with a cord gone", "degraded", failure.i), nodeCard("that may be lost too: their power or cooling is not in the map", "unverified", failure.j),
        ...detailCards(d)),
    ];
  };

  const choose = (d, from) => {
    chosen = d;
    const failure = d === null ? null : data.failures[d];
    now = stateMap(failure);
    recolour(failure);
    view = d !== null && closeUps.has(d) && !boxOf.has(d) ? "close" : wanted;
    showView();
    byId("said").textContent = said(d);
    byId("panel").replaceChildren(...panel(d).filter(Boolean));
    select.value = d === null ? "" : String(d);
    drawRows();
    try { history.replaceState(null, "", d === null ? "#blast" : "#fail=" + encodeURIComponent(idOf(d))); } catch { /* a framed page has no address */ }
    if (from === "table") byId("blast").scrollIntoView();
  };

  // --- the table of all domains ---------------------------------------------------------------

  const table = byId("domains");
  const collator = new Intl.Collator("en", { numeric: true });
  const columns = [
    { text: idOf }, { text: kindOf },
    { value: (d) => data.failures[d].c[CRITICAL], wordsOf: (d) => least(data.failures[d].c[UNSAID]) }, { value: (d) => data.failures[d].c[SHARE], words: percent },
    { value: (d) => data.failures[d].c[UNITS], words: number }, { value: (d) => data.failures[d].c[NODES], words: number },
    { text: (d) => (data.failures[d].v || "agrees") + (data.failures[d].u ? "; not proven safe" : "") },
    { value: (d) => data.on[d][0], words: number }, { value: (d) => data.on[d][1], wordsOf: (d) => least(data.on[d][2]) },
    { value: (d) => data.failures[d].c[STALLED], words: number }, { value: (d) => data.failures[d].c[USD], wordsOf: (d) => usd(data.failures[d].c[USD_LEAST]) },
    { value: (d) => data.failures[d].c[GANG], wordsOf: (d) => usd(data.failures[d].c[GANG_LEAST]) },
    { value: (d) => (now.has(d) ? now.get(d) : SAFE) },
  ];
  const list = { order: [...data.ranking], rows: [...data.ranking], shown: PAGE, filter: "", only: null };
  const more = el("button", { type: "button" });
  const chosenBox = el("p", { class: "note" });
  byId("domains-more").append(more);
  more.addEventListener("click", () => { list.shown += PAGE; drawRows(); });

  const domainRow = (d) => {
    const cells = columns.map((column, i) => {
      if (i === 0) return el("th", { scope: "row" }, tableButton(d, idOf(d)));
      if (i === columns.length - 1) return el("td", {}, chosen === null || !now.has(d) ? "" : chip(now.get(d)));
      return column.text ? el("td", {}, column.text(d)) : el("td", { class: "right" }, shown(column.value(d), column.wordsOf ? column.wordsOf(d) : column.words));
    });
    return el("tr", { "data-domain": d, "aria-current": chosen === d ? "true" : null }, cells);
  };
  const tableButton = (d, text) => {
    const button = el("button", { type: "button", class: "fail" }, text);
    button.addEventListener("click", () => choose(d, "table"));
    return button;
  };
  const drawRows = () => {
    const needle = list.filter.toLowerCase();
    list.rows = list.order.filter((d) => (!list.only || list.only.has(d)) && (!needle || (idOf(d) + " " + kindOf(d)).toLowerCase().includes(needle)));
    table.tBodies[0].replaceChildren(...list.rows.slice(0, list.shown).map(domainRow));
    const left = list.rows.length - list.shown;
    more.hidden = left <= 0;
    more.textContent = "Show more (" + whole.format(Math.max(0, left)) + " left)";
    domainTools.count.textContent = whole.format(list.rows.length) + " of " + whole.format(list.order.length) + " domains";
  };
  const listBox = (domains) => {
    list.only = new Set(domains);
    chosenBox.replaceChildren("Only the " + count(domains.length, "domain") + " of one box. ", allButton);
    drawRows();
    byId("exposure").scrollIntoView();
    const first = table.tBodies[0].querySelector("button");
    if (first) first.focus({ preventScroll: true });
  };
  const allButton = el("button", { type: "button" }, "Show all domains");
  allButton.addEventListener("click", () => { list.only = null; chosenBox.replaceChildren(); drawRows(); });

  // --- sorting and searching ------------------------------------------------------------------

  const compare = (a, b, up) => {
    if (a === null || b === null) return (a === null) - (b === null);
    const way = typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b));
    return up ? way : -way;
  };
  const sortable = (target, sort) => {
    [...target.tHead.rows[0].cells].forEach((head, i) => {
      const title = head.querySelector(".title");
      const button = el("button", { type: "button", class: "sort" }, title.textContent);
      title.replaceWith(button);
      button.addEventListener("click", () => {
        const before = head.getAttribute("aria-sort");
        const up = before ? before !== "ascending" : !head.classList.contains("right");
        for (const other of target.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        sort(i, up);
      });
    });
  };
  const searchBox = (target, what, filter) => {
    const input = el("input", { type: "search", id: target.id + "-search", autocomplete: "off", spellcheck: "false" });
    const counted = el("span", { role: "status" });
    target.closest(".scroll").before(el("div", { class: "search" }, el("label", { for: input.id }, "Search " + what), input, counted));
    input.addEventListener("input", () => filter(input.value));
    return { input, count: counted };
  };
  const domainTools = searchBox(table, "domains", (text) => { list.filter = text; list.shown = PAGE; drawRows(); });
  table.closest(".scroll").before(chosenBox);
  sortable(table, (i, up) => {
    const column = columns[i];
    const read = column.text || column.value;
    list.order.sort((a, b) => compare(read(a), read(b), up) || a - b);
    drawRows();
  });

  for (const other of document.querySelectorAll("table.data")) {
    if (other === table || !other.querySelector(".title")) continue;
    const body = other.tBodies[0], rows = [...body.rows];
    sortable(other, (i, up) => {
      const right = other.tHead.rows[0].cells[i].classList.contains("right");
      const read = (row) => {
        const cell = row.cells[i], key = cell.dataset.key;
        return right ? (key === undefined ? null : Number(key)) : cell.textContent === "unknown" ? null : cell.textContent;
      };
      body.append(...[...body.rows].sort((a, b) => compare(read(a), read(b), up)));
    });
    if (rows.length > 8) {
      const tools = searchBox(other, "rows", (text) => {
        const needle = text.toLowerCase();
        let left = 0;
        for (const row of rows) left += !(row.hidden = !row.textContent.toLowerCase().includes(needle));
        tools.count.textContent = whole.format(left) + " of " + whole.format(rows.length) + " rows";
      });
    }
  }
  for (const span of document.querySelectorAll("span[data-fail]"))
    if (!table.contains(span)) span.replaceWith(tableButton(Number(span.dataset.fail), span.textContent));

  // --- start ----------------------------------------------------------------------------------

  const named = () => {
    if (!location.hash.startsWith("#fail=")) return null;
    try {
      const id = decodeURIComponent(location.hash.slice(6));
      const d = data.domains.findIndex(([name]) => name === id);
      return d < 0 ? null : d;
    } catch { return null; }
  };
  addEventListener("hashchange", () => { const d = named(); if (d !== null) choose(d, "table"); });
  const start = named();
  const address = location.hash;
  choose(start === null && data.ranking.length ? data.ranking[0] : start, start === null ? "" : "table");
  if (start === null) try { history.replaceState(null, "", address || location.pathname + location.search); } catch { /* framed */ }
  document.documentElement.dataset.ready = "true";
})();
