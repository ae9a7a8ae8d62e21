// Dragging a handle of the cage: the selected marker or joint.

import { withHeld } from "../state/cage.js";
import { PlaceHandle } from "./place_handle.js";

/** @import { PerspectiveCamera } from "three" */
/** @import { Store, Vector3 } from "../types" */
/** @import { Handle } from "../state/cage.js" */

export class CageHandle extends PlaceHandle {
  #store;
  /** @type {Handle | null} */
  #handle = null;

  /**
   * @param {PerspectiveCamera} camera
   * @param {HTMLElement} pad
   * @param {Store} store
   * @param {() => void} changed
   * @param {(dragging: boolean) => void} dragging
   */
  constructor(camera, pad, store, changed, dragging) {
    super(camera, pad, store, changed, dragging);
    this.#store = store;
  }

  /**
   * Attaches to a handle.
   * @param {Handle | null} handle
   * @param {Vector3 | null} place
   */
  hold(handle, place) {
    this.#handle = place && handle;
    this.stand(handle && place);
  }

  /** @param {Vector3} place */
  moved(place) {
    const handle = this.#handle;
    if (!handle) return;
    const label = `drag ${handle.name}`;
    this.#store.change(label, (doc) => withHeld(doc, handle, place), label);
  }
}
