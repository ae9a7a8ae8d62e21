// Pins in a clip and in the edited range. Frames are the clip's own, counted from 0.

import { clamp } from "../numbers.js";

/** @import { ClipInfo, Doc, MotionMessage, MotionRecipe, OpenedMessage, PinRecipe, Recipe, Vector3 } from "../types" */

/** How far a new edit reaches to either side of its pin, in seconds. */
const REACH_S = 1;
/** The frames at each end of a range that fix position and velocity and have no pins; and the shortest range. */
const FIXED_FRAMES = 2;
const LEAST = 2 * FIXED_FRAMES + 1;

/** The frame nearest to a time. @param {ClipInfo} clip @param {number} seconds */
export function frameAt({ start, rate, last }, seconds) {
  return clamp(Math.round((seconds - start) * rate), 0, last);
}

/** @param {ClipInfo} clip @param {number} frame */
export function timeOf({ start, end, rate }, frame) {
  return Math.min(start + frame / rate, end);
}

/** The clip that the document plays. @param {Doc} doc @param {OpenedMessage | null} character @returns {ClipInfo | null} */
export function playedClip({ clip }, character) {
  return clip === null ? null : (character?.clips[clip] ?? null);
}

/**
 * The pin of the selected joint in the frame that is shown, as an index; -1 for none.
 * @param {Doc} doc
 * @param {OpenedMessage | null} character
 */
export function pinInHand(doc, character) {
  const { selected, time, recipe } = doc;
  const clip = playedClip(doc, character);
  if (!clip || selected === null) return -1;
  const frame = frameAt(clip, time);
  if (Math.abs(time - timeOf(clip, frame)) * clip.rate > 0.25) return -1;
  return pinOf(recipe.motion, selected, frame);
}

/** @param {MotionRecipe} motion @param {string} joint @param {number} frame -1 for none */
export function pinOf({ pins }, joint, frame) {
  return pins.findIndex((pin) => pin.joint === joint && pin.frame === frame);
}

/**
 * The position of a pin in the world. For a pin with an offset, the engine's answer has it.
 * @param {PinRecipe} pin
 * @param {MotionMessage | null} message
 * @returns {Vector3 | undefined}
 */
export function pinPlace({ joint, frame, position }, message) {
  return position ?? message?.report?.pins.find((pin) => pin.joint === joint && pin.frame === frame)?.position;
}

/**
 * A range within the clip, long enough to be edited. Ends inside the clip are fixed.
 * @param {MotionRecipe} motion
 * @param {ClipInfo} clip
 * @param {number} first
 * @param {number} last
 * @returns {MotionRecipe}
 */
export function withRange(motion, clip, first, last) {
  const low = clamp(Math.round(Math.min(first, last)), 0, Math.max(clip.last - LEAST + 1, 0));
  const high = clamp(Math.round(Math.max(first, last)), low + LEAST - 1, clip.last);
  return {
    ...motion,
    range: [low, high],
    free_start: motion.free_start && low === 0,
    free_end: motion.free_end && high === clip.last,
  };
}

/**
 * The range around a frame that has all pins in it.
 * @param {MotionRecipe} motion
 * @param {ClipInfo} clip
 * @param {number} frame
 */
export function withRangeAround(motion, clip, frame) {
  const reach = Math.max(Math.round(REACH_S * clip.rate), FIXED_FRAMES + 1);
  const frames = motion.pins.map((pin) => pin.frame);
  const first = Math.min(frame - reach, ...frames.map((of) => of - FIXED_FRAMES));
  const last = Math.max(frame + reach, ...frames.map((of) => of + FIXED_FRAMES));
  return withRange(motion, clip, Math.max(first, 0), Math.min(last, clip.last));
}

/**
 * With a pin, and a range that has room for it. A pin at the very start or end of the clip frees that end.
 * @param {MotionRecipe} motion
 * @param {ClipInfo} clip
 * @param {PinRecipe} pin
 * @returns {MotionRecipe}
 */
export function withPin(motion, clip, pin) {
  const { joint, frame } = pin;
  const others = motion.pins.filter((other) => other.joint !== joint || other.frame !== frame);
  const roomy = hasRoom(motion, frame) ? motion : grown(motion, withRangeAround(motion, clip, frame), clip);
  return {
    ...roomy,
    pins: [...others, pin],
    free_start: roomy.free_start || frame < FIXED_FRAMES,
    free_end: roomy.free_end || frame > clip.last - FIXED_FRAMES,
  };
}

/** Whether a range lets a frame change. @param {MotionRecipe} motion @param {number} frame */
function hasRoom({ range, pins }, frame) {
  return range ? frame >= range[0] + FIXED_FRAMES && frame <= range[1] - FIXED_FRAMES : pins.length > 0;
}

/** With a range that has that of another in it, where pins need it. @param {MotionRecipe} motion @param {MotionRecipe} other @param {ClipInfo} clip */
function grown(motion, other, clip) {
  const [first, last] = other.range ?? [0, clip.last];
  if (!motion.range || motion.pins.length === 0) return other;
  return withRange(motion, clip, Math.min(first, motion.range[0]), Math.max(last, motion.range[1]));
}

/** @param {MotionRecipe} motion @param {number} index @param {Vector3} position @returns {MotionRecipe} */
export function withPinAt(motion, index, position) {
  const moved = (/** @type {PinRecipe} */ { offset: _, ...pin }) => ({ ...pin, position });
  return { ...motion, pins: motion.pins.map((pin, k) => (k === index ? moved(pin) : pin)) };
}

/** Without a pin; without the last one, the motion is what it was. @param {MotionRecipe} motion @param {number} index */
export function withoutPin(motion, index) {
  const pins = motion.pins.filter((_, k) => k !== index);
  return pins.length > 0 ? { ...motion, pins } : withoutPins(motion);
}

/** @param {MotionRecipe} motion @returns {MotionRecipe} */
export function withoutPins({ range: _, ...motion }) {
  return { ...motion, pins: [], free_start: false, free_end: false };
}

/** The recipe for another clip: pins belong to the one they were set in. @param {Recipe} recipe @returns {Recipe} */
export function forAnotherClip(recipe) {
  const { pins, range } = recipe.motion;
  return pins.length === 0 && !range ? recipe : { ...recipe, motion: withoutPins(recipe.motion) };
}
