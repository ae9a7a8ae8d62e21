// The samples of a limb's field: those of the recipe, or else those that the engine finds. They are positions at rest;
// a limb's motion maps them to the current pose.

import { significant } from "../numbers.js";

/** @import { FieldsRequest, ImplicitRecipe, LimbSamples, Sample } from "../types" */

/** The limits of the number of chosen samples of a limb; fewer define no shape. */
const FEWEST = 4;
const MOST = 400;
/** Stored digits of numbers that the engine sends as f32. */
const DIGITS = 7;

/** @typedef {{request: FieldsRequest, limb: LimbSamples}} ReceivedSamples the engine's answer, and its request */

/**
 * @param {ImplicitRecipe} implicit
 * @param {string} joint
 * @returns {Sample[] | null} null without chosen samples
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
 * The samples in the engine's answer: six numbers each.
 *
 * @param {Float32Array} rows
 * @returns {Sample[]}
 */
export function readSamples(rows) {
  return Array.from({ length: rows.length / 6 }, (_, k) => inDigits(rows.subarray(6 * k, 6 * k + 6)));
}

/**
 * The samples of a document, which may be newer than the engine's last answer: those of the recipe are known at once.
 *
 * @param {ReceivedSamples | null} received
 * @param {FieldsRequest | null} request the request for the document
 * @returns {LimbSamples | null} null where they are not known
 */
export function knownSamples(received, request) {
  if (!received || !request || request.samples === null) return null;
  const keys = /** @type {const} */ (["key", "clip", "time", "turns", "samples"]);
  const isSamePose = keys.every((key) => received.request[key] === request[key]);
  if (!isSamePose || received.request.recipe.motion !== request.recipe.motion) return null;
  const chosen = chosenSamples(request.recipe.implicit, request.samples);
  if (chosen) return { samples: chosen, motion: received.limb.motion };
  return received.request.recipe === request.recipe ? received.limb : null;
}

/** A sample in as many digits as are known of it. @param {Iterable<number>} numbers @returns {Sample} */
export function inDigits(numbers) {
  return /** @type {Sample} */ (Array.from(numbers, (number) => significant(number, DIGITS)));
}
