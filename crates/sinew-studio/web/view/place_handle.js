// Dragging a position: arrows along the file's axes, squares between them, and a box that follows the pointer.

import { Object3D } from "three";
import { TransformControls } from "three/addons/controls/TransformControls.js";

/** @import { PerspectiveCamera } from "three" */
/** @import { Store, Vector3 } from "../types" */

export class PlaceHandle {
  controls;
  /** Stands where the thing is. */
  standIn = new Object3D();

  /**
   * @param {PerspectiveCamera} camera
   * @param {HTMLElement} pad
   * @param {Store} store
   * @param {() => void} changed
   * @param {(dragging: boolean) => void} dragging
   */
  constructor(camera, pad, store, changed, dragging) {
    this.controls = new TransformControls(camera, pad);
    this.controls.setMode("translate");
    this.controls.setSpace("local");
    this.controls.setSize(0.7);
    this.controls.setColors(0xf0524a, 0x6fce4f, 0x4a8cff, 0xffffff);
    this.controls.addEventListener("change", changed);
    this.controls.addEventListener("objectChange", () => this.moved(this.standIn.position.toArray()));
    this.controls.addEventListener("dragging-changed", ({ value }) => {
      if (!value) store.seal();
      dragging(Boolean(value));
    });
  }

  get helper() {
    return this.controls.getHelper();
  }

  /** Runs while it is dragged. @param {Vector3} _place */
  moved(_place) {}

  /** Moves to a position, unless it is being dragged; without one it is hidden. @param {Vector3 | null} place */
  stand(place) {
    if (!place) return void this.controls.detach();
    if (!this.controls.dragging) this.standIn.position.set(...place);
    if (!this.controls.object) this.controls.attach(this.standIn);
  }
}
