// The connection to the engine. Requests are numbered and answered by promises. When the connection is lost, open
// requests fail, and the page reconnects with growing pauses and a new hello; its state is not lost.

import { decode, encode } from "./message.js";
import { socketTransport, workerTransport } from "./transport.js";

/** @import * as types from "../types" */
/** @import { EngineEvents, EngineStatus, Failed, HelloMessage, Job, Jobs, Message, Progress, Requests } from "../types" */
/** @import { Transport } from "./transport.js" */

const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 4000;

/** A request that the engine did not answer as asked; the message is a sentence for people. */
export class EngineError extends Error {
  /**
   * @param {string} message
   * @param {boolean} cancelled
   */
  constructor(message, cancelled = false) {
    super(message);
    this.cancelled = cancelled;
  }
}

/**
 * @typedef {object} Pending
 * @property {string} type
 * @property {(answer: any) => void} resolve
 * @property {(error: EngineError) => void} reject
 * @property {(done: number, text: string) => void} [progress]
 */

/** @implements {types.Engine} */
export class Engine {
  /** @type {EngineStatus} */
  status = "connecting";
  /** @type {Map<number, Pending>} */
  #pending = new Map();
  /** @type {Map<string, Set<(event: any) => void>>} */
  #listeners = new Map();
  /** @type {Transport | null} */
  #transport = null;
  /** @type {HelloMessage | null} */
  #hello = null;
  #nextId = 1;
  #pause = FIRST_PAUSE_MS;

  /** @param {"socket" | "worker"} kind */
  constructor(kind) {
    this.connect = kind === "worker" ? workerTransport : socketTransport;
    this.#open();
  }

  /** @returns {HelloMessage} */
  get hello() {
    if (!this.#hello) throw new EngineError("The engine has not answered yet.");
    return this.#hello;
  }

  /**
   * @template {keyof Requests} K
   * @param {K} type
   * @param {Requests[K]["ask"]} fields
   * @param {ArrayBufferView[]} [payload]
   * @returns {Promise<Requests[K]["answer"]>}
   */
  request(type, fields, payload) {
    return this.#ask(type, fields, payload).answer;
  }

  /**
   * @template {keyof Jobs} K
   * @param {K} type
   * @param {Jobs[K]["ask"]} fields
   * @param {ArrayBufferView[]} [payload]
   * @returns {Job<Jobs[K]["answer"]>}
   */
  start(type, fields, payload) {
    const { id, answer } = this.#ask(type, fields, payload);
    return {
      id,
      done: answer,
      onProgress: (listener) => {
        const pending = this.#pending.get(id);
        if (pending) pending.progress = listener;
      },
      cancel: () => {
        if (this.#pending.has(id)) this.#transport?.send(encode({ type: "cancel", id }));
      },
    };
  }

  /**
   * @template {keyof EngineEvents} K
   * @param {K} type
   * @param {(event: EngineEvents[K]) => void} listener
   */
  on(type, listener) {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  /**
   * @param {string} type
   * @param {object} fields
   * @param {ArrayBufferView[]} [payload]
   * @returns {{id: number, answer: Promise<any>}}
   */
  #ask(type, fields, payload) {
    const id = this.#nextId++;
    if (this.status !== "ready") {
      return { id, answer: Promise.reject(new EngineError("The engine is not connected.", true)) };
    }
    const answer = new Promise((resolve, reject) => this.#pending.set(id, { type, resolve, reject }));
    this.#transport?.send(encode({ type, id, ...fields }, payload));
    return { id, answer };
  }

  #open() {
    this.#transport = this.connect({
      received: (buffer) => this.#received(decode(buffer)),
      closed: (reason) => this.#closed(reason),
    });
  }

  /** @param {Message} message */
  #received(message) {
    switch (message.type) {
      case "hello":
        this.#hello = /** @type {HelloMessage} */ (message);
        this.#setStatus("ready");
        return this.#emit("hello", message);
      case "topology":
      case "musculature":
        return this.#emit(message.type, message);
    }
    const pending = this.#pending.get(message.id ?? 0);
    if (!pending) return;
    if (message.type === "progress") {
      const { done, text } = /** @type {Progress} */ (message);
      return pending.progress?.(done, text);
    }
    this.#pending.delete(message.id ?? 0);
    if (pending.type === "frame") this.#forgetFramesBefore(message.id ?? 0);
    if (message.type === "failed") {
      const failed = /** @type {Failed} */ (message);
      return pending.reject(new EngineError(failed.message, failed.cancelled));
    }
    // Not at hello: an engine that fails at every frame would be asked again several times a second.
    if (pending.type === "frame") this.#pause = FIRST_PAUSE_MS;
    pending.resolve(message);
  }

  /**
   * The engine answers only the newest of the frames that wait.
   * @param {number} answered
   */
  #forgetFramesBefore(answered) {
    for (const [id, pending] of this.#pending) {
      if (id >= answered || pending.type !== "frame") continue;
      this.#pending.delete(id);
      pending.reject(new EngineError("A newer frame was asked for.", true));
    }
  }

  /** @param {string} reason */
  #closed(reason) {
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    this.#setStatus("lost");
    for (const { reject } of pending) reject(new EngineError(reason || "The engine was lost.", !reason));
    setTimeout(() => this.#open(), this.#pause);
    this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE_MS);
  }

  /** @param {EngineStatus} status */
  #setStatus(status) {
    if (status === this.status) return;
    this.status = status;
    this.#emit("status", status);
  }

  /**
   * @param {keyof EngineEvents} type
   * @param {any} event
   */
  #emit(type, event) {
    for (const listener of this.#listeners.get(type) ?? []) listener(event);
  }
}
