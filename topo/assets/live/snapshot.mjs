// Run by Node.js when a live page is made: starts the page's Python, imports the program, and keeps its memory as it is then.
//
//   node snapshot.mjs FOLDER MODULES TARGET
//
// FOLDER holds the runtime and topo.zip; MODULES are names with commas between them. Nothing of this machine is in
// the result: no clock, no random numbers, no paths. The same runtime and program leave the same memory.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, modules, target] = process.argv.slice(2);
process.argv.length = 1;
process.argv[1] = "./this.program";

const zeros = (array) => {
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength).fill(0);
  return array;
};
createRequire(import.meta.url)("node:crypto").randomFillSync = zeros;
Object.defineProperty(globalThis, "crypto", { value: { getRandomValues: zeros } });
let ticks = 0;
Date.now = () => 0;
performance.now = () => (ticks += 0.001);
Math.random = () => 0.5;

try {
  const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")).href);
  const python = await loadPyodide({
    indexURL: folder, env: { PYTHONDONTWRITEBYTECODE: "1", PYTHONHASHSEED: "0" }, _makeSnapshot: true,
  });
  python.FS.writeFile("/topo.zip", new Uint8Array(readFileSync(join(folder, "topo.zip"))));
  python.runPython("import sys; sys.path.insert(0, '/topo.zip')");
  for (const name of modules.split(",")) python.runPython("import " + name);
  python.runPython("from topo.live.warm import warm; warm(); del warm");
  python.runPython("import gc; gc.collect()");
  writeFileSync(target, python.makeMemorySnapshot());
} catch (error) {
  // Unhandled, Node.js would quote the runtime's one long line. Of a Python error the last line says what it is.
  process.stderr.write(String(error.message || error).trim().split("\n").pop() + "\n");
  process.exitCode = 1;
}
