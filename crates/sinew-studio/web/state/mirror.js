// The pose of the other side. A turn q of a joint whose rest rotation is R is W = R q R⁻¹ in the axes of the world at
// rest. A mirror with the unit normal n takes a rotation's axis a, which is an axial vector, to −(a − 2 (a·n) n) and keeps
// its angle; q' = R'⁻¹ W' R' is then the turn of the joint on the other side.

import { IDENTITY, inverse, isSame, multiply, ofMatrix } from "./rotation.js";

/** @import { JointInfo, Quaternion, Turns, Vector3 } from "../types" */
/** @typedef {"left-to-right" | "right-to-left" | "flip"} Mirroring */

/** A joint this share of the skeleton's width from the plane is in the middle. */
const MIDDLE = 0.02;

/** @type {(q: Quaternion, normal: Vector3) => Quaternion} */
export function reflect([x, y, z, w], [nx, ny, nz]) {
  const twice = 2 * (x * nx + y * ny + z * nz);
  return [twice * nx - x, twice * ny - y, twice * nz - z, w];
}

/**
 * A joint's turn as the joint on the other side has it.
 *
 * @param {Quaternion} turn
 * @param {JointInfo} joint
 * @param {JointInfo} other
 * @param {Vector3} normal
 */
export function mirrorTurn(turn, joint, other, normal) {
  const [rest, restThere] = [ofMatrix(joint.rest), ofMatrix(other.rest)];
  const world = multiply(multiply(rest, turn), inverse(rest));
  return multiply(multiply(inverse(restThere), reflect(world, normal)), restThere);
}

/**
 * Each joint's partner under the mirror: the one on the other side, itself in the middle, or -1.
 *
 * @param {readonly JointInfo[]} joints
 * @param {Vector3} normal
 */
export function partners(joints, normal) {
  const heights = joints.map((joint) => along(joint, normal));
  const paired = joints.flatMap((joint, k) => (joint.mirror >= 0 ? [(heights[k] + heights[joint.mirror]) / 2] : []));
  const plane = paired.length > 0 ? paired.reduce((sum, height) => sum + height, 0) / paired.length : 0;
  const width = Math.max(...heights) - Math.min(...heights);
  return joints.map((joint, k) => {
    if (joint.mirror >= 0) return joint.mirror;
    return Math.abs(heights[k] - plane) <= MIDDLE * width ? k : -1;
  });
}

/**
 * Which side each joint is on: 1 left, -1 right, 0 neither. Names decide which of the two is the left; without any,
 * it is the side that the normal points to.
 *
 * @param {readonly JointInfo[]} joints
 * @param {Vector3} normal
 */
export function sides(joints, normal) {
  const offsets = joints.map((joint) =>
    joint.mirror < 0 ? 0 : Math.sign(along(joint, normal) - along(joints[joint.mirror], normal)),
  );
  const votes = joints.reduce((sum, joint, k) => sum + offsets[k] * namedSide(joint.name), 0);
  return offsets.map((offset) => (votes < 0 ? -offset : offset));
}

/**
 * All turns, mirrored: one side's over to the other, or both exchanged with the middle flipped.
 *
 * @param {Turns} turns
 * @param {readonly JointInfo[]} joints
 * @param {Vector3} normal
 * @param {Mirroring} how
 * @returns {Turns}
 */
export function mirrorTurns(turns, joints, normal, how) {
  const partner = partners(joints, normal);
  const side = sides(joints, normal);
  const from = { "left-to-right": 1, "right-to-left": -1, flip: 0 }[how];
  /** @type {Turns} */
  const mirrored = { ...turns };
  joints.forEach((joint, k) => {
    const other = joints[partner[k]];
    const taken = how === "flip" ? other !== undefined : side[k] === from;
    if (!taken || !other) return;
    const turn = mirrorTurn(turns[joint.name] ?? IDENTITY, joint, other, normal);
    if (isSame(turn, IDENTITY)) delete mirrored[other.name];
    else mirrored[other.name] = turn;
  });
  return mirrored;
}

/** @type {(joint: JointInfo, normal: Vector3) => number} */
function along(joint, normal) {
  return joint.rest[12] * normal[0] + joint.rest[13] * normal[1] + joint.rest[14] * normal[2];
}

/** @type {(name: string) => number} */
function namedSide(name) {
  if (/left|(^|[^a-z])l([^a-z]|$)/i.test(name)) return 1;
  return /right|(^|[^a-z])r([^a-z]|$)/i.test(name) ? -1 : 0;
}
