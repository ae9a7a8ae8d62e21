// Pictures as files: one PNG, or many in a zip, around the character or of the clip frame by frame. Frames are
// requested one after another, so that none is skipped with a slow engine.

import { downloadBlob, stem } from "../files.js";
import { Vector3 } from "three";
import { EngineError } from "../engine/connection.js";
import { showsFlesh } from "../state/flesh.js";
import { frameRequest } from "../state/frame_requests.js";
import { Zip } from "./zip.js";

/** @import * as types from "../types" */
/** @import { CaptureJob, Engine, Store } from "../types" */
/** @import { Playback } from "../state/playback.js" */
/** @import { Viewer } from "./viewer.js" */

const UP = new Vector3(0, 1, 0);
/** Two frames that come so close are one, whatever rounding did to a clip's length. */
const SAME_FRAME = 1e-6;

/** @implements {types.Capture} */
export class Capture {
  #store;
  #engine;
  #viewer;
  #playback;

  /**
   * @param {Store} store
   * @param {Engine} engine
   * @param {Viewer} viewer
   * @param {Playback} playback
   */
  constructor(store, engine, viewer, playback) {
    this.#store = store;
    this.#engine = engine;
    this.#viewer = viewer;
    this.#playback = playback;
  }

  async screenshot() {
    this.#viewer.draw(false);
    downloadBlob(`${this.#name()}.png`, await this.#picture());
    this.#viewer.invalidate();
  }

  /** @param {{frames: number}} options */
  turntable({ frames }) {
    const { camera, controls } = this.#viewer.camera;
    const position = camera.position.clone();
    return this.#sequence("turntable", frames, async (index) => {
      camera.position.copy(position).sub(controls.target).applyAxisAngle(UP, (2 * Math.PI * index) / frames).add(controls.target);
      camera.lookAt(controls.target);
      camera.updateMatrixWorld();
    }, () => {
      camera.position.copy(position);
      controls.update();
    });
  }

  clip() {
    const { clip } = this.#playback;
    const { fps } = this.#store.state.recipe.bake;
    const frames = clip ? Math.floor((clip.end - clip.start) * fps + SAME_FRAME) + 1 : 1;
    const start = clip?.start ?? 0;
    return this.#sequence(clip?.name ?? "rest", frames, (index) => this.#showMoment(start + index / fps), () =>
      this.#playback.refresh(),
    );
  }

  /**
   * @param {string} what
   * @param {number} frames
   * @param {(index: number) => Promise<void>} prepare
   * @param {() => void} restore
   * @returns {CaptureJob}
   */
  #sequence(what, frames, prepare, restore) {
    /** @type {((done: number, text: string) => void)[]} */
    const listeners = [];
    let cancelled = false;
    const run = async () => {
      const zip = new Zip();
      this.#playback.pause();
      try {
        for (let index = 0; index < frames && !cancelled; index++) {
          await prepare(index);
          this.#viewer.draw(false);
          await zip.add(`${what} ${String(index).padStart(4, "0")}.png`, await this.#picture());
          for (const listener of listeners) listener((index + 1) / frames, `picture ${index + 1} of ${frames}`);
        }
      } finally {
        restore();
        this.#viewer.invalidate();
      }
      if (cancelled) throw new EngineError("cancelled", true);
      downloadBlob(`${this.#name()} ${what}.zip`, zip.finish());
    };
    return {
      done: run(),
      onProgress: (listener) => void listeners.push(listener),
      cancel: () => {
        cancelled = true;
      },
    };
  }

  /** @param {number} time */
  async #showMoment(time) {
    const doc = this.#store.state;
    if (!doc.character) return;
    for (;;) {
      try {
        const request = { ...frameRequest(doc, doc.character.key), time };
        const frame = showsFlesh(doc) ? this.#engine.start("flesh", request).done : this.#engine.request("frame", request);
        return this.#viewer.showFrame(await frame);
      } catch (error) {
        // A change of the document requested another frame meanwhile.
        const overtaken = /** @type {EngineError} */ (error).cancelled && this.#engine.status === "ready";
        if (!overtaken) throw error;
      }
    }
  }

  /** @returns {Promise<Blob>} */
  #picture() {
    return new Promise((resolve, reject) => {
      this.#viewer.renderer.domElement.toBlob((blob) => {
        if (blob) resolve(blob);
        else reject(new Error("The picture could not be written."));
      });
    });
  }

  #name() {
    return stem(this.#store.state.character?.name ?? "sinew");
  }
}
