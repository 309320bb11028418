// Drives the live page in a real browser, as a person would, and prints what was seen as JSON.
//
//   node drive.mjs SCENARIO.json
//
// The scenario: {"url", "browser", "modules" (folder of node packages), "timeout" [ms], "scheme", "steps": [...]}. Steps, in order:
//   {"drop": [paths], "until": state}  files onto the page; waits until it is in that state
//   {"set": {selector: text}, "until"} fields, of the files that were dropped; without "until" the files are taken off first
//   {"document": kind, "fail": [ids], "as"}  a document's text
//   {"read": expression, "as"}         from the page        {"inside": expression, "as"}             from the report in its frame
//   {"click": selector}                in the report        {"saved": selector, "as"}               what a link offers, as text
//   {"axe": name}   {"screenshot": path, "full": bool}
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const scenario = JSON.parse(readFileSync(process.argv[2], "utf8"));
const require = createRequire(join(scenario.modules, "anchor.js"));
const { chromium } = require("playwright-core");
const timeout = scenario.timeout || 120000;
const flags = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];
const seen = { console: [], requests: [], blocked: [], axe: [], milliseconds: {}, values: {} };

const browser = await chromium.launch({ executablePath: scenario.browser, headless: true, args: flags });
try {
  const context = await browser.newContext({
    viewport: { width: 1300, height: 1000 }, colorScheme: scenario.scheme || "light", reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(timeout);
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) seen.console.push(message.text());
  });
  page.on("pageerror", (error) => seen.console.push(String(error)));
  page.on("dialog", (dialog) => { seen.console.push("dialog: " + dialog.message()); dialog.dismiss(); });
  context.on("request", (request) => {
    if (request.url() !== scenario.url && !/^(blob|about):/.test(request.url())) seen.requests.push(request.url());
  });
  await page.exposeFunction("blockedByPolicy", (what) => seen.blocked.push(what));
  await context.addInitScript(() => addEventListener("securitypolicyviolation", (event) =>
    window.blockedByPolicy(event.violatedDirective + " " + event.blockedURI)));

  // Playwright's own waits evaluate text inside the page, which the page's policy forbids.
  const until = async (state) => {
    const end = Date.now() + timeout;
    for (;;) {
      const now = await page.evaluate("document.body.dataset.state");
      if (now === state) return;
      if (now === "broken" || Date.now() > end) {
        const said = await page.evaluate("document.getElementById('status').textContent");
        throw new Error(`waited for ${state}, is ${now}: ${said}\n${seen.console.join("\n")}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const report = async () => {
    const handle = await page.waitForSelector("#frame iframe", { state: "attached" });
    const frame = await handle.contentFrame();
    await frame.waitForSelector("#tools button", { state: "attached" });
    return frame;
  };
  const document = async ({ document: kind, fail }) => {
    await page.fill("#fail", (fail || []).join("\n"));
    await page.evaluate("document.getElementById('name').textContent = ''");
    await page.click(`button[data-kind=${kind}]`);
    while (!(await page.evaluate("document.getElementById('name').textContent")))
      await new Promise((resolve) => setTimeout(resolve, 20));
    return page.evaluate("document.getElementById('document').textContent");
  };

  const started = Date.now();
  await page.goto(scenario.url);
  await until("ready");
  seen.milliseconds.ready = Date.now() - started;
  for (const step of scenario.steps) {
    if (step.drop) {
      const since = Date.now();
      await page.setInputFiles("#files", []);
      await page.evaluate("document.body.dataset.state = 'busy'");
      await page.setInputFiles("#files", step.drop);
      await until(step.until || "done");
      seen.milliseconds.drop = Date.now() - since;
    } else if (step.set) {
      if (step.until) await page.evaluate("document.body.dataset.state = 'busy'");
      else await page.setInputFiles("#files", []);
      for (const [selector, text] of Object.entries(step.set)) {
        if (selector === "#load") await page.selectOption(selector, text);
        else await page.fill(selector, text);
      }
      await page.keyboard.press("Tab");
      if (step.until) await until(step.until);
    } else if (step.document) seen.values[step.as] = await document(step);
    else if (step.read) seen.values[step.as] = await page.evaluate(step.read);
    else if (step.inside) seen.values[step.as] = await (await report()).evaluate(step.inside);
    else if (step.click) await (await report()).click(step.click);
    else if (step.saved) {
      const saving = page.waitForEvent("download");
      await page.click(step.saved);
      seen.values[step.as] = readFileSync(await (await saving).path(), "utf8");
    } else if (step.axe) await accessibility(page, step.axe);
    else if (step.screenshot) await page.screenshot({ path: step.screenshot, fullPage: Boolean(step.full) });
    else throw new Error("unknown step " + JSON.stringify(step));
  }
} finally {
  await browser.close();
}
process.stdout.write(JSON.stringify(seen));

async function accessibility(page, name) {
  await page.evaluate(readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"));
  const { violations } = await page.evaluate(() => window.axe.run({ exclude: ["iframe"] }, { resultTypes: ["violations"] }));
  for (const each of violations) seen.axe.push(`${name}: ${each.id}: ${each.nodes[0].html.slice(0, 200)}`);
}
