// The requests for frames: one for every change of the document. At most two requests are open, so that a slow engine
// skips frames and never falls behind.

import { cageDrive } from "./cage.js";
import { comparedRecipe } from "./document.js";

/** @import { Doc, Engine, EngineError, FrameMessage, FrameRequest, Store } from "../types" */

const MOST_OUTSTANDING = 2;

/**
 * @param {Doc} doc
 * @param {string} key
 * @param {boolean} [playing]
 * @returns {FrameRequest}
 */
export function frameRequest(doc, key, playing = false) {
  const { clip, time, turns, recipe, view } = doc;
  const color = view.color === "displacement" || view.color === "volume" ? view.color : "none";
  return { key, recipe, clip, time, turns, color, compare: comparedRecipe(doc), muscles: view.muscles !== "hidden", playing, cage: cageDrive(doc) };
}

/**
 * Whether the engine would answer the two documents with different frames.
 * @param {Doc} a
 * @param {Doc} b
 */
export function framesDiffer(a, b) {
  return (
    a.time !== b.time ||
    a.clip !== b.clip ||
    a.turns !== b.turns ||
    a.recipe !== b.recipe ||
    a.cage !== b.cage ||
    a.view.color !== b.view.color ||
    (a.view.muscles === "hidden") !== (b.view.muscles === "hidden") ||
    a.character?.key !== b.character?.key ||
    (a.compare.mode === "off") !== (b.compare.mode === "off") ||
    a.compare.with !== b.compare.with ||
    a.compare.pinned !== b.compare.pinned
  );
}

export class FrameRequests {
  /** The character that the engine has ready. @type {string | null} */
  #key = null;
  #outstanding = 0;
  /** Whether the document changed since the last request. */
  #stale = false;

  /**
   * @param {Store} store
   * @param {Engine} engine
   * @param {() => boolean} isPlaying
   * @param {(frame: FrameMessage) => void} show
   * @param {(message: string) => void} failed
   */
  constructor(store, engine, isPlaying, show, failed) {
    this.store = store;
    this.engine = engine;
    this.isPlaying = isPlaying;
    this.show = show;
    this.failed = failed;
    store.subscribe((doc, before) => {
      if (framesDiffer(doc, before)) this.refresh();
    });
  }

  /** @param {string | null} key */
  setCharacter(key) {
    this.#key = key;
    this.refresh();
  }

  /** Asks for the document's frame, now or after the next answer. */
  refresh() {
    if (this.#outstanding >= MOST_OUTSTANDING || this.engine.status !== "ready") this.#stale = true;
    else void this.#ask();
  }

  async #ask() {
    this.#stale = false;
    const doc = this.store.state;
    if (this.#key === null || doc.character?.key !== this.#key) return;
    this.#outstanding++;
    try {
      const frame = await this.engine.request("frame", frameRequest(doc, this.#key, this.isPlaying()));
      if (frame.key === this.#key) this.show(frame);
    } catch (error) {
      const { message, cancelled } = /** @type {EngineError} */ (error);
      if (!cancelled) this.failed(message);
    }
    this.#outstanding--;
    if (this.#stale) this.refresh();
  }
}
