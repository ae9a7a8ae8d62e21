// Rotating a joint by rings around its own axes. With R_local = R_clip · turn, a rotation δ in the joint's axes gives
// turn · δ, where δ = start⁻¹ · now is the rotation of a proxy object by the rings.

import { Matrix4, Object3D, Quaternion, Vector3 } from "three";
import { TransformControls } from "three/addons/controls/TransformControls.js";

/** @import { PerspectiveCamera } from "three" */
/** @import { Store } from "../types" */

const SNAP_DEGREES = 5;
const AXIS_NAMES = new Map([["X", "x"], ["Y", "y"], ["Z", "z"], ["E", "view"]]);

const matrix = new Matrix4();
const scale = new Vector3();
const delta = new Quaternion();

export class Gizmo {
  controls;
  /** The proxy object at the joint's position. */
  standIn = new Object3D();
  #store;
  /** @type {string | null} */
  #joint = null;
  #turnAtStart = new Quaternion();
  #standInAtStart = new Quaternion();

  /**
   * @param {PerspectiveCamera} camera
   * @param {HTMLElement} pad what covers the pane in which joints are turned
   * @param {Store} store
   * @param {() => void} changed
   * @param {(dragging: boolean) => void} dragging
   */
  constructor(camera, pad, store, changed, dragging) {
    this.#store = store;
    this.controls = new TransformControls(camera, pad);
    this.controls.setMode("rotate");
    this.controls.setSpace("local");
    this.controls.showXYZE = false;
    this.controls.setSize(0.85);
    this.controls.setColors(0xf0524a, 0x6fce4f, 0x4a8cff, 0xffffff);
    this.controls.addEventListener("change", changed);
    this.controls.addEventListener("objectChange", () => this.#turn());
    this.controls.addEventListener("dragging-changed", ({ value }) => {
      if (value) this.#start();
      else store.seal();
      dragging(Boolean(value));
    });
    window.addEventListener("keydown", ({ key }) => key === "Shift" && this.#snap(true));
    window.addEventListener("keyup", ({ key }) => key === "Shift" && this.#snap(false));
  }

  get helper() {
    return this.controls.getHelper();
  }

  get dragging() {
    return this.controls.dragging;
  }

  /** What the drag has done so far, such as "x +35°". */
  get angle() {
    const { axis, rotationAngle } = /** @type {{axis: string | null, rotationAngle: number}} */ (
      /** @type {unknown} */ (this.controls)
    );
    const degrees = Math.round((rotationAngle * 180) / Math.PI);
    return `${AXIS_NAMES.get(axis ?? "") ?? ""} ${degrees < 0 ? "−" : "+"}${Math.abs(degrees)}°`;
  }

  /** @param {string | null} joint */
  select(joint) {
    this.#joint = joint;
    if (joint === null) this.controls.detach();
    else this.controls.attach(this.standIn);
  }

  /**
   * @param {Float32Array} matrices
   * @param {number} joint
   */
  follow(matrices, joint) {
    const turned = this.controls.dragging ? delta : this.standIn.quaternion;
    matrix.fromArray(matrices, 16 * joint).decompose(this.standIn.position, turned, scale);
  }

  #start() {
    const turn = this.#joint === null ? undefined : this.#store.state.turns[this.#joint];
    this.#turnAtStart.fromArray(turn ?? [0, 0, 0, 1]);
    this.#standInAtStart.copy(this.standIn.quaternion);
  }

  #turn() {
    const joint = this.#joint;
    if (joint === null) return;
    delta.copy(this.#standInAtStart).invert().multiply(this.standIn.quaternion);
    const turn = this.#turnAtStart.clone().multiply(delta).normalize().toArray();
    const edit = (/** @type {import("../types").Doc} */ doc) => ({ ...doc, turns: { ...doc.turns, [joint]: turn } });
    this.#store.change(`rotate ${joint}`, edit, `rotate ${joint}`);
  }

  /** @param {boolean} on */
  #snap(on) {
    this.controls.setRotationSnap(on ? (SNAP_DEGREES * Math.PI) / 180 : null);
  }
}
