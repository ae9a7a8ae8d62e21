import assert from "node:assert/strict";
import { test } from "node:test";
import { Matrix4, PerspectiveCamera, Vector3 } from "three";
import { fieldsRequest } from "../web/panels/implicit/fields.js";
import { describeSamples } from "../web/panels/implicit/samples.js";
import { newDocument } from "../web/state/document.js";
import { chosenSamples, knownSamples, readSamples, withSample, withSamples, withoutSample } from "../web/state/samples.js";
import { SamplesView, atRest, placedSamples } from "../web/view/samples.js";

const row = (x) => [x, 0, 0, 0, 1, 0];
const rows = [1, 2, 3, 4, 5].map(row);
const implicit = { on: true, samples: 50, keep: true, leave_out: [], joint: {}, joints: {}, limbs: { Knee: { samples: rows } } };
const motion = { pins: [] };
const recipe = { skin: { method: "linear" }, implicit, muscles: { set: "off" }, volume: { method: "off" }, motion, bake: { fps: 30 } };
const blank = newDocument(recipe);
const doc = { ...blank, character: { key: "k", name: "Fox" }, selected: "Knee", view: { ...blank.view, samples: true } };
const bend = new Matrix4().makeRotationX(1.1).setPosition(3, -1, 2);

/** The document with other samples chosen for its knee. */
const choosing = (samples) => ({ ...doc, recipe: { ...recipe, implicit: withSamples(implicit, "Knee", samples) } });

test("samples are chosen for a limb and forgotten, and the recipe before stays as it was", () => {
  assert.equal(chosenSamples(implicit, "Knee"), rows);
  assert.equal(chosenSamples(implicit, "Hip"), null);
  assert.equal(chosenSamples(implicit, "constructor"), null, "a name is nothing but a name");
  assert.equal(chosenSamples({ ...implicit, limbs: { Hip: { samples: [] } } }, "Hip"), null, "none are as good as no choice");
  const both = withSamples(implicit, "Hip", rows.slice(1));
  assert.deepEqual(Object.keys(both.limbs), ["Knee", "Hip"]);
  assert.deepEqual(withSamples(both, "Hip", null), implicit);
  assert.deepEqual(withSamples(implicit, "Knee", null).limbs, {});
  assert.equal(implicit.limbs.Knee.samples.length, 5);
});

test("one sample goes or comes at a time, as far as a field allows", () => {
  assert.deepEqual(withoutSample(rows, 2).map(([x]) => x), [1, 2, 4, 5]);
  assert.deepEqual(withSample(rows, row(6)).map(([x]) => x), [1, 2, 3, 4, 5, 6]);
  assert.throws(() => withoutSample(rows.slice(0, 4), 0), /at least 4/);
  assert.throws(() => withSample(Array.from({ length: 400 }, () => row(0)), row(1)), /at most 400/);
  assert.equal(rows.length, 5);
});

test("samples are asked for the selected joint while they are shown", () => {
  assert.equal(fieldsRequest(doc).samples, "Knee");
  assert.equal(fieldsRequest({ ...doc, view: blank.view }).samples, null);
  assert.equal(fieldsRequest({ ...doc, selected: null }).samples, null);
});

test("numbers from f32 have as many digits as are significant", () => {
  const [first, second] = readSamples(Float32Array.of(0.1, -0.2, 1234.5678, 0, 1, 0, 1e-3, 2, 3, 0, 0, -1));
  assert.deepEqual(first, [0.1, -0.2, 1234.568, 0, 1, 0]);
  assert.deepEqual(second, [0.001, 2, 3, 0, 0, -1]);
});

test("chosen samples are known before the answer of the engine, found ones are not", () => {
  const found = choosing(null);
  const received = { request: fieldsRequest(found), limb: { samples: rows, motion: bend.toArray() } };
  assert.equal(knownSamples(received, fieldsRequest(found)), received.limb);
  const ahead = knownSamples(received, fieldsRequest(choosing(withoutSample(rows, 2))));
  assert.deepEqual(ahead.samples.map(([x]) => x), [1, 2, 4, 5]);
  assert.equal(ahead.motion, received.limb.motion);
  const back = { request: fieldsRequest(doc), limb: received.limb };
  assert.equal(knownSamples(back, fieldsRequest(found)), null, "the engine has to find them");
  for (const other of [{ time: 1 }, { clip: 3 }, { selected: "Hip" }, { turns: {} }, { character: { key: "other", name: "" } }]) {
    assert.equal(knownSamples(back, fieldsRequest({ ...doc, ...other })), null, JSON.stringify(other));
  }
  const pinned = { ...doc, recipe: { ...recipe, motion: { pins: [] } } };
  assert.equal(knownSamples(back, fieldsRequest(pinned)), null, "an edit of the motion moves the limb");
  assert.equal(knownSamples(null, fieldsRequest(doc)), null);
  assert.equal(knownSamples(back, null), null);
});

test("a place on the bent skin is taken back to rest with its normal", () => {
  const near = (actual, expected) => assert.ok(actual.every((x, k) => Math.abs(x - expected[k]) < 1e-6), `${actual}`);
  const hit = (matrix, point, normal) => ({ point: new Vector3(...point).applyMatrix4(matrix).toArray(), normal });
  const turned = new Vector3(0, 0.6, 0.8).transformDirection(bend);
  near(atRest(hit(bend, [0.2, 0.3, 0.4], turned.toArray()), bend), [0.2, 0.3, 0.4, 0, 0.6, 0.8]);
  // A plane x + y = c that is stretched along x has the normal (1/2, 1, 0).
  const stretch = new Matrix4().makeScale(2, 1, 1);
  const [, , , u, v] = atRest(hit(stretch, [1, 1, 0], [0.5, 1, 0]), stretch);
  near([u, v], [Math.SQRT1_2, Math.SQRT1_2]);
});

test("dots lie above their samples, lines begin there, and both grow with the limb", () => {
  const { dots, lines } = placedSamples(rows);
  const large = placedSamples(rows.map((sample) => sample.map((x, k) => (k < 3 ? 100 * x : x))));
  assert.deepEqual([...lines.slice(0, 3)], [1, 0, 0]);
  assert.ok(dots[1] > 0 && dots[1] < lines[4]);
  assert.ok(Math.abs(large.lines[4] / lines[4] - 100) < 1e-3);
  assert.equal(placedSamples([]).dots.length, 0);
});

test("the dot that is clicked is found where the motion puts it, unless it faces away", () => {
  const view = new SamplesView();
  const toCamera = (x, direction) => [x, 0, 0, 0, 0, direction];
  const shift = new Matrix4().makeTranslation(0, 1, 0).toArray();
  const camera = new PerspectiveCamera(50, 1, 0.1, 100);
  camera.position.set(0, 1, 5);
  camera.updateMatrixWorld();
  const pane = { left: 0, width: 400, height: 400 };
  const pixel = (x) => 200 + (200 * x) / (5 * Math.tan((25 * Math.PI) / 180));
  view.show({ samples: [toCamera(-1, 1), toCamera(1, 1), toCamera(0, -1)], motion: shift });
  assert.equal(view.nearest(camera, pane, pixel(-1), 200), 0);
  assert.equal(view.nearest(camera, pane, pixel(1) + 3, 203), 1);
  assert.equal(view.nearest(camera, pane, pixel(0), 200), -1);
  view.show(null);
  assert.equal(view.nearest(camera, pane, pixel(-1), 200), -1);
});

test("the panel shows the number of samples and their origin", () => {
  assert.match(describeSamples(null, null, null), /Select a joint/);
  assert.match(describeSamples("Tip", null, null), /Tip has no limb/);
  assert.equal(describeSamples("Knee", null, { samples: 50 }), "Knee: 50 samples, found.");
  assert.equal(describeSamples("Knee", 49, undefined), "Knee: 49 samples, chosen.");
  assert.match(describeSamples("Knee", 4, { samples: null }), /4 samples, chosen.*no field/);
});
