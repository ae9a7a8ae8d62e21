import assert from "node:assert/strict";
import { test } from "node:test";
import * as motion from "../web/state/motion.js";

const clip = { name: "walk", start: 2, end: 5, rate: 30, last: 90 };
const none = { keep_contacts: true, stay: 0.05, free_start: false, free_end: false, pins: [], limits: {} };
const pin = (joint, frame) => ({ joint, frame, position: [0, 1, 0] });

test("times are frames and frames are times", () => {
  for (const frame of [0, 1, 44, 90]) assert.equal(motion.frameAt(clip, motion.timeOf(clip, frame)), frame);
  assert.equal(motion.frameAt(clip, 2.016), 0);
  assert.equal(motion.frameAt(clip, -7), 0);
  assert.equal(motion.frameAt(clip, 100), 90);
  assert.ok(motion.timeOf({ ...clip, end: 4.99 }, 90) <= 4.99);
});

test("the first pin changes a second around it, within the clip", () => {
  assert.deepEqual(motion.withPin(none, clip, pin("Foot", 45)).range, [15, 75]);
  const early = motion.withPin(none, clip, pin("Foot", 10));
  assert.deepEqual([early.range, early.free_start], [[0, 40], false]);
  const first = motion.withPin(none, clip, pin("Foot", 1));
  assert.deepEqual([first.range, first.free_start, first.free_end], [[0, 31], true, false]);
  const last = motion.withPin(none, clip, pin("Foot", 90));
  assert.deepEqual([last.range, last.free_start, last.free_end], [[60, 90], false, true]);
});

test("another pin grows the range only where it needs to", () => {
  const one = motion.withPin(none, clip, pin("Foot", 45));
  assert.deepEqual(motion.withPin(one, clip, pin("Hand", 73)).range, [15, 75]);
  assert.deepEqual(motion.withPin(one, clip, pin("Hand", 74)).range, [15, 90]);
  const whole = { ...none, pins: [pin("Foot", 45)] };
  assert.equal(motion.withPin(whole, clip, pin("Hand", 80)).range, undefined, "a recipe may change the whole clip");
  const again = motion.withPin(one, clip, { ...pin("Foot", 45), position: [1, 1, 1] });
  assert.deepEqual(again.pins, [{ joint: "Foot", frame: 45, position: [1, 1, 1] }]);
  assert.equal(one.pins.length, 1, "the recipe itself never changes");
});

test("a range is in order, in the clip, and long enough", () => {
  assert.deepEqual(motion.withRange(none, clip, 60, 20).range, [20, 60]);
  assert.deepEqual(motion.withRange(none, clip, -5, 400).range, [0, 90]);
  assert.deepEqual(motion.withRange(none, clip, 30, 31).range, [30, 34]);
  assert.deepEqual(motion.withRange(none, clip, 89, 90).range, [86, 90]);
  const free = { ...none, free_start: true, free_end: true };
  const held = motion.withRange(free, clip, 1, 90);
  assert.deepEqual([held.free_start, held.free_end], [false, true]);
});

test("a pin is moved, found and taken away", () => {
  const offset = { joint: "Foot", frame: 45, offset: [0, 1, 0], turn: { axis: [0, 1, 0], degrees: 5 } };
  const { range: _, ...two } = { ...none, pins: [pin("Hand", 45), offset] };
  const moved = motion.withPinAt(two, 1, [1, 2, 3]);
  assert.deepEqual(moved.pins[1], { joint: "Foot", frame: 45, turn: offset.turn, position: [1, 2, 3] });
  assert.equal(moved.pins[0], two.pins[0]);
  const doc = { clip: 0, time: 3.5, selected: "Foot", recipe: { motion: two } };
  assert.equal(motion.pinInHand(doc, { clips: [clip] }), 1);
  assert.equal(motion.pinInHand({ ...doc, time: 3.515 }, { clips: [clip] }), -1, "between two frames");
  assert.equal(motion.pinInHand({ ...doc, clip: null }, { clips: [clip] }), -1);
  assert.equal(motion.pinInHand({ ...doc, selected: "Head" }, { clips: [clip] }), -1);
  assert.deepEqual(motion.withoutPin(two, 1).pins, [two.pins[0]]);
  const ranged = motion.withPin(none, clip, pin("Foot", 1));
  assert.deepEqual(motion.withoutPin(ranged, 0), none, "without pins nothing is left of an edit");
});

test("pins stay with the clip that they were set in", () => {
  const recipe = { skin: {}, motion: motion.withPin(none, clip, pin("Foot", 45)) };
  assert.deepEqual(motion.forAnotherClip(recipe), { skin: {}, motion: none });
  const plain = { skin: {}, motion: none };
  assert.equal(motion.forAnotherClip(plain), plain);
});
