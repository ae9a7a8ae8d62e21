// How is a pin dragged by hand? Arrows along the file's axes, and squares between them, at the pin of the selected joint.

import { Object3D } from "three";
import { TransformControls } from "three/addons/controls/TransformControls.js";
import { withPinAt } from "../state/motion.js";

/** @import { PerspectiveCamera } from "three" */
/** @import { Store, Vector3 } from "../types" */

export class PinHandle {
  controls;
  /** Stands where the pin is. */
  standIn = new Object3D();
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
    this.#store = store;
    this.controls = new TransformControls(camera, pad);
    this.controls.setMode("translate");
    this.controls.setSpace("local");
    this.controls.setSize(0.7);
    this.controls.setColors(0xf0524a, 0x6fce4f, 0x4a8cff, 0xffffff);
    this.controls.addEventListener("change", changed);
    this.controls.addEventListener("objectChange", () => this.#move());
    this.controls.addEventListener("dragging-changed", ({ value }) => {
      if (!value) store.seal();
      dragging(Boolean(value));
    });
  }

  get helper() {
    return this.controls.getHelper();
  }

  /**
   * Takes hold of a pin.
   * @param {number} pin an index, or -1
   * @param {Vector3 | undefined} place
   */
  hold(pin, place) {
    this.#pin = place ? pin : -1;
    if (!place || pin < 0) return void this.controls.detach();
    if (!this.controls.dragging) this.standIn.position.set(...place);
    if (!this.controls.object) this.controls.attach(this.standIn);
  }

  #move() {
    const pin = this.#pin;
    const { joint } = this.#store.state.recipe.motion.pins[pin] ?? {};
    if (joint === undefined) return;
    const label = `drag ${joint}`;
    const place = this.standIn.position.toArray();
    this.#store.change(
      label,
      (doc) => ({ ...doc, recipe: { ...doc.recipe, motion: withPinAt(doc.recipe.motion, pin, place) } }),
      label,
    );
  }
}
