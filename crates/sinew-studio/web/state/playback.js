// The current time. During playback, every animation frame advances the document's time and requests a frame from the
// engine; while paused, every change of the document requests one. At most two requests are open, so that a slow engine
// skips frames and never falls behind.

import { clamp } from "../numbers.js";
import { frameRequest, framesDiffer } from "./document.js";

/** @import * as types from "../types" */
/** @import { ClipInfo, Engine, FrameMessage, Store } from "../types" */

const MOST_OUTSTANDING = 2;
/** A tab that slept does not jump: the clock moves on by this at most. */
const LONGEST_TICK_S = 0.25;

/** @implements {types.Playback} */
export class Playback {
  playing = false;
  /** @type {ClipInfo[]} */
  #clips = [];
  /** The character that the engine has ready. @type {string | null} */
  #key = null;
  #outstanding = 0;
  /** Whether the document changed since the last request. */
  #stale = false;
  #lastTick = 0;
  /** @type {Set<(playing: boolean) => void>} */
  #listeners = new Set();

  /**
   * @param {Store} store
   * @param {Engine} engine
   * @param {(frame: FrameMessage) => void} show
   * @param {(message: string) => void} failed
   */
  constructor(store, engine, show, failed) {
    this.store = store;
    this.engine = engine;
    this.show = show;
    this.failed = failed;
    store.subscribe((doc, before) => {
      if (framesDiffer(doc, before)) this.refresh();
    });
  }

  get clip() {
    const { clip } = this.store.state;
    return clip === null ? null : (this.#clips[clip] ?? null);
  }

  /**
   * @param {string | null} key
   * @param {ClipInfo[]} clips
   */
  setCharacter(key, clips) {
    this.#key = key;
    this.#clips = clips;
    this.refresh();
  }

  play() {
    const { clip } = this;
    if (this.playing || !clip || clip.end <= clip.start) return;
    if (this.store.state.time >= clip.end) this.#setTime(clip.start);
    this.#lastTick = performance.now();
    this.#setPlaying(true);
    requestAnimationFrame((now) => this.#tick(now));
  }

  pause() {
    if (this.playing) this.#setPlaying(false);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** @param {number} frames */
  step(frames) {
    const { clip } = this;
    if (!clip) return;
    const { time, recipe } = this.store.state;
    const frame = Math.round((time - clip.start) * recipe.bake.fps) + frames;
    this.seek(clip.start + frame / recipe.bake.fps);
  }

  /** @param {number} seconds */
  seek(seconds) {
    const { clip } = this;
    if (!clip) return;
    this.pause();
    this.#setTime(clamp(seconds, clip.start, clip.end));
  }

  /** @param {(playing: boolean) => void} listener */
  onToggle(listener) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Asks for the document's frame, now or as soon as an answer comes in. */
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
      const frame = await this.engine.request("frame", frameRequest(doc, this.#key, this.playing));
      if (frame.key === this.#key) this.show(frame);
    } catch (error) {
      const { message, cancelled } = /** @type {types.EngineError} */ (error);
      if (!cancelled) this.failed(message);
    }
    this.#outstanding--;
    if (this.#stale) this.refresh();
  }

  /** @param {number} now */
  #tick(now) {
    const { clip } = this;
    if (!this.playing) return;
    if (!clip) return this.pause();
    const { time, playing } = this.store.state;
    const elapsed = Math.min((now - this.#lastTick) / 1000, LONGEST_TICK_S) * playing.speed;
    this.#lastTick = now;
    const next = time + elapsed;
    const length = clip.end - clip.start;
    if (next < clip.end) this.#setTime(next);
    else if (playing.loop) this.#setTime(clip.start + ((next - clip.start) % length));
    else {
      this.#setTime(clip.end);
      return this.pause();
    }
    requestAnimationFrame((later) => this.#tick(later));
  }

  /** @param {number} time */
  #setTime(time) {
    this.store.touch((doc) => (doc.time === time ? doc : { ...doc, time }));
  }

  /** @param {boolean} playing */
  #setPlaying(playing) {
    this.playing = playing;
    for (const listener of this.#listeners) listener(playing);
  }
}
