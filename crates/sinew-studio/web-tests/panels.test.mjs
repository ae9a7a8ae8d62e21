import assert from "node:assert/strict";
import { test } from "node:test";
import { stem } from "../web/files.js";
import { withProfile } from "../web/panels/common.js";
import { latestOnly } from "../web/timing.js";
import { counted, fixed, short, signed, ticks } from "../web/numbers.js";

const doc = { recipe: { volume: { profile: { size: 2 }, joints: { Elbow: { kind: "muscle" } } } }, time: 1 };

test("a profile's keys are set, and left open again", () => {
  const common = withProfile(doc, null, { kind: "rubber" });
  assert.deepEqual(common.recipe.volume.profile, { size: 2, kind: "rubber" });
  assert.deepEqual(withProfile(common, null, { kind: undefined }).recipe.volume.profile, { size: 2 });
  const own = withProfile(doc, "Elbow", { size: 3 }).recipe.volume;
  assert.deepEqual(own.joints, { Elbow: { kind: "muscle", size: 3 } });
  assert.deepEqual(withProfile(doc, "Knee", { amount: 0 }).recipe.volume.joints.Knee, { amount: 0 });
  assert.deepEqual(doc.recipe.volume.profile, { size: 2 }, "the document itself never changes");
});

test("of many questions one is under way, and only the newest follows", async () => {
  const asked = [];
  let most = 0;
  let running = 0;
  const ask = latestOnly(async (value) => {
    running += 1;
    most = Math.max(most, running);
    asked.push(value);
    await new Promise((resolve) => setTimeout(resolve, 1));
    running -= 1;
  });
  const first = ask(1);
  for (const value of [2, 3, 4]) void ask(value);
  await first;
  assert.deepEqual(asked, [1, 4]);
  assert.equal(most, 1);
  await ask(5);
  assert.deepEqual(asked, [1, 4, 5]);
});

test("the marks of an axis are round, within it, and about as many as asked for", () => {
  assert.deepEqual(ticks(0, 1, 2), [0, 0.5, 1]);
  assert.deepEqual(ticks(-2.7, 2.7, 5), [-2, 0, 2]);
  assert.deepEqual(ticks(99.3, 100.1, 2), [99.5, 100]);
  assert.deepEqual(ticks(3, 3, 5), []);
  for (const [low, high] of [
    [-17, 4],
    [0.001, 0.0042],
    [1e5, 3e6],
  ]) {
    const marks = ticks(low, high, 6);
    assert.ok(marks.length >= 2 && marks.length <= 7);
    assert.ok(marks[0] >= low && marks[marks.length - 1] <= high);
  }
});

test("numbers as people read them", () => {
  assert.equal(short(-1.5), "−1.5");
  assert.equal(short(-0.001), "0");
  assert.equal(fixed(-0.0001, 2), "0.00");
  assert.equal(signed(0.25, 1), "+0.3");
  assert.equal(signed(-0.004, 2), "0.00");
  assert.equal(counted(1234567), "1\u202f234\u202f567");
  assert.equal(stem("hero.v2.glb"), "hero.v2");
});
