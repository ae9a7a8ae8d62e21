// Joint limits: a cone at each limited joint, of the allowed directions of its bone, and an arc around the bone for its
// twist, with a line at the current twist. A cone moves with the parent bone.

import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Quaternion,
  Vector3,
} from "three";
import { FREE } from "../state/cage.js";
import { renewed } from "./geometry.js";

/** @import { Color } from "three" */
/** @import { CageBone, Doc, JointInfo, RangeRecipe } from "../types" */

const COLOR = 0x9ec9e6;
/** Of the bone's length: a cone's, where the arc is along it, and the arc's radius. */
const LENGTH = 0.7;
const ARC_AT = 0.35;
const ARC_RADIUS = 0.16;
/** Steps along each side of a cone's end, and along an arc. */
const STEPS = 10;
const ARC_STEPS = 32;
const RADIANS = Math.PI / 180;

const vector = new Vector3();
const matrix = new Matrix4();

/** @typedef {{triangles: number[], lines: number[]}} Drawn places of corners and of the ends of lines */

export class ConesView {
  object = new Group();
  #accent;
  /** @type {CageBone[]} */
  #bones = [];
  /** @type {JointInfo[]} */
  #joints = [];
  /** @type {Float32Array} */
  #matrices = new Float32Array(0);
  /** @type {Doc | null} */
  #doc = null;
  /** Those of the selected joint, and those of all others. */
  #parts;

  /** @param {Color} accent */
  constructor(accent) {
    this.#accent = accent;
    const part = (/** @type {Color | number} */ color) => ({
      sides: new Mesh(
        new BufferGeometry(),
        new MeshBasicMaterial({ color, side: DoubleSide, transparent: true, opacity: 0.22, depthTest: false, depthWrite: false }),
      ),
      lines: new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color, transparent: true, depthTest: false })),
    });
    this.#parts = { own: part(this.#accent), others: part(COLOR) };
    for (const { sides, lines } of Object.values(this.#parts)) {
      sides.frustumCulled = lines.frustumCulled = false;
      sides.renderOrder = 8;
      lines.renderOrder = 9;
      this.object.add(sides, lines);
    }
  }

  /** @param {CageBone[]} bones @param {JointInfo[]} joints */
  build(bones, joints) {
    this.#bones = bones;
    this.#joints = joints;
    this.#draw();
  }

  /** @param {Float32Array} matrices of the joints, sixteen numbers each */
  follow(matrices) {
    this.#matrices = matrices;
    this.#draw();
  }

  /** @param {Doc} doc */
  update(doc) {
    this.#doc = doc;
    this.#draw();
  }

  #draw() {
    const doc = this.#doc;
    this.object.visible = doc !== null && doc.cage.on && doc.cage.show.cones && this.#matrices.length === 16 * this.#joints.length;
    if (!doc || !this.object.visible) return;
    /** @type {{own: Drawn, others: Drawn}} */
    const drawn = { own: { triangles: [], lines: [] }, others: { triangles: [], lines: [] } };
    for (const bone of this.#bones) {
      const { name } = this.#joints[bone.joint];
      if (!Object.hasOwn(doc.recipe.cage.limits, name)) continue;
      this.#add(name === doc.selected ? drawn.own : drawn.others, bone, doc.recipe.cage.limits[name]);
    }
    for (const key of /** @type {const} */ (["own", "others"])) {
      const { sides, lines } = this.#parts[key];
      renewed(sides).setAttribute("position", new BufferAttribute(Float32Array.from(drawn[key].triangles), 3));
      renewed(lines).setAttribute("position", new BufferAttribute(Float32Array.from(drawn[key].lines), 3));
    }
  }

  /**
   * @param {Drawn} drawn
   * @param {CageBone} bone
   * @param {RangeRecipe} range
   */
  #add(drawn, bone, range) {
    const frame = new Quaternion(...bone.frame);
    const before = this.#turn(bone.parent).multiply(frame);
    const now = this.#turn(bone.joint).multiply(frame);
    const origin = new Vector3().fromArray(this.#matrices, 16 * bone.joint + 12);
    const place = (/** @type {Vector3} */ local) => local.applyQuaternion(before).multiplyScalar(bone.length).add(origin).toArray();
    if (hasCone(range)) {
      const { sides, edge } = cone(range);
      drawn.triangles.push(...sides.flatMap((direction) => place(direction.clone().multiplyScalar(LENGTH))));
      drawn.lines.push(...edge.flatMap((direction) => place(direction.clone().multiplyScalar(LENGTH))));
    }
    if (!isFree(range.twist)) {
      drawn.lines.push(...arc(range.twist).flatMap(place));
      const twist = twistOf(before.clone().invert().multiply(now));
      drawn.lines.push(...[0.6, 1.5].flatMap((share) => place(aside(twist, share))));
    }
  }

  /** How a joint is turned in the world since rest. @param {number} joint */
  #turn(joint) {
    const rotation = (/** @type {ArrayLike<number>} */ numbers, /** @type {number} */ from) =>
      new Quaternion().setFromRotationMatrix(matrix.extractRotation(new Matrix4().fromArray(numbers, from)));
    return rotation(this.#matrices, 16 * joint).multiply(rotation(this.#joints[joint].rest, 0).invert());
  }
}

/** @param {[number, number]} interval in degrees */
const isFree = ([low, high]) => low <= -FREE && high >= FREE;

/** Whether a bone may not have every direction. @param {RangeRecipe} range */
export function hasCone({ bend, sideways }) {
  return !isFree(bend) || !isFree(sideways);
}

/**
 * The direction of a bone in its own frame at rest, bent and turned sideways by so many degrees. A bend is a turn about −z,
 * as z is across the bone and the one before it.
 * @param {number} bend
 * @param {number} sideways
 */
export function direction(bend, sideways) {
  vector.set(0, sideways * RADIANS, -bend * RADIANS);
  const angle = Math.min(vector.length(), Math.PI);
  const turn = new Quaternion().setFromAxisAngle(vector.normalize(), angle);
  return new Vector3(1, 0, 0).applyQuaternion(turn);
}

/**
 * The cone of all directions within a range: corners of triangles, and the ends of the lines along its edge and from its
 * apex to its corners. The apex is zero, everything else has length one.
 * @param {RangeRecipe} range
 */
export function cone({ bend, sideways }) {
  const along = (/** @type {[number, number]} */ [low, high], /** @type {number} */ step) => low + ((high - low) * step) / STEPS;
  const at = (/** @type {number} */ i, /** @type {number} */ j) => direction(along(bend, i), along(sideways, j));
  const apex = () => new Vector3();
  /** @type {Vector3[]} */
  const sides = [];
  for (let i = 0; i < STEPS; i++) {
    for (let j = 0; j < STEPS; j++) {
      sides.push(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1));
    }
  }
  const rim = border().map(([i, j]) => at(i, j));
  /** @type {Vector3[]} */
  const edge = [];
  rim.forEach((end, k) => {
    const next = rim[(k + 1) % rim.length];
    sides.push(apex(), end.clone(), next.clone());
    edge.push(end.clone(), next.clone());
    if (k % STEPS === 0) edge.push(apex(), end.clone());
  });
  return { sides, edge };
}

/** Around a square of steps. @returns {[number, number][]} */
function border() {
  const steps = Array.from({ length: STEPS }, (_, k) => k);
  return [
    ...steps.map((k) => /** @type {[number, number]} */ ([k, 0])),
    ...steps.map((k) => /** @type {[number, number]} */ ([STEPS, k])),
    ...steps.map((k) => /** @type {[number, number]} */ ([STEPS - k, STEPS])),
    ...steps.map((k) => /** @type {[number, number]} */ ([0, STEPS - k])),
  ];
}

/** The ends of the lines of an arc around the bone. @param {[number, number]} interval in degrees */
function arc([low, high]) {
  const at = (/** @type {number} */ step) => aside((low + ((high - low) * step) / ARC_STEPS) * RADIANS, 1);
  const steps = Array.from({ length: ARC_STEPS }, (_, k) => [at(k), at(k + 1)]).flat();
  return [...steps, aside(low * RADIANS, 0), aside(low * RADIANS, 1), aside(high * RADIANS, 0), aside(high * RADIANS, 1)];
}

/** Beside the bone, at an angle about it. @param {number} angle @param {number} share of the arc's radius */
function aside(angle, share) {
  return new Vector3(ARC_AT, share * ARC_RADIUS * Math.cos(angle), share * ARC_RADIUS * Math.sin(angle));
}

/** The angle of a turn about x, with which a swing begins. @param {Quaternion} turn */
export function twistOf({ x, w }) {
  const angle = 2 * Math.atan2(x, w);
  return angle > Math.PI ? angle - 2 * Math.PI : angle < -Math.PI ? angle + 2 * Math.PI : angle;
}
