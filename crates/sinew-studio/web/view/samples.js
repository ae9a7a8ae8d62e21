// The samples of a limb's field: a dot for each, somewhat above the skin, with a short line along its normal; samples
// behind the skin are faint.

import { BufferAttribute, BufferGeometry, Group, LineBasicMaterial, LineSegments, Matrix3, Matrix4, Points, PointsMaterial, Vector3 } from "three";
import { inDigits } from "../state/samples.js";
import { dotNear } from "./picking.js";

/** @import { PerspectiveCamera } from "three" */
/** @import { LimbSamples, Sample, SkinHit } from "../types" */
/** @import { Pane } from "./panes.js" */

const COLOR = 0xffd166;
/** Dots in pixels. */
const DOT = 7;
/** A line as a share of the limb's size, and a dot's height as a share of the line. */
const LINE = 0.05;
const HEIGHT = 0.25;
const FAINT = 0.25;

const eye = new Vector3();
const away = new Vector3();
const matrix = new Matrix4();

export class SamplesView {
  /** Has the motion of the limb: everything in it lies at rest. */
  object = new Group();
  #dots = new BufferGeometry();
  #lines = new BufferGeometry();
  /** @type {Sample[]} */
  #samples = [];

  constructor() {
    const look = (/** @type {boolean} */ isFaint) => ({
      color: COLOR,
      toneMapped: false,
      transparent: true,
      opacity: isFaint ? FAINT : 1,
      depthTest: !isFaint,
      depthWrite: false,
    });
    for (const isFaint of [true, false]) {
      const lines = new LineSegments(this.#lines, new LineBasicMaterial(look(isFaint)));
      const dots = new Points(this.#dots, new PointsMaterial({ ...look(isFaint), size: DOT, sizeAttenuation: false }));
      for (const part of [lines, dots]) {
        part.frustumCulled = false;
        part.renderOrder = 7;
        this.object.add(part);
      }
    }
    this.object.matrixAutoUpdate = false;
    this.show(null);
  }

  /** @param {LimbSamples | null} shown */
  show(shown) {
    this.#samples = shown?.samples ?? [];
    const { dots, lines } = placedSamples(this.#samples);
    for (const [geometry, places] of /** @type {const} */ ([[this.#dots, dots], [this.#lines, lines]])) {
      geometry.dispose();
      geometry.setAttribute("position", new BufferAttribute(places, 3));
    }
    if (shown) this.object.matrix.fromArray(shown.motion);
    this.object.updateMatrixWorld(true);
  }

  /**
   * The sample whose dot is nearest to a place on the screen, of those that face the camera.
   *
   * @param {PerspectiveCamera} camera
   * @param {Pane} pane
   * @param {number} x in the pane's view, in pixels
   * @param {number} y
   * @returns {number} -1 for none
   */
  nearest(camera, pane, x, y) {
    const { matrixWorld } = this.object;
    eye.copy(camera.position).applyMatrix4(matrix.copy(matrixWorld).invert());
    const isFacing = (/** @type {number} */ index) => {
      const [px, py, pz, nx, ny, nz] = this.#samples[index];
      return away.set(eye.x - px, eye.y - py, eye.z - pz).dot({ x: nx, y: ny, z: nz }) > 0;
    };
    const places = /** @type {Float32Array} */ (this.#dots.getAttribute("position").array);
    return dotNear(places, isFacing, matrixWorld, camera, pane, x, y);
  }

  /** What was hit on the skin, as a sample of the limb. @param {SkinHit} hit */
  take(hit) {
    return atRest(hit, this.object.matrix);
  }
}

/**
 * What was hit on the skin, taken back to rest by the inverse of the limb's motion M, and its normal by Mᵀ.
 *
 * @param {SkinHit} hit
 * @param {Matrix4} motion
 * @returns {Sample}
 */
export function atRest({ point, normal }, motion) {
  const place = new Vector3(...point).applyMatrix4(motion.clone().invert());
  const direction = new Vector3(...normal).applyMatrix3(new Matrix3().setFromMatrix4(motion).transpose()).normalize();
  return inDigits([...place.toArray(), ...direction.toArray()]);
}

/**
 * The dots of samples, and their lines as pairs of ends.
 * @param {Sample[]} samples
 */
export function placedSamples(samples) {
  const dots = new Float32Array(3 * samples.length);
  const lines = new Float32Array(6 * samples.length);
  const extent = (/** @type {number} */ axis) => {
    const along = samples.map((sample) => sample[axis]);
    return samples.length === 0 ? 0 : Math.max(...along) - Math.min(...along);
  };
  const length = LINE * Math.hypot(extent(0), extent(1), extent(2));
  samples.forEach((sample, index) => {
    const [x, y, z, u, v, w] = sample;
    const scale = length / (Math.hypot(u, v, w) || 1);
    const at = (/** @type {number} */ share) => [x + share * scale * u, y + share * scale * v, z + share * scale * w];
    dots.set(at(HEIGHT), 3 * index);
    lines.set([x, y, z, ...at(1)], 6 * index);
  });
  return { dots, lines };
}
