// The clock: during playback, every animation frame advances the document's time.

import { clamp } from "../numbers.js";
import { FrameRequests } from "./frame_requests.js";

/** @import * as types from "../types" */
/** @import { ClipInfo, Engine, FrameMessage, Store } from "../types" */

/** A tab that slept does not jump: the clock moves on by this at most. */
const LONGEST_TICK_S = 0.25;

/** @implements {types.Playback} */
export class Playback {
  playing = false;
  /** @type {ClipInfo[]} */
  #clips = [];
  /** @type {FrameRequests} */
  #frames;
  #lastTick = 0;
  #isHeld = false;
  /** @type {Set<(playing: boolean) => void>} */
  #listeners = new Set();

  /**
   * @param {Store} store
   * @param {Engine} engine
   * @param {(frame: FrameMessage) => void} show
   * @param {(message: string) => void} failed
   * @param {(phase: string | null) => void} settling
   */
  constructor(store, engine, show, failed, settling) {
    this.store = store;
    this.#frames = new FrameRequests(store, engine, () => this.playing, () => this.#isHeld, show, failed, settling);
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
    this.#clips = clips;
    this.#frames.setCharacter(key);
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

  refresh() {
    this.#frames.refresh();
  }

  /** @param {boolean} isHeld */
  hold(isHeld) {
    this.#isHeld = isHeld;
    if (!isHeld) this.#frames.settle();
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
    if (!playing) this.#frames.settle();
  }
}
