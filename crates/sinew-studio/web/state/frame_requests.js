// The requests for frames: one for every change of the document. At most two requests are open, so that a slow engine
// skips frames and never falls behind. These frames have coarse flesh at most: the flesh of the recipe takes longer, and a
// job adds it once the document rests.

import { cageDrive } from "./cage.js";
import { comparedRecipe } from "./document.js";
import { showsFlesh } from "./flesh.js";

/** @import { Doc, Engine, EngineError, FrameMessage, FrameRequest, Job, Store } from "../types" */

const MOST_OUTSTANDING = 2;
/** A document that has not changed for so long rests, such as one that keys change. */
const REST_MS = 250;

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
  /** How often the document changed. */
  #changes = 0;
  /** The change whose flesh was asked for last. */
  #fleshed = 0;
  /** The flesh that is under way, maybe of a document that has changed since. @type {Job<FrameMessage> | null} */
  #settling = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #rest = undefined;

  /**
   * @param {Store} store
   * @param {Engine} engine
   * @param {() => boolean} isPlaying
   * @param {() => boolean} isHeld whether the pointer holds something
   * @param {(frame: FrameMessage) => void} show
   * @param {(message: string) => void} failed
   * @param {(phase: string | null) => void} settling called with what the engine does for the flesh, and null at its end
   */
  constructor(store, engine, isPlaying, isHeld, show, failed, settling) {
    this.store = store;
    this.engine = engine;
    this.isPlaying = isPlaying;
    this.isHeld = isHeld;
    this.show = show;
    this.failed = failed;
    this.settling = settling;
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
    this.#changes++;
    if (this.#settling) {
      this.#settling.cancel();
      this.settling(null);
    }
    if (this.#outstanding >= MOST_OUTSTANDING || this.engine.status !== "ready") this.#stale = true;
    else void this.#ask();
  }

  async #ask() {
    this.#stale = false;
    const doc = this.store.state;
    if (this.#key === null || doc.character?.key !== this.#key) return;
    this.#outstanding++;
    let isShown = false;
    try {
      const frame = await this.engine.request("frame", frameRequest(doc, this.#key, this.isPlaying()));
      isShown = frame.key === this.#key;
      if (isShown) this.show(frame);
    } catch (error) {
      const { message, cancelled } = /** @type {EngineError} */ (error);
      if (!cancelled) this.failed(message);
    }
    this.#outstanding--;
    if (this.#stale) this.refresh();
    else if (isShown && this.#outstanding === 0) this.settle();
  }

  /** Asks for flesh, if there is any, once the document rests. */
  settle() {
    clearTimeout(this.#rest);
    if (showsFlesh(this.store.state)) this.#rest = setTimeout(() => void this.#askFlesh(), REST_MS);
  }

  async #askFlesh() {
    const doc = this.store.state;
    const isMoving = this.isPlaying() || this.isHeld() || this.#outstanding > 0;
    if (isMoving || this.#settling || this.#fleshed === this.#changes || this.engine.status !== "ready") return;
    if (this.#key === null || doc.character?.key !== this.#key) return;
    const changes = this.#changes;
    this.#fleshed = changes;
    try {
      this.#settling = this.engine.start("flesh", frameRequest(doc, this.#key));
      this.#settling.onProgress((_, phase) => {
        if (changes === this.#changes) this.settling(phase);
      });
      const frame = await this.#settling.done;
      if (changes === this.#changes) this.show(frame);
    } catch (error) {
      const { message, cancelled } = /** @type {EngineError} */ (error);
      if (!cancelled) this.failed(message);
    }
    this.#settling = null;
    this.settling(null);
    if (changes !== this.#changes) this.settle();
  }
}
