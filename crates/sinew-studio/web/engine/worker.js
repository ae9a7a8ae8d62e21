// The engine in the browser: hosts engine.wasm, which is beside index.html. Messages are whole ArrayBuffers in both
// directions; a string is the reason why the engine stopped.

/**
 * @typedef {object} EngineExports
 * @property {WebAssembly.Memory} memory
 * @property {(length: number) => number} sinew_allocate memory for a message, which `sinew_receive` takes over
 * @property {(pointer: number, length: number) => void} sinew_receive may call `sinew_send` any number of times
 * @property {() => void} sinew_start
 */

/** @typedef {{postMessage(message: ArrayBuffer | string, transfer?: Transferable[]): void, close(): void}} WorkerScope */

const page = /** @type {WorkerScope} */ (/** @type {unknown} */ (self));

/** @returns {Promise<EngineExports>} */
async function load() {
  /** @type {EngineExports} */
  let engine;
  const env = {
    /**
     * @param {number} pointer
     * @param {number} length
     */
    sinew_send(pointer, length) {
      const message = engine.memory.buffer.slice(pointer, pointer + length);
      page.postMessage(message, [message]);
    },
    sinew_milliseconds: () => performance.now(),
  };
  const answer = await fetch(new URL("../engine.wasm", import.meta.url));
  if (!answer.ok) throw new Error(`engine.wasm cannot be loaded: ${answer.status} ${answer.statusText}`);
  const { instance } = await WebAssembly.instantiate(await answer.arrayBuffer(), { env });
  engine = /** @type {EngineExports} */ (/** @type {unknown} */ (instance.exports));
  engine.sinew_start();
  return engine;
}

/** @param {unknown} error */
function stop(error) {
  page.postMessage(error instanceof Error ? error.message : String(error));
  page.close();
}

const loaded = load();
loaded.catch(stop);

self.onmessage = async (/** @type {MessageEvent<ArrayBuffer>} */ { data }) => {
  const engine = await loaded;
  try {
    const pointer = engine.sinew_allocate(data.byteLength);
    new Uint8Array(engine.memory.buffer, pointer, data.byteLength).set(new Uint8Array(data));
    engine.sinew_receive(pointer, data.byteLength);
  } catch (error) {
    stop(error);
  }
};
