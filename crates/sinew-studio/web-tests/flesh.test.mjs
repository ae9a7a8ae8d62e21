import assert from "node:assert/strict";
import { test } from "node:test";
import { EngineError } from "../web/engine/connection.js";
import { describe as describeBone } from "../web/panels/flesh/bone.js";
import { describe, describeRegion, inFigures } from "../web/panels/flesh/readout.js";
import { newDocument } from "../web/state/document.js";
import { boneOf, showsFlesh, withBone, withoutBone } from "../web/state/flesh.js";
import { Playback } from "../web/state/playback.js";
import { Store } from "../web/state/store.js";

const flesh = { fineness: "interactive", bones: "reference", leave_out: [], joints: {} };
const off = { ...flesh, fineness: "off" };
const recipe = { skin: { method: "linear" }, implicit: {}, flesh, muscles: {}, volume: {}, bake: { fps: 10 } };
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** An engine that answers at once, with flesh on demand and maybe with coarse flesh, and a clock that stands still. */
function setUp(t, recipeShown = recipe, coarse = null) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.requestAnimationFrame = () => {};
  const [jobs, shown, phases, failures] = [[], [], [], []];
  const engine = {
    status: "ready",
    request: async (_, fields) => ({ key: "k", seconds: fields.time, flesh: coarse }),
    start: (type, fields) => {
      const job = { type, fields, isCancelled: false, cancel: () => (job.isCancelled = true), onProgress: (listener) => (job.progress = listener) };
      job.done = new Promise((resolve, reject) => Object.assign(job, { resolve, reject }));
      jobs.push(job);
      return job;
    },
  };
  const store = new Store({ ...newDocument(recipeShown), character: { key: "k", name: "K" }, clip: 0, time: 1 });
  const playback = new Playback(store, engine, (frame) => shown.push(frame), (message) => failures.push(message), (phase) => phases.push(phase));
  playback.setCharacter("k", [{ name: "walk", start: 1, end: 3 }]);
  const seek = (time) => store.touch((doc) => ({ ...doc, time }));
  const pass = async (milliseconds) => {
    await settled();
    t.mock.timers.tick(milliseconds);
    await settled();
  };
  return { store, playback, jobs, shown, phases, failures, seek, pass };
}

const moments = (shown) => shown.map(({ seconds, flesh }) => [seconds, flesh !== null]);
const fleshOf = ({ fields }) => ({ key: "k", seconds: fields.time, flesh: {} });

test("a drag shows the plain skin, and flesh follows once the document rests", async (t) => {
  const { jobs, shown, phases, seek, pass } = setUp(t);
  for (const time of [1.1, 1.2, 1.3]) {
    seek(time);
    await pass(100);
  }
  assert.equal(jobs.length, 0, "a document that changes does not rest");
  await pass(1000);
  assert.deepEqual(jobs.map(({ type, fields }) => [type, fields.time]), [["flesh", 1.3]]);
  jobs[0].progress(0, "Preparing");
  jobs[0].resolve(fleshOf(jobs[0]));
  await settled();
  assert.deepEqual(moments(shown).slice(-2), [[1.3, false], [1.3, true]]);
  assert.deepEqual(phases, ["Preparing", null]);
  await pass(1000);
  assert.equal(jobs.length, 1, "flesh is asked for once");
});

test("coarse flesh is shown in a drag, and that of the recipe follows once the document rests", async (t) => {
  const live = { live: true };
  const { jobs, shown, phases, seek, pass } = setUp(t, recipe, live);
  seek(1.1);
  await pass(100);
  assert.deepEqual([jobs.length, shown.at(-1).flesh], [0, live]);
  await pass(1000);
  jobs[0].progress(0, "Preparing");
  jobs[0].resolve({ ...fleshOf(jobs[0]), flesh: { live: false } });
  await settled();
  assert.deepEqual([shown.at(-1).seconds, shown.at(-1).flesh, phases], [1.1, { live: false }, ["Preparing", null]]);
  seek(1.2);
  await settled();
  assert.deepEqual([jobs.length, shown.at(-1).flesh], [1, live]);
});

test("flesh of a pose that has changed is cancelled and not shown, and the next one waits for its end", async (t) => {
  const { jobs, shown, phases, seek, pass } = setUp(t);
  await pass(1000);
  seek(2);
  assert.ok(jobs[0].isCancelled);
  await pass(1000);
  jobs[0].progress(0.5, "Too late");
  assert.ok(jobs.length === 1 && !phases.includes("Too late"));
  assert.deepEqual(moments(shown).at(-1), [2, false], "the skin follows meanwhile");
  jobs[0].resolve(fleshOf(jobs[0]));
  await pass(1000);
  assert.ok(shown.every(({ flesh }) => flesh === null));
  assert.deepEqual(jobs.map(({ fields }) => fields.time), [1, 2]);
});

test("there is no flesh while a clip plays, and it comes when the clip is paused", async (t) => {
  const { playback, jobs, pass } = setUp(t);
  playback.play();
  await pass(1000);
  assert.equal(jobs.length, 0);
  playback.pause();
  await pass(1000);
  assert.equal(jobs.length, 1);
});

test("flesh waits until the pointer lets go, and a click alone does not ask for it again", async (t) => {
  const { playback, jobs, shown, seek, pass } = setUp(t);
  playback.hold(true);
  seek(2);
  await pass(5000);
  assert.deepEqual([jobs.length, moments(shown).at(-1)], [0, [2, false]]);
  playback.hold(false);
  await pass(1000);
  jobs[0].resolve(fleshOf(jobs[0]));
  await settled();
  playback.hold(true);
  playback.hold(false);
  await pass(1000);
  assert.deepEqual([jobs.length, moments(shown).at(-1)], [1, [2, true]]);
});

test("a failure is told once, and a cancelled job is none", async (t) => {
  const { jobs, failures, seek, pass } = setUp(t);
  await pass(1000);
  jobs[0].reject(new EngineError("no bones"));
  await pass(5000);
  assert.deepEqual([failures, jobs.length], [["no bones"], 1]);
  seek(2);
  await pass(1000);
  jobs[1].reject(new EngineError("cancelled", true));
  await pass(1000);
  assert.equal(failures.length, 1);
});

test("a document without flesh never asks for it", async (t) => {
  const { jobs, seek, pass } = setUp(t, { ...recipe, flesh: off });
  seek(2);
  await pass(5000);
  assert.equal(jobs.length, 0);
});

test("flesh is seen in the recipe, unless a cage moves the mesh, and in the one beside it", () => {
  const doc = newDocument(recipe);
  const plain = newDocument({ ...recipe, flesh: off });
  assert.deepEqual([showsFlesh(doc), showsFlesh(plain)], [true, false]);
  assert.equal(showsFlesh({ ...doc, cage: { ...doc.cage, on: true, follow: true } }), false);
  assert.ok(showsFlesh({ ...plain, compare: { mode: "side", with: "pinned", pinned: recipe, wipe: 0.5 } }));
  assert.equal(showsFlesh({ ...plain, compare: { mode: "side", with: "skin", pinned: recipe, wipe: 0.5 } }), false);
});

test("a bone gets settings of its own, and is as the preset has it again", () => {
  assert.deepEqual(boneOf(flesh, "Knee"), { radius: 0.275, offset: [0, 0, 0], softness: 1 });
  const soft = withBone(flesh, "Knee", { softness: 10 });
  assert.deepEqual(soft.joints, { Knee: { offset: [0, 0, 0], softness: 10 } }, "the radius stays that of the preset");
  const thick = withBone(soft, "Knee", { radius: 0.5 });
  assert.deepEqual(thick.joints.Knee, { radius: 0.5, offset: [0, 0, 0], softness: 10 });
  assert.deepEqual(withBone(thick, "Knee", { radius: undefined }), soft);
  assert.deepEqual(withoutBone(thick, "Knee"), flesh);
  assert.equal(boneOf(flesh, "constructor").softness, 1, "a name is nothing but a name");
});

test("the panel says what is shown", () => {
  const [live, atRest] = [{ live: true }, { live: false }];
  assert.equal(describe("off", null, false, null), "");
  assert.match(describe("fine", null, false, null), /Plain skin while you drag; flesh when you let go/);
  assert.match(describe("fine", null, true, null), /when you pause/);
  assert.match(describe("fine", null, false, "Preparing the flesh"), /Plain skin for now. Preparing the flesh …/);
  assert.match(describe("fine", live, false, null), /Coarse flesh while moving, fine at rest/);
  assert.match(describe("fine", live, true, null), /Coarse flesh while moving, fine at rest/);
  assert.match(describe("fine", live, false, "Preparing the flesh"), /Coarse flesh for now. Preparing the flesh …/);
  assert.match(describe("fine", atRest, false, null), /Flesh at rest/);
  assert.match(describeBone(null, false), /Select a joint/);
  assert.match(describeBone("Knee", true), /Knee has settings/);
  assert.deepEqual(inFigures(null), { iterations: "–", contacts: "–", residual: "–", smallest: "–", volume: "–" });
  const report = { live: false, iterations: 1234, contacts: 56, residual: 0.00123, yield: 0.01, smallest_volume: 0.456, volume: 0.9987, worst_region: { joint: 1, volume: 0.9712 }, warnings: [] };
  assert.deepEqual(inFigures(report), { iterations: "1\u202f234", contacts: "56", residual: "0.0012", smallest: "46 %", volume: "99.9 %" });
  assert.equal(describeRegion(report, [{ name: "Hip" }, { name: "Knee" }]), "The flesh of Knee has 97.1 % of its volume.");
  assert.equal(describeRegion(null, []), "");
});
