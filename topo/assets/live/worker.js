// Runs in the worker, after the loader and the module of the runtime: starts Python, then answers one message at a time.
(() => {
  const parts = {};
  const gunzipped = (data) => new Blob([data]).stream().pipeThrough(new DecompressionStream("gzip"));
  // What the runtime asks for is in the page; nothing else can be fetched.
  self.fetch = (wanted) => {
    const name = String(wanted).split("/").pop();
    if (!(name in parts)) return Promise.reject(new TypeError("not in this page: " + name));
    const headers = { "content-type": name.endsWith(".wasm") ? "application/wasm" : "application/zip" };
    return Promise.resolve(new Response(name.endsWith(".wasm") ? gunzipped(parts[name]) : parts[name], { headers }));
  };
  const stage = (text) => self.postMessage({ stage: text });
  let bridge = null;

  const start = async ({ wasm, stdlib, code, memory, lock }) => {
    parts["pyodide.asm.wasm"] = wasm;
    parts["python_stdlib.zip"] = stdlib;
    stage("Starting Python");
    // With the memory of a Python that has imported everything, there is nothing left to import.
    const image = memory.length ? await new Response(gunzipped(memory)).arrayBuffer() : null;
    const module = async (settings) => {
      const made = await _createPyodideModule(settings);
      // The runtime copies the image into memory of the size that it starts with: it has to grow first.
      if (image && image.byteLength > made.HEAP8.length) made._malloc(image.byteLength);
      return made;
    };
    const python = await self.loadPyodide({
      createPyodideModule: module, indexURL: RUNTIME_URL, lockFileContents: lock,
      env: { PYTHONDONTWRITEBYTECODE: "1", PYTHONHASHSEED: "0" },
      ...(image ? { _loadSnapshot: image } : {}),
    });
    stage("Loading topo");
    python.FS.writeFile("/topo.zip", code);
    if (!memory.length) python.runPython("import sys; sys.path.insert(0, '/topo.zip')");
    bridge = python.pyimport("topo.live.bridge");
    python.pyimport("topo.report");
    return {};
  };

  const take = ({ files, now, nowGiven, load }) => {
    stage("Reading and validating");
    const request = JSON.stringify({ files: files.map((file) => [file.name, file.modified]), now, nowGiven, load });
    return JSON.parse(bridge.take(request, files.map((file) => new Uint8Array(file.data))));
  };

  const report = () => {
    stage("Computing every single failure");
    const bytes = bridge.report();
    const view = bytes.getBuffer("u8");
    const page = view.data.slice();
    view.release();
    bytes.destroy();
    return { page };
  };

  const document = ({ kind, fail }) => {
    stage("Computing");
    return JSON.parse(bridge.document(JSON.stringify({ kind, fail })));
  };

  const tasks = { start, take, report, document };
  let queue = Promise.resolve();
  self.onmessage = ({ data: { id, task, ask } }) => {
    queue = queue.then(async () => {
      try {
        self.postMessage({ id, answer: await tasks[task](ask) });
      } catch (error) {
        // Of a Python error the last line says what it is; the lines before say where in this program.
        const lines = String(error && error.message ? error.message : error).trim().split("\n");
        self.postMessage({ id, failure: lines[lines.length - 1] });
      }
    });
  };
})();
