"use strict";
// The live page: hands dropped files to Python in a worker, and shows what comes back as text. It computes no figure.
(() => {
  const byId = (id) => document.getElementById(id);
  const started = performance.now();
  const NAMES = { findings: "findings.json", whatif: "whatif.json", validate: "validate.json", estate: "estate.json" };
  const SHOWN = 200;
  const LONGEST = 4000000;

  const el = (tag, attributes, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  };
  const say = (text, state) => {
    byId("status").textContent = text;
    document.body.dataset.state = state;
    byId("progress").hidden = state !== "busy";
  };
  const seconds = (since) => ((performance.now() - since) / 1000).toFixed(1) + " s";

  // --- the worker -----------------------------------------------------------------------------

  const decoded = (id) => {
    const node = byId(id);
    const text = atob(node.textContent.trim());
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    node.remove();
    return bytes;
  };
  const gunzipped = (bytes) => new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
  const same = { createScriptURL: (url) => url };
  const allowed = window.trustedTypes ? window.trustedTypes.createPolicy("topo-live", same) : same;
  const waiting = new Map();
  let worker = null, next = 0;
  const ask = (task, question, transfer) =>
    new Promise((resolve, reject) => {
      waiting.set(++next, { resolve, reject });
      worker.postMessage({ id: next, task, ask: question }, transfer || []);
    });
  const heard = ({ data }) => {
    if (data.stage) return say(data.stage, "busy");
    const { resolve, reject } = waiting.get(data.id);
    waiting.delete(data.id);
    return "failure" in data ? reject(new Error(data.failure)) : resolve(data.answer);
  };
  const start = async () => {
    say("Unpacking", "busy");
    const source = await gunzipped(decoded("part-script")).blob();
    worker = new Worker(allowed.createScriptURL(URL.createObjectURL(new Blob([source], { type: "text/javascript" }))));
    worker.onmessage = heard;
    worker.onerror = (event) => say("The computation stopped: " + (event.message || "unknown reason"), "broken");
    const wasm = decoded("part-wasm"), stdlib = decoded("part-stdlib"), code = decoded("part-code"), memory = decoded("part-memory");
    const lock = JSON.parse(byId("part-lock").textContent);
    const parts = [wasm, stdlib, code, memory];
    await ask("start", { wasm, stdlib, code, memory, lock }, parts.map((part) => part.buffer));
    say("Ready after " + seconds(started) + ": drop files", "ready");
  };

  // --- files in, report out -------------------------------------------------------------------

  let pages = [];
  const link = (data, type) => {
    const url = URL.createObjectURL(new Blob([data], { type }));
    pages.push(url);
    return url;
  };
  const forget = () => {
    pages.forEach((url) => URL.revokeObjectURL(url));
    pages = [];
    for (const id of ["faults", "notes", "answers", "result"]) byId(id).hidden = true;
    byId("shown").hidden = true;
    byId("frame").replaceChildren();
  };
  const nowGiven = () => byId("now").value.trim() !== "";
  const now = () => byId("now").value.trim() || new Date().toISOString().slice(0, 19) + "Z";

  const fault = ({ where, severity, rule, message, hint }) =>
    el("li", { class: severity }, el("code", { class: "id" }, where), " ", el("strong", {}, severity + "[" + rule + "]"),
      " ", el("span", { class: "id" }, message), ...(hint ? [el("p", { class: "id" }, hint)] : []));
  const list = (id, title, open, rows, total) => {
    byId(id).hidden = total === 0;
    byId(id).querySelector("details").open = open;
    byId(id).querySelector("summary").textContent = title;
    byId(id).querySelector("ul").replaceChildren(...rows);
    byId(id).querySelector(".count").textContent =
      total > rows.length ? "The first " + rows.length + " of " + total + "; Validation has all of them." : "";
  };
  const showTaken = (taken) => {
    const refused = taken.refusals.map(([rule, message, hint]) =>
      ({ where: "the files together", severity: "error", rule, message, hint }));
    const all = [...refused, ...taken.diagnostics];
    const tally = ["error", "warning", "info"].map((word) => [word, all.filter((each) => each.severity === word).length])
      .filter(([, amount]) => amount).map(([word, amount]) => amount + " " + word + (amount > 1 ? "s" : "")).join(", ");
    list("faults", "The check of the files: " + tally, !taken.readable, all.slice(0, SHOWN).map(fault), all.length);
    const notes = taken.notes.slice(0, SHOWN).map((note) => el("li", { class: "id" }, note));
    list("notes", "Notes of the merge: " + taken.notes.length, false, notes, taken.notes.length);
    byId("answers").hidden = false;
    for (const button of byId("answers").querySelectorAll("button[data-kind]"))
      button.disabled = button.dataset.kind !== "validate" && !taken.readable;
  };
  const showReport = (page, title) => {
    const url = link(page, "text/html;charset=utf-8");
    const frame = el("iframe", { title: "Exposure report: " + title, sandbox: "allow-scripts allow-modals" });
    frame.src = url;
    byId("frame").replaceChildren(frame);
    byId("save").href = byId("open").href = url;
    byId("result").hidden = false;
  };
  let latest = 0;
  const drop = async (chosen) => {
    if (!chosen.length) return;
    const mine = ++latest;
    const overtaken = () => mine !== latest;
    await ready;
    if (overtaken()) return;
    const since = performance.now();
    forget();
    say("Reading", "busy");
    try {
      const files = await Promise.all(chosen.map(async (file) =>
        ({ name: file.name, modified: file.lastModified, data: await file.arrayBuffer() })));
      const taken = await ask("take", { files, now: now(), nowGiven: nowGiven(), load: byId("load").value }, files.map((file) => file.data));
      if (overtaken()) return;
      showTaken(taken);
      if (!taken.readable) return say("No report: these files have errors.", "refused");
      const { page } = await ask("report", null);
      if (overtaken()) return;
      showReport(page, taken.title);
      say("Done in " + seconds(since) + ". Nothing left this page.", "done");
    } catch (error) {
      if (!overtaken()) say("This went wrong inside the page: " + error.message, "broken");
    }
  };

  const show = async (kind) => {
    const before = document.body.dataset.state;
    const fail = byId("fail").value.split("\n").filter((id) => id !== "");
    try {
      const { text, problem } = await ask("document", { kind, fail });
      byId("shown").hidden = false;
      byId("name").textContent = problem ? "Not computed" : NAMES[kind];
      byId("document").textContent = problem || (text.length > LONGEST ? "Too long to show; save it." : text);
      byId("save-document").hidden = Boolean(problem);
      if (!problem) {
        byId("save-document").href = link(text, "application/json");
        byId("save-document").download = NAMES[kind];
      }
      say(problem ? "Not computed." : NAMES[kind] + " is below.", before);
    } catch (error) {
      say("This went wrong inside the page: " + error.message, "broken");
    }
  };

  // --- what a person does ---------------------------------------------------------------------

  const zone = byId("zone");
  for (const name of ["dragenter", "dragover"])
    document.addEventListener(name, (event) => { event.preventDefault(); zone.classList.add("over"); });
  for (const name of ["dragleave", "drop"])
    document.addEventListener(name, (event) => { event.preventDefault(); zone.classList.remove("over"); });
  let files = [];
  const taken = (chosen) => { files = [...chosen]; return drop(files); };
  document.addEventListener("drop", (event) => taken(event.dataTransfer.files));
  byId("files").addEventListener("change", (event) => taken(event.target.files));
  byId("load").addEventListener("change", () => drop(files));
  byId("now").addEventListener("change", () => drop(files));
  for (const button of byId("answers").querySelectorAll("button[data-kind]"))
    button.addEventListener("click", () => show(button.dataset.kind));
  const ready = start().catch((error) => say("This browser could not start Python: " + error.message, "broken"));
})();
