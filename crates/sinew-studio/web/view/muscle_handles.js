// Dragging the origin and the insertion of a muscle: dots at its ends, dragged in the plane of the screen. A point is
// attached to a joint: with the joint's motion M (from the bind pose to the current pose) and the segment's frame S
// (from shares to the bind pose), a point p in the current pose has the shares S⁻¹ M⁻¹ p.

import { BufferAttribute, BufferGeometry, Matrix4, Plane, Points, PointsMaterial, Vector3 } from "three";
import { ENDS, movedPlace } from "../state/muscles.js";
import { dotNear, rayThrough } from "./picking.js";

/** @import { PerspectiveCamera } from "three" */
/** @import { MusculatureMessage, MuscleEnd, MuscleInfo, MusclePlace, OpenedMessage } from "../types" */
/** @import { Pane } from "./panes.js" */

const COLOR = 0xfff3d6;
/** In pixels. */
const DOT = 12;

const plane = new Plane();
const towards = new Vector3();

/**
 * @typedef {object} Handle
 * @property {MuscleEnd} end
 * @property {number} index of the place in the end's curve
 * @property {Matrix4} motion of its joint
 * @property {Vector3} point where it is seen
 */

export class MuscleHandles {
  object = new Points(
    new BufferGeometry(),
    new PointsMaterial({ color: COLOR, size: DOT, sizeAttenuation: false, depthTest: false, transparent: true, toneMapped: false }),
  );
  /** The end that is dragged. @type {Handle | null} */
  held = null;
  /** @type {MuscleInfo | null} */
  #muscle = null;
  /** @type {Handle[]} */
  #handles = [];

  constructor() {
    this.object.frustumCulled = false;
    this.object.renderOrder = 8;
    this.#write();
  }

  /**
   * Stands at the ends of a muscle.
   *
   * @param {MuscleInfo | null} muscle
   * @param {OpenedMessage | null} character
   * @param {Float32Array} matrices of its joints
   */
  follow(muscle, character, matrices) {
    if (this.held) return;
    this.#muscle = muscle;
    this.#handles = muscle && character ? handlesOf(muscle, character, matrices) : [];
    this.#write();
  }

  /** Where the dots are, for those who look for them. @returns {Vector3[]} */
  get points() {
    return this.#handles.map(({ point }) => point);
  }

  /**
   * The dot that a person points at.
   *
   * @param {PerspectiveCamera} camera
   * @param {Pane} pane
   * @param {number} x in the pane's view, in pixels
   * @param {number} y
   * @returns {Handle | null}
   */
  near(camera, pane, x, y) {
    const places = /** @type {Float32Array} */ (this.object.geometry.getAttribute("position").array);
    return this.#handles[dotNear(places, () => true, this.object.matrixWorld, camera, pane, x, y)] ?? null;
  }

  /**
   * Moves the dragged dot to the pointer, at the same depth.
   *
   * @param {PerspectiveCamera} camera
   * @param {Pane} pane
   * @param {number} x
   * @param {number} y
   * @param {MusculatureMessage} musculature
   * @returns {{name: string, end: MuscleEnd, places: MusclePlace[]} | null} the resulting entry of the recipe
   */
  drag(camera, pane, x, y, musculature) {
    const [held, muscle] = [this.held, this.#muscle];
    if (!held || !muscle) return null;
    const { matrixWorld } = this.object;
    const from = held.point.clone().applyMatrix4(matrixWorld);
    plane.setFromNormalAndCoplanarPoint(camera.getWorldDirection(towards), from);
    const hit = rayThrough(camera, pane, x, y).ray.intersectPlane(plane, from);
    if (!hit) return null;
    held.point.copy(hit).applyMatrix4(matrixWorld.clone().invert());
    this.#write();
    const places = muscle[held.end];
    const segment = musculature.segments[muscle.side === "left" ? 0 : 1][places[held.index][0]];
    if (!segment) return null;
    const shares = sharesOf(held.point, held.motion, new Matrix4().fromArray(segment.from_shares));
    return { name: muscle.name, end: held.end, places: movedPlace(places, held.index, shares) };
  }

  #write() {
    this.object.geometry.dispose();
    const places = Float32Array.from(this.#handles.flatMap(({ point }) => point.toArray()));
    this.object.geometry.setAttribute("position", new BufferAttribute(places, 3));
  }
}

/**
 * @param {MuscleInfo} muscle
 * @param {OpenedMessage} character
 * @param {Float32Array} matrices
 * @returns {Handle[]}
 */
export function handlesOf(muscle, { joints }, matrices) {
  return ENDS.flatMap((end) =>
    muscle.ends[end].map(({ joint, position }, index) => {
      const motion = new Matrix4().fromArray(joints[joint].rest).invert().premultiply(new Matrix4().fromArray(matrices, 16 * joint));
      return { end, index, motion, point: new Vector3(...position).applyMatrix4(motion) };
    }),
  );
}

/**
 * The shares of a point that is seen.
 *
 * @param {Vector3} point
 * @param {Matrix4} motion
 * @param {Matrix4} fromShares
 */
export function sharesOf(point, motion, fromShares) {
  return point.clone().applyMatrix4(motion.clone().multiply(fromShares).invert()).toArray();
}
