// The joining of two limbs at a joint: the recipe's settings for the joint, else those for all others, else the
// engine's.

/** @import { HelloMessage, ImplicitRecipe, JointFieldRecipe, Point } from "../types" */

/** Where a curve of one's own starts: from 90° on, in full from 120°, as the sharp controller. @type {Point[]} */
const FIRST_CURVE = [
  [90, 0],
  [120, 1],
];

/**
 * What happens at a joint, with nothing left open.
 *
 * @param {ImplicitRecipe} implicit
 * @param {string | null} joint null for all that are not named
 * @param {HelloMessage["joint_field"]} otherwise
 */
export function jointField({ joint: common, joints }, joint, otherwise) {
  const own = joint === null ? {} : (ownField(joints, joint) ?? {});
  return { curve: FIRST_CURVE, ...otherwise, ...common, ...own };
}

/**
 * The settings of a joint's own, if it has any.
 *
 * @param {ImplicitRecipe["joints"]} joints
 * @param {string} joint
 * @returns {JointFieldRecipe | undefined}
 */
export function ownField(joints, joint) {
  return Object.hasOwn(joints, joint) ? joints[joint] : undefined;
}

/**
 * The recipe with some keys set for a joint or, with null, for all that are not named. The controller "curve" never goes
 * without a curve.
 *
 * @param {ImplicitRecipe} implicit
 * @param {string | null} joint
 * @param {JointFieldRecipe} patch
 * @returns {ImplicitRecipe}
 */
export function withJointField(implicit, joint, patch) {
  const before = joint === null ? implicit.joint : ownField(implicit.joints, joint);
  const field = { ...before, ...patch };
  if (field.controller === "curve") field.curve ??= implicit.joint.curve ?? FIRST_CURVE;
  if (joint === null) return { ...implicit, joint: field };
  return { ...implicit, joints: { ...implicit.joints, [joint]: field } };
}

/**
 * The recipe in which a joint is as all others.
 *
 * @param {ImplicitRecipe} implicit
 * @param {string} joint
 * @returns {ImplicitRecipe}
 */
export function withoutJointField(implicit, joint) {
  const { [joint]: _, ...joints } = implicit.joints;
  return { ...implicit, joints };
}
