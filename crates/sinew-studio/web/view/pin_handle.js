// Dragging the pin of the selected joint.

import { withPinAt } from "../state/motion.js";
import { PlaceHandle } from "./place_handle.js";

/** @import { PerspectiveCamera } from "three" */
/** @import { Store, Vector3 } from "../types" */

export class PinHandle extends PlaceHandle {
  #store;
  #pin = -1;

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
   * Attaches to a pin.
   * @param {number} pin an index, or -1
   * @param {Vector3 | undefined} place
   */
  hold(pin, place) {
    this.#pin = place ? pin : -1;
    this.stand(pin < 0 ? null : (place ?? null));
  }

  /** @param {Vector3} place */
  moved(place) {
    const pin = this.#pin;
    const { joint } = this.#store.state.recipe.motion.pins[pin] ?? {};
    if (joint === undefined) return;
    const label = `drag ${joint}`;
    this.#store.change(
      label,
      (doc) => ({ ...doc, recipe: { ...doc.recipe, motion: withPinAt(doc.recipe.motion, pin, place) } }),
      label,
    );
  }
}
