// Transports of messages: a WebSocket to the program that served the page, or a worker with the engine as WebAssembly.
// Both send whole binary messages, and both may close.

/**
 * @typedef {object} Transport
 * @property {(message: ArrayBuffer) => void} send
 * @property {() => void} close
 *
 * @typedef {object} Listener
 * @property {(message: ArrayBuffer) => void} received
 * @property {(reason: string) => void} closed
 */

/**
 * @param {Listener} listener
 * @returns {Transport}
 */
export function socketTransport(listener) {
  const address = new URL("ws", document.baseURI);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  address.hash = "";
  const socket = new WebSocket(address);
  socket.binaryType = "arraybuffer";
  socket.onmessage = ({ data }) => listener.received(data);
  socket.onclose = ({ reason }) => listener.closed(reason);
  return { send: (message) => socket.send(message), close: () => socket.close() };
}

/**
 * @param {Listener} listener
 * @returns {Transport}
 */
export function workerTransport(listener) {
  const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  const stopped = (/** @type {string} */ reason) => {
    worker.terminate();
    listener.closed(reason);
  };
  worker.onmessage = ({ data }) => (typeof data === "string" ? stopped(data) : listener.received(data));
  worker.onerror = ({ message }) => stopped(message);
  return { send: (message) => worker.postMessage(message, [message]), close: () => worker.terminate() };
}
