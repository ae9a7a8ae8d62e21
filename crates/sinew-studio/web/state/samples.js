// Which samples does a limb's field go through? Those that somebody chose or, where nobody did, those that the engine finds.
// They lie at rest; a limb's motion takes them to where they are seen.

import { significant } from "../numbers.js";

/** @import { FieldsRequest, ImplicitRecipe, LimbSamples, Sample } from "../types" */

/** How many somebody can choose for a limb: fewer tell no shape. */
const FEWEST = 4;
const MOST = 400;
/** Digits that are kept of what the engine tells as f32. */
const DIGITS = 7;

/** @typedef {{request: FieldsRequest, limb: LimbSamples}} ToldSamples what the engine told, and what it was asked */

/**
 * @param {ImplicitRecipe} implicit
 * @param {string} joint
 * @returns {Sample[] | null} null where nobody chose any
 */
export function chosenSamples({ limbs }, joint) {
  const samples = Object.hasOwn(limbs, joint) ? limbs[joint].samples : [];
  return samples.length > 0 ? samples : null;
}

/**
 * The recipe with the samples of a limb chosen or, with null, left to the engine.
 *
 * @param {ImplicitRecipe} implicit
 * @param {string} joint
 * @param {Sample[] | null} samples
 * @returns {ImplicitRecipe}
 */
export function withSamples(implicit, joint, samples) {
  const { [joint]: _, ...others } = implicit.limbs;
  return { ...implicit, limbs: samples ? { ...others, [joint]: { samples } } : others };
}

/**
 * Fails with a sentence where too few would be left.
 *
 * @param {Sample[]} samples
 * @param {number} index
 */
export function withoutSample(samples, index) {
  if (samples.length > FEWEST) return samples.toSpliced(index, 1);
  throw new RangeError(`A field goes through at least ${FEWEST} samples: add another before you remove this one.`);
}

/**
 * Fails with a sentence where there are too many.
 *
 * @param {Sample[]} samples
 * @param {Sample} sample
 */
export function withSample(samples, sample) {
  if (samples.length < MOST) return [...samples, sample];
  throw new RangeError(`A field goes through at most ${MOST} samples: remove one before you add another.`);
}

/**
 * The samples as the engine tells them: six numbers each.
 *
 * @param {Float32Array} rows
 * @returns {Sample[]}
 */
export function readSamples(rows) {
  return Array.from({ length: rows.length / 6 }, (_, k) => inDigits(rows.subarray(6 * k, 6 * k + 6)));
}

/**
 * The samples of a document, which may be ahead of what the engine told last: those of the recipe are known at once.
 *
 * @param {ToldSamples | null} told
 * @param {FieldsRequest | null} request what the document asks for
 * @returns {LimbSamples | null} null where they are not known
 */
export function knownSamples(told, request) {
  if (!told || !request || request.samples === null) return null;
  const keys = /** @type {const} */ (["key", "clip", "time", "turns", "samples"]);
  const isSamePose = keys.every((key) => told.request[key] === request[key]);
  if (!isSamePose || told.request.recipe.motion !== request.recipe.motion) return null;
  const chosen = chosenSamples(request.recipe.implicit, request.samples);
  if (chosen) return { samples: chosen, motion: told.limb.motion };
  return told.request.recipe === request.recipe ? told.limb : null;
}

/** A sample in as many digits as are known of it. @param {Iterable<number>} numbers @returns {Sample} */
export function inDigits(numbers) {
  return /** @type {Sample} */ (Array.from(numbers, (number) => significant(number, DIGITS)));
}
