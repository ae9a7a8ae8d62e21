// The flesh of a recipe: whether a document shows any, and the bones of single joints.

import { cageDrive } from "./cage.js";
import { comparedRecipe } from "./document.js";
import { schema } from "./schema.js";

/** @import { Doc, FleshRecipe, JointFleshRecipe, Recipe, Vector3 } from "../types" */

/** The radius of a bone whose joint has none of its own, in limb radii: `SHAFT` of the engine's presets. */
const PRESET_RADIUS = 0.275;

/** Whether a recipe has flesh. @param {Recipe | null} recipe */
export function hasFlesh(recipe) {
  return recipe !== null && recipe.flesh.fineness !== "off";
}

/** Whether flesh is seen: of the recipe, unless the mesh follows its cage, or of the one beside it. @param {Doc} doc */
export function showsFlesh(doc) {
  return (hasFlesh(doc.recipe) && cageDrive(doc) === null) || hasFlesh(comparedRecipe(doc));
}

/**
 * The bone that begins at a joint, with nothing left open.
 *
 * @param {FleshRecipe} flesh
 * @param {string} joint
 */
export function boneOf({ joints }, joint) {
  const { offset, softness } = schema.JointFleshRecipe;
  return {
    radius: PRESET_RADIUS,
    offset: /** @type {Vector3} */ (offset.default),
    softness: softness.default,
    ...ownBone(joints, joint),
  };
}

/**
 * The settings of a joint's own, if it has any.
 *
 * @param {FleshRecipe["joints"]} joints
 * @param {string} joint
 * @returns {JointFleshRecipe | undefined}
 */
export function ownBone(joints, joint) {
  return Object.hasOwn(joints, joint) ? joints[joint] : undefined;
}

/**
 * The recipe with some settings of a joint's bone. A radius that is undefined is that of the preset.
 *
 * @param {FleshRecipe} flesh
 * @param {string} joint
 * @param {Partial<JointFleshRecipe>} patch
 * @returns {FleshRecipe}
 */
export function withBone(flesh, joint, patch) {
  const { offset, softness } = boneOf(flesh, joint);
  const { radius, ...bone } = { offset, softness, ...ownBone(flesh.joints, joint), ...patch };
  return { ...flesh, joints: { ...flesh.joints, [joint]: radius === undefined ? bone : { radius, ...bone } } };
}

/**
 * The recipe in which a joint's bone is as the preset has it.
 *
 * @param {FleshRecipe} flesh
 * @param {string} joint
 * @returns {FleshRecipe}
 */
export function withoutBone(flesh, joint) {
  const { [joint]: _, ...joints } = flesh.joints;
  return { ...flesh, joints };
}
