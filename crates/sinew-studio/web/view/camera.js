// The camera: orbit, pan and zoom around a target, framing, and the document's camera, which is written at the end of a
// gesture.

import { significant } from "../numbers.js";
import { Box3, Frustum, Matrix4, PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

/** @import { Doc, Store } from "../types" */

const FIELD_OF_VIEW = 32;
/** Where a new character is seen from: its front, somewhat from the side and from above. */
const FIRST_DIRECTION = new Vector3(0.42, 0.2, 1).normalize();
const MARGIN = 1.12;
const REST_MS = 200;

const right = new Vector3();
const up = new Vector3();
const forward = new Vector3();
const corner = new Vector3();
const matrix = new Matrix4();
const frustum = new Frustum();

export class ViewCamera {
  camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
  controls;
  #store;
  /** The document's camera, as this module wrote it. @type {Doc["camera"]} */
  #written = null;
  /** Whether the camera moved since it was last written. */
  #moved = false;
  /** What is shown while the document leaves the camera open. */
  #home = new Box3();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {HTMLElement} element
   * @param {Store} store
   * @param {() => void} changed
   */
  constructor(element, store, changed) {
    this.#store = store;
    this.controls = new OrbitControls(this.camera, element);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.18;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("start", () => {
      this.#moved = true;
    });
    this.controls.addEventListener("change", () => {
      changed();
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#moved && this.#write(), REST_MS);
    });
  }

  /** @param {number} size the character's */
  setSize(size) {
    this.camera.near = size / 200;
    this.camera.far = size * 60;
    this.controls.minDistance = size / 50;
    this.controls.maxDistance = size * 20;
    this.camera.updateProjectionMatrix();
  }

  /**
   * Shows a box from the document's camera or, without one or where that would miss it, from the front.
   * @param {Box3} box
   */
  start(box) {
    const { camera } = this.#store.state;
    this.#home.copy(box);
    if (camera) this.#place(camera);
    if (!camera || !this.#sees(box)) this.#frame(box, FIRST_DIRECTION);
  }

  /**
   * Moves back along its direction until the whole box is visible.
   * @param {Box3} box
   */
  frame(box) {
    this.#frame(box, this.camera.position.clone().sub(this.controls.target).normalize());
    this.#write();
  }

  /**
   * Moves so far back, in a direction, that the whole box is seen.
   * @param {Box3} box
   * @param {Vector3} direction towards the camera
   * @returns {NonNullable<Doc["camera"]>} for the document
   */
  look(box, direction) {
    this.#frame(box, direction);
    return this.#read();
  }

  /** @param {Box3} box */
  #sees(box) {
    this.camera.updateMatrixWorld();
    const { projectionMatrix, matrixWorldInverse } = this.camera;
    return frustum.setFromProjectionMatrix(matrix.multiplyMatrices(projectionMatrix, matrixWorldInverse)).intersectsBox(box);
  }

  /**
   * @param {Box3} box
   * @param {Vector3} direction towards the camera
   */
  #frame(box, direction) {
    const target = this.controls.target;
    box.getCenter(target);
    this.camera.position.copy(target).add(direction);
    this.camera.lookAt(target);
    this.camera.updateMatrixWorld();
    this.camera.matrixWorld.extractBasis(right, up, forward);
    const vertical = Math.tan((this.camera.fov * Math.PI) / 360);
    const horizontal = vertical * this.camera.aspect;
    let distance = 0;
    for (let index = 0; index < 8; index++) {
      corner.set(
        index & 1 ? box.max.x : box.min.x,
        index & 2 ? box.max.y : box.min.y,
        index & 4 ? box.max.z : box.min.z,
      ).sub(target);
      const aside = Math.max(Math.abs(corner.dot(right)) / horizontal, Math.abs(corner.dot(up)) / vertical);
      distance = Math.max(distance, aside * MARGIN + corner.dot(forward));
    }
    this.camera.position.copy(target).addScaledVector(direction, distance);
    this.controls.update();
  }

  /** @param {Doc["camera"]} camera the document's present camera */
  follow(camera) {
    if (camera === this.#written) return;
    if (camera) this.#place(camera);
    else this.#goHome();
  }

  /** @param {NonNullable<Doc["camera"]>} camera */
  #place(camera) {
    this.#written = camera;
    this.camera.position.fromArray(camera.position);
    this.controls.target.fromArray(camera.target);
    this.controls.update();
  }

  #goHome() {
    this.#written = null;
    this.#frame(this.#home, FIRST_DIRECTION);
  }

  #write() {
    const camera = this.#read();
    this.#moved = false;
    this.#store.touch((doc) => ({ ...doc, camera }));
  }

  #read() {
    /** @param {Vector3} vector @returns {[number, number, number]} */
    const rounded = ({ x, y, z }) => [significant(x, 5), significant(y, 5), significant(z, 5)];
    const camera = { position: rounded(this.camera.position), target: rounded(this.controls.target) };
    this.#written = camera;
    return camera;
  }
}
