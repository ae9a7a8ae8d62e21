import assert from "node:assert/strict";
import { test } from "node:test";
import { Color, Matrix4, PerspectiveCamera, Vector3 } from "three";
import { markOf } from "../web/panels/muscles/list.js";
import { activationNow } from "../web/panels/muscles/muscle.js";
import { radiusAt, seriesAt } from "../web/panels/muscles/profile.js";
import { profileChange, profileKey } from "../web/panels/muscles/sketch.js";
import { newDocument } from "../web/state/document.js";
import { frameRequest, framesDiffer } from "../web/state/frame_requests.js";
import { firstValue, knownMuscle, mirroredMuscle, movedPlace, ownChange, partnerOf, withMuscle, withoutMuscle } from "../web/state/muscles.js";
import { MuscleHandles, handlesOf, sharesOf } from "../web/view/muscle_handles.js";
import { MusclesView, repeated } from "../web/view/muscles.js";
import { extended, fit } from "../web/widgets/sketch_pad.js";

const muscles = { set: "humanoid", amount: 1, muscle: { soleus: { width: 1.1 }, "left soleus": { stiffness: 0.3 } } };
const info = {
  name: "left soleus",
  side: "left",
  off: false,
  meshes: [1],
  from: [["shank", 0.1, 0, 0]],
  to: [["foot", -0.2, 0, 0]],
  ends: { from: [{ joint: 0, position: [0, 1, 0] }], to: [{ joint: 1, position: [0, 0, 0] }] },
  radius: 0.1,
  shape: [3, 3, 4, 5],
  series: null,
  activation: null,
  eccentricity: 0.5,
  width: 1.1,
  stiffness: 0.9,
};

test("a muscle has a partner on the other side", () => {
  assert.equal(partnerOf("left soleus"), "right soleus");
  assert.equal(partnerOf("right soleus"), "left soleus");
});

test("keys of a muscle are set and left open, on one side or both, and the recipe before stays as it was", () => {
  const one = withMuscle(muscles, "left soleus", { width: 1.3 }, false);
  assert.deepEqual(one.muscle, { soleus: { width: 1.1 }, "left soleus": { stiffness: 0.3, width: 1.3 } });
  const both = withMuscle(muscles, "left soleus", { activation: 0 }, true);
  assert.deepEqual([both.muscle["left soleus"], both.muscle["right soleus"]], [{ stiffness: 0.3, activation: 0 }, { activation: 0 }]);
  const open = withMuscle(muscles, "left soleus", { stiffness: undefined }, false);
  assert.deepEqual(open.muscle, { soleus: { width: 1.1 } }, "an empty setting is no change");
  assert.deepEqual(ownChange(muscles, "left soleus"), { stiffness: 0.3 });
  assert.equal(ownChange(muscles, "constructor"), undefined, "a name is nothing but a name");
});

test("changes are mirrored, and forgotten", () => {
  const mirrored = mirroredMuscle(muscles, "left soleus");
  assert.deepEqual(mirrored.muscle["right soleus"], { stiffness: 0.3 });
  assert.deepEqual(mirroredMuscle(mirrored, "right gluteus"), mirrored, "nothing is mirrored to nothing");
  assert.deepEqual(withoutMuscle(mirrored, "left soleus", false).muscle, { soleus: { width: 1.1 }, "right soleus": { stiffness: 0.3 } });
  assert.deepEqual(withoutMuscle(mirrored, "left soleus", true).muscle, { soleus: { width: 1.1 } });
});

test("a muscle follows the recipe before the answer of the engine", () => {
  const known = knownMuscle(muscles, info);
  assert.deepEqual([known.stiffness, known.width, known.activation], [0.3, 1.1, null]);
  assert.equal(firstValue([[0, 0.2], [1, 0.8]]), 0.2);
  assert.equal(firstValue(0.4), 0.4);
});

test("the list shows the state of a muscle in a word", () => {
  assert.equal(markOf(info, muscles), "changed");
  assert.equal(markOf(info, { ...muscles, muscle: {} }), "");
  assert.equal(markOf({ ...info, meshes: [] }, muscles), "no place");
  assert.equal(markOf({ ...info, off: true, meshes: [] }, muscles), "left out");
});

test("frames bring muscles while they are shown", () => {
  const doc = newDocument({ skin: { method: "linear" }, implicit: {}, muscles, volume: { method: "off" } });
  const shown = { ...doc, view: { ...doc.view, muscles: "under" } };
  assert.equal(frameRequest(doc, "k").muscles, false);
  assert.equal(frameRequest(shown, "k").muscles, true);
  assert.ok(framesDiffer(doc, shown));
  assert.ok(!framesDiffer(shown, { ...shown, view: { ...shown.view, muscles: "bare" } }), "the skin is hidden by the page");
  assert.ok(!framesDiffer(doc, { ...doc, muscle: "left soleus" }));
});

test("one place of an end moves, within bounds and in few digits", () => {
  const curve = [["chest", 0, 0, 0.1], ["chest", 0, 0, 0.9]];
  assert.deepEqual(movedPlace(curve, 1, [0.1234567, -9, 0.5]), [curve[0], ["chest", 0.12346, -4, 0.5]]);
  assert.deepEqual(curve[1], ["chest", 0, 0, 0.9]);
});

/** Two joints, of which the second is bent and moved. */
const bend = new Matrix4().makeRotationZ(0.8).setPosition(0.3, 0.1, -0.2);
const rest = new Matrix4().makeTranslation(0, -1, 0);
const joints = [new Matrix4(), rest].map((matrix) => ({ rest: matrix.toArray() }));
const matrices = Float32Array.from([...new Matrix4().toArray(), ...bend.clone().multiply(rest).toArray()]);

test("handles stand where joints take the ends, and a point that is seen has its shares back", () => {
  const [origin, insertion] = handlesOf(info, { joints }, matrices);
  assert.deepEqual([origin.end, insertion.end], ["from", "to"]);
  assert.ok(origin.point.distanceTo(new Vector3(0, 1, 0)) < 1e-6);
  assert.ok(insertion.point.distanceTo(new Vector3(0, 0, 0).applyMatrix4(bend)) < 1e-6);
  const frame = new Matrix4().makeScale(0.4, 0.3, -0.3).setPosition(0.1, -0.9, 0);
  const seen = new Vector3(0.2, -0.4, 0.7).applyMatrix4(frame).applyMatrix4(insertion.motion);
  const shares = sharesOf(seen, insertion.motion, frame);
  assert.ok([0.2, -0.4, 0.7].every((share, k) => Math.abs(share - shares[k]) < 1e-6), `${shares}`);
});

const pane = { left: 0, width: 400, height: 400 };
function frontCamera() {
  const camera = new PerspectiveCamera(50, 1, 0.1, 100);
  camera.position.set(0, 0, 5);
  camera.updateMatrixWorld();
  return camera;
}

test("an end that is dragged follows the pointer in the plane of the screen", () => {
  const handles = new MuscleHandles();
  const camera = frontCamera();
  handles.follow(info, { joints }, matrices);
  const pixel = (y) => 200 - (200 * y) / (5 * Math.tan((25 * Math.PI) / 180));
  assert.equal(handles.near(camera, pane, 200, 5), null, "no dot is there");
  handles.held = handles.near(camera, pane, 200, pixel(1));
  assert.equal(handles.held?.end, "from");
  const unit = { joint: 0, from_shares: new Matrix4().makeScale(2, 2, 2).toArray() };
  const moved = handles.drag(camera, pane, 200, pixel(0.5), { segments: [{ shank: unit }, {}] });
  assert.equal(moved.name, "left soleus");
  const [[segment, along, front, out]] = moved.places;
  assert.equal(segment, "shank");
  assert.ok(Math.hypot(along, front - 0.25, out) < 1e-4, `${moved.places}`);
  handles.follow(info, { joints }, matrices);
  assert.ok(Math.abs(handles.points[0].y - 0.5) < 1e-5, "a frame that comes meanwhile does not pull it back");
  handles.held = null;
  handles.follow(null, { joints }, matrices);
  assert.equal(handles.points.length, 0);
});

/** Two muscles that are one triangle each, side by side. */
const musculature = {
  musculature: 3,
  vertices: 3,
  indices: { count: 3 },
  colors: { relaxed: [0.4, 0.1, 0.1], active: [1, 0.3, 0.2] },
  muscles: [{ name: "right soleus", meshes: [0] }, { name: "left soleus", meshes: [1] }],
  payload: { words: () => Uint32Array.of(0, 1, 2) },
};
const corners = [-1.5, -1, 0, -0.5, -1, 0, -1, 1, 0, 0.5, -1, 0, 1.5, -1, 0, 1, 1, 0];
const frame = {
  muscles: { musculature: 3, activations: "activations", shape: { positions: "positions", normals: "normals" } },
  payload: {
    floats: (name) => ({ activations: Float32Array.of(0, 1), positions: Float32Array.from(corners), normals: Float32Array.from(corners) })[name],
  },
};

test("muscles are as bright as they are active, the selected one has the accent, and a click finds one", () => {
  const view = new MusclesView(new Color(0, 1, 0));
  view.show(frame);
  assert.equal(view.isShown, false, "muscles without a description");
  view.know(musculature);
  view.show(frame);
  assert.equal(view.isShown, true);
  const colorOf = (mesh) => [...view.object.geometry.getAttribute("color").array.slice(9 * mesh, 9 * mesh + 3)];
  const near = (actual, expected) => assert.ok(actual.every((x, k) => Math.abs(x - expected[k]) < 1e-6), `${actual}`);
  near(colorOf(0), musculature.colors.relaxed);
  near(colorOf(1), musculature.colors.active);
  view.mark("right soleus");
  assert.ok(colorOf(0)[1] > 0.5);
  near(colorOf(1), musculature.colors.active);

  const camera = frontCamera();
  const pixel = (x) => 200 + (200 * x) / (5 * Math.tan((25 * Math.PI) / 180));
  assert.equal(view.at(camera, pane, pixel(1), 210), "left soleus");
  assert.equal(view.at(camera, pane, pixel(-1), 210), "right soleus");
  assert.equal(view.at(camera, pane, pixel(0), 210), null);
  assert.equal(view.find("left soleus"), musculature.muscles[1]);
  view.show({ ...frame, muscles: { ...frame.muscles, shape: null } });
  assert.equal(view.at(camera, pane, pixel(1), 210), null);
  assert.equal(view.find("left soleus"), undefined);
});

test("triangles of several meshes are those of one, moved on", () => {
  assert.deepEqual([...repeated(Uint32Array.of(0, 2, 1), 4, 3)], [0, 2, 1, 4, 6, 5, 8, 10, 9]);
});

test("the shown activation is that of the most active fibre", () => {
  assert.equal(activationNow(frame, { meshes: [0, 1] }), "100 %");
  assert.equal(activationNow(frame, { meshes: [] }), "–");
  assert.equal(activationNow(null, info), "–");
});

test("every profile has the same volume", () => {
  const steps = 2000;
  for (const [alpha, beta] of [[2, 2], [3, 5], [9, 2], [9, 9]]) {
    let sum = 0;
    for (let k = 0; k < steps; k += 1) sum += radiusAt(alpha, beta, (k + 0.5) / steps) ** 2 / steps;
    assert.ok(Math.abs(sum - 1) < 1e-5, `${alpha}, ${beta}: ${sum}`);
  }
});

test("a series has the same volume as any other profile, whatever its scale", () => {
  const steps = 2000;
  for (const series of [[1], [1, 0, 0.6], [20, -3, 4, 1]]) {
    let sum = 0;
    for (let k = 0; k < steps; k += 1) sum += seriesAt(series, (k + 0.5) / steps) ** 2 / steps;
    assert.ok(Math.abs(sum - 1) < 1e-5, `${series}: ${sum}`);
  }
});

test("a profile that is fitted takes the place of the one before, whatever that was", () => {
  const drawn = withMuscle(muscles, "left soleus", profileChange({ shape: null, series: [1, 0, 0.6] }), false);
  assert.deepEqual(drawn.muscle["left soleus"], { stiffness: 0.3, series: [1, 0, 0.6] });
  assert.deepEqual(knownMuscle(drawn, info).series, [1, 0, 0.6]);
  const again = withMuscle(drawn, "left soleus", profileChange({ shape: [3, 4, 3, 4], series: null }), false);
  assert.deepEqual(again.muscle["left soleus"], { stiffness: 0.3, shape: [3, 4, 3, 4] });
  assert.equal(knownMuscle(again, { ...info, series: [1, 0, 0.6] }).series, null, "the engine still sends the series");
  const fromFile = { ...muscles, muscle: { "left soleus": { sketch: "a.svg" } } };
  assert.deepEqual(withMuscle(fromFile, "left soleus", profileChange({ shape: [3, 4, 3, 4], series: null }), false).muscle["left soleus"], { shape: [3, 4, 3, 4] });
});

test("a drawing belongs to a muscle of either side with its profile", () => {
  const shape = [3, 4, 3, 4];
  assert.equal(profileKey("left soleus", { shape }), profileKey("right soleus", { shape, series: null }));
  assert.notEqual(profileKey("left soleus", { shape }), profileKey("left soleus", { shape: [3, 5, 3, 5] }));
  assert.notEqual(profileKey("left soleus", { shape }), profileKey("left soleus", { shape, series: [1] }));
  assert.notEqual(profileKey("left soleus", { shape }), profileKey("left gluteus", { shape }));
});

test("a stroke grows by corners that are apart, and drawings of any size fit the sheet", () => {
  assert.deepEqual(extended([[10, 10]], [10.5, 10]), [[10, 10]]);
  assert.deepEqual(extended([[10, 10]], [14, 10]), [[10, 10], [14, 10]]);
  const stroke = [[20, 60], [220, 40], [220, 80]];
  assert.deepEqual(stroke.map(fit(stroke)), stroke, "what was drawn on the sheet stays where it was drawn");
  for (const [x, y, size] of [[-500, 3000, 1000], [0, 0, 0.01]]) {
    const placed = [[x, y], [x + size, y + size / 4], [x, y + size / 2]];
    const onSheet = placed.map(fit(placed));
    assert.ok(onSheet.every(([a, b]) => a >= 0 && a <= 240 && b >= 0 && b <= 120), `${onSheet}`);
    assert.ok(Math.abs(onSheet[1][0] - onSheet[0][0] - 2 * (onSheet[2][1] - onSheet[0][1])) < 1e-6, "proportions stay");
  }
});
