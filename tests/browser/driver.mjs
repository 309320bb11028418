// Drives one page in a real browser and prints what was seen as JSON.
//
//   node driver.mjs SCENARIO.json
//
// The scenario: {"url", "browser", "modules" (folder of node packages), "scheme": "light"|"dark", "width", "height",
// "ready" (expression to wait for), "bypassCsp", "steps": [...], "timeout" (ms)}. Steps, in order:
//   {"click": selector, "nth"}  {"fill": selector, "text"}  {"press": key}  {"select": selector, "value"}
//   {"files": selector, "paths": []}  {"wait": expression}  {"read": expression, "as": name}  {"read": "...", "as": "..."}
//   {"axe": name}  {"pdf": path, "as": name}  {"screenshot": path, "full": bool, "of": selector}  {"media": {...}}
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const scenario = JSON.parse(readFileSync(process.argv[2], "utf8"));
const require = createRequire(join(scenario.modules, "anchor.js"));
const { chromium } = require("playwright-core");

const seen = { console: [], errors: [], requests: [], violations: [], values: {} };
const flags = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];
const browser = await chromium.launch({ executablePath: scenario.browser, headless: true, args: flags });
try {
  const context = await browser.newContext({
    viewport: { width: scenario.width || 1400, height: scenario.height || 1000 },
    colorScheme: scenario.scheme || "light",
    bypassCSP: Boolean(scenario.bypassCsp),
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(scenario.timeout || 30000);
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) seen.console.push(message.text());
  });
  page.on("pageerror", (error) => seen.errors.push(String(error)));
  page.on("dialog", (dialog) => { seen.errors.push("dialog: " + dialog.message()); dialog.dismiss(); });
  page.on("request", (request) => {
    const url = request.url();
    if (url.split("#")[0] !== scenario.url.split("#")[0] && !/^(data|blob|about):/.test(url)) seen.requests.push(url);
  });
  const wait = (expression) => page.waitForFunction(expression, null, { timeout: scenario.timeout || 30000 });
  const started = Date.now();
  await page.goto(scenario.url);
  if (scenario.ready) await wait(scenario.ready);
  seen.values.readyMs = Date.now() - started;
  for (const step of scenario.steps || []) await carryOut(page, step, wait);
} finally {
  await browser.close();
}
process.stdout.write(JSON.stringify(seen));

async function carryOut(page, step, wait) {
  if (step.click) await page.locator(step.click).nth(step.nth || 0).click();
  else if (step.fill) await page.fill(step.fill, step.text);
  else if (step.press) await page.keyboard.press(step.press);
  else if (step.focus) await page.focus(step.focus);
  else if (step.select) await page.selectOption(step.select, step.value);
  else if (step.files) await page.setInputFiles(step.files, step.paths);
  else if (step.media) await page.emulateMedia(step.media);
  else if (step.size) await page.setViewportSize(step.size);
  else if (step.wait) await wait(step.wait);
  else if (step.read) seen.values[step.as] = await page.evaluate(step.read);
  else if (step.pdf) await page.pdf({ path: step.pdf, format: "A4", printBackground: true });
  else if (step.screenshot) {
    const target = step.of ? page.locator(step.of).first() : page;
    await target.screenshot({ path: step.screenshot, ...(step.of ? {} : { fullPage: Boolean(step.full) }) });
  } else if (step.axe) {
    await page.evaluate(readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"));
    const result = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
    seen.violations.push(...result.violations.map((each) => ({
      at: step.axe, id: each.id, impact: each.impact, nodes: each.nodes.length,
      where: each.nodes.slice(0, 3).map((node) => node.html.slice(0, 200)), why: each.nodes[0].failureSummary,
    })));
  } else throw new Error("unknown step " + JSON.stringify(step));
}
