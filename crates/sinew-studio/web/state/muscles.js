// The recipe's settings of single muscles. A muscle of one side has its full name, such as "left soleus". Settings for
// both sides or for several heads have a shorter name and lower priority. Missing settings have the values of the
// engine.

import { clamp, rounded } from "../numbers.js";

/** @import { MuscleChange, MuscleEnd, MuscleInfo, MuscleRecipe, MusclePlace, Vector3 } from "../types" */

/** No place is farther from its segment than so many of its units. */
const FARTHEST = 4;
/** Stored decimals of a share: 0.01 mm on a man's thigh. */
const DIGITS = 5;

/** Both ends, origin first. @type {MuscleEnd[]} */
export const ENDS = ["from", "to"];

/** The muscle of the other side. @param {string} name */
export function partnerOf(name) {
  return name.startsWith("left ") ? name.replace("left ", "right ") : name.replace("right ", "left ");
}

/**
 * The settings of this muscle by its full name.
 *
 * @param {MuscleRecipe} muscles
 * @param {string} name
 * @returns {MuscleChange | undefined}
 */
export function ownChange({ muscle }, name) {
  return Object.hasOwn(muscle, name) ? muscle[name] : undefined;
}

/**
 * The recipe with some keys of a muscle set, or left open where they are undefined; of its partner too, if asked for.
 *
 * @param {MuscleRecipe} muscles
 * @param {string} name
 * @param {MuscleChange} patch
 * @param {boolean} both
 * @returns {MuscleRecipe}
 */
export function withMuscle(muscles, name, patch, both) {
  const names = both ? [name, partnerOf(name)] : [name];
  return names.reduce((recipe, one) => withChange(recipe, one, { ...ownChange(recipe, one), ...patch }), muscles);
}

/**
 * The recipe in which the partner of a muscle is changed as it is.
 *
 * @param {MuscleRecipe} muscles
 * @param {string} name
 */
export function mirroredMuscle(muscles, name) {
  return withChange(muscles, partnerOf(name), ownChange(muscles, name) ?? {});
}

/**
 * The recipe without settings of a muscle by its full name; with `both`, also without those of its partner.
 *
 * @param {MuscleRecipe} muscles
 * @param {string} name
 * @param {boolean} both
 */
export function withoutMuscle(muscles, name, both) {
  const bare = withChange(muscles, name, {});
  return both ? withChange(bare, partnerOf(name), {}) : bare;
}

/**
 * A muscle as in the recipe, which may be newer than the engine's answer.
 *
 * @param {MuscleRecipe} muscles
 * @param {MuscleInfo} info
 * @returns {MuscleInfo}
 */
export function knownMuscle(muscles, info) {
  const own = /** @type {Partial<MuscleInfo>} */ (ownChange(muscles, info.name) ?? {});
  return { ...info, ...(own.shape ? { series: null } : {}), ...own };
}

/** One value of what may have keys over a clip: the first of them. @param {number | [number, number][]} keys */
export function firstValue(keys) {
  return typeof keys === "number" ? keys : (keys[0]?.[1] ?? 0);
}

/**
 * The places of an end with one of them moved, in shares of its segment.
 *
 * @param {MusclePlace[]} places
 * @param {number} index
 * @param {Vector3} shares
 * @returns {MusclePlace[]}
 */
export function movedPlace(places, index, shares) {
  const [along, front, out] = shares.map(within);
  return places.map((place, k) => (k === index ? [place[0], along, front, out] : place));
}

/** @param {number} share */
function within(share) {
  return rounded(clamp(share, -FARTHEST, FARTHEST), DIGITS);
}

/**
 * @param {MuscleRecipe} muscles
 * @param {string} name
 * @param {MuscleChange} change
 * @returns {MuscleRecipe}
 */
function withChange(muscles, name, change) {
  const entries = Object.entries(change).filter(([, value]) => value !== undefined);
  const { [name]: _, ...others } = muscles.muscle;
  return { ...muscles, muscle: entries.length === 0 ? others : { ...others, [name]: Object.fromEntries(entries) } };
}
