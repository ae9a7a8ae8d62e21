import assert from "node:assert/strict";
import { test } from "node:test";
import { Quaternion, Vector3 } from "three";
import { describe } from "../web/panels/cage/handles.js";
import { describe as describeLimits } from "../web/panels/cage/limits.js";
import { inFigures } from "../web/panels/cage/readout.js";
import { inRows } from "../web/panels/cage/report.js";
import {
  cageDrive,
  cageKey,
  forAnotherCharacter,
  freshLabel,
  handleInHand,
  heldPlace,
  isByHandles,
  limbEnds,
  newCage,
  placeAtRest,
  rangeOf,
  soundCage,
  soundCageRecipe,
  withCage,
  withCageRecipe,
  withHeld,
  withLabel,
  withLimit,
  withMarker,
  withoutHeld,
  withoutLimits,
  withoutMarker,
} from "../web/state/cage.js";
import { newDocument } from "../web/state/document.js";
import { framesDiffer } from "../web/state/frame_requests.js";
import { edgesOf, shrunkenTetrahedra, uncut } from "../web/view/cage.js";
import { cone, direction, hasCone, twistOf } from "../web/view/cones.js";

const recipe = { cage: { vertices: 600, offset: 0.006, joint_detail: 1.6, pull: 100, limits: {}, markers: {} } };
const blank = { ...newDocument(recipe), character: { key: "fox", name: "Fox" } };
const doc = withCage(blank, { on: true });
const free = [-180, 180];

test("a cage is made from the character, its numbers and its markers, and from nothing else", () => {
  assert.equal(cageKey(blank), null, "nobody asked for one");
  assert.equal(cageKey({ ...doc, character: null }), null);
  const key = cageKey(doc);
  const same = [withCage(doc, { follow: false }), withLimit(doc, "Knee", "bend", 1, 90), withHeld(doc, { kind: "joints", name: "Knee" }, [0, 0, 0])];
  for (const other of same) assert.equal(cageKey(other), key);
  const others = [
    withCageRecipe(doc, { vertices: 601 }),
    withCageRecipe(doc, { offset: 0.01 }),
    withMarker(doc, "M1", [0, 1, 0]),
    { ...doc, character: { key: "hen", name: "Hen" } },
  ];
  assert.equal(new Set([key, ...others.map(cageKey)]).size, others.length + 1);
});

test("a frame is moved by the cage while the mesh follows one, and asked again when that changes", () => {
  assert.equal(cageDrive(blank), null);
  assert.equal(cageDrive(withCage(doc, { follow: false })), null);
  assert.deepEqual(cageDrive(doc), { by: "pose", joints: {}, markers: {}, limits: true });
  const held = withHeld(withCage(doc, { by: "handles" }), { kind: "joints", name: "Knee" }, [1, 2, 3]);
  assert.deepEqual(cageDrive(held).joints, { Knee: [1, 2, 3] });
  assert.ok(framesDiffer(doc, held) && !framesDiffer(doc, { ...doc, selected: "Knee" }));
  assert.ok(isByHandles(held) && !isByHandles(doc) && !isByHandles(withCage(held, { on: false })));
  const fresh = forAnotherCharacter(withCage(held, { show: { ...held.cage.show, cones: true } }).cage);
  assert.deepEqual([fresh.on, fresh.joints, fresh.show.cones], [false, {}, true]);
});

test("a marker is placed on the triangle that was clicked, as that is at rest", () => {
  const rest = Float32Array.of(0, 0, 0, 4, 0, 0, 0, 8, 0, 9, 9, 9);
  const hit = { point: [5, 5, 5], normal: [0, 0, 1], corners: [0, 1, 2], shares: [0.25, 0.5, 0.25] };
  assert.deepEqual(placeAtRest(hit, rest), [2, 2, 0]);
  assert.deepEqual(placeAtRest({ ...hit, shares: [1 / 3, 1 / 3, 1 / 3] }, rest), [1.333333, 2.666667, 0], "as many digits as f32 has");
});

test("markers get labels of their own, are named, taken in hand, and taken off", () => {
  const one = withMarker(doc, freshLabel(doc.recipe.cage), [0, 1, 0]);
  const two = withMarker(one, freshLabel(one.recipe.cage), [0, 2, 0]);
  assert.deepEqual(Object.keys(two.recipe.cage.markers), ["M1", "M2"]);
  assert.deepEqual(handleInHand({ ...two, selected: "Knee" }), { kind: "markers", name: "M2" });
  const dragged = withHeld(two, { kind: "markers", name: "M2" }, [0, 3, 0]);
  const named = withLabel(dragged, "M2", "NOSE");
  assert.deepEqual(named.recipe.cage.markers, { M1: { position: [0, 1, 0] }, NOSE: { position: [0, 2, 0] } });
  assert.deepEqual(heldPlace(named, { kind: "markers", name: "NOSE" }), [0, 3, 0]);
  assert.equal(named.cage.marker, "NOSE");
  assert.throws(() => withLabel(named, "NOSE", "M1"), /already/);
  assert.throws(() => withLabel(named, "NOSE", ""), /needs a name/);
  assert.equal(withLabel(named, "NOSE", "NOSE"), named);
  const gone = withoutMarker(named, "NOSE");
  assert.deepEqual([Object.keys(gone.recipe.cage.markers), gone.cage.markers, gone.cage.marker], [["M1"], {}, null]);
  assert.equal(freshLabel(gone.recipe.cage), "M2");
  assert.deepEqual(Object.keys(doc.recipe.cage.markers), [], "the document before is as it was");
});

test("a joint is in hand where no marker is, held, and let go", () => {
  assert.equal(handleInHand(doc), null);
  const handle = handleInHand({ ...doc, selected: "Knee" });
  assert.deepEqual(handle, { kind: "joints", name: "Knee" });
  assert.deepEqual(handleInHand({ ...withCage(doc, { marker: "gone" }), selected: "Knee" }), handle, "a marker that is no more is in no hand");
  const held = withHeld(doc, handle, [1, 0, 0]);
  assert.deepEqual(heldPlace(held, handle), [1, 0, 0]);
  assert.equal(heldPlace(held, { kind: "joints", name: "constructor" }), undefined, "a name is nothing but a name");
  assert.equal(heldPlace(withoutHeld(held, handle), handle), undefined);
  assert.match(describe(doc), /handles/);
  const byHandles = withCage(doc, { by: "handles" });
  assert.match(describe(byHandles), /Select a joint/);
  assert.match(describe({ ...byHandles, selected: "Knee" }), /single handle/);
  assert.equal(describe({ ...withHeld(withHeld(byHandles, handle, [0, 0, 0]), { kind: "joints", name: "Hip" }, [0, 1, 0]), selected: "Knee" }), "");
});

test("limbs end at hands and feet, not at fingers", () => {
  const joint = (parent, x, y, tip = null) => ({ joint: true, parent, tip, rest: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, 0, 1] });
  const node = { ...joint(-1, 0, 0), joint: false };
  const joints = [node, joint(0, 0, 1), joint(1, 0, 1.6), joint(1, 0.4, 1.5), joint(3, 0.7, 1.5), joint(4, 0.74, 1.5), joint(5, 0.76, 1.5), joint(1, 0.1, 0)];
  assert.deepEqual(limbEnds(joints), [1, 2, 4, 7]);
  const head = joint(2, 0, 1.65, [0, 0.2, 0]);
  assert.deepEqual(limbEnds([...joints, head]), [1, 4, 7, 8], "a head ends at the joint that has its tip");
  assert.deepEqual(limbEnds([]), []);
});

test("limits are set end by end, and a joint that is free has none", () => {
  assert.deepEqual(rangeOf(doc.recipe.cage, "Knee"), { twist: free, bend: free, sideways: free });
  assert.deepEqual(rangeOf(doc.recipe.cage, "constructor").bend, free);
  const limited = withLimit(withLimit(doc, "Knee", "bend", 0, 0), "Knee", "bend", 1, 140);
  assert.deepEqual(limited.recipe.cage.limits, { Knee: { twist: free, bend: [0, 140], sideways: free } });
  assert.equal(limited.recipe.cage.pull, 100, "what the page does not know stays");
  const back = withLimit(withLimit(limited, "Knee", "bend", 0, -180), "Knee", "bend", 1, 180);
  assert.deepEqual(back.recipe.cage.limits, {});
  assert.deepEqual(withoutLimits(limited, "Knee").recipe.cage.limits, {});
  assert.match(describeLimits(null, new Set(), 0), /No joint is limited yet. Select one/);
  assert.match(describeLimits("Hips", new Set(["Knee"]), 1), /1 joint is limited. No bone of Hips/);
  assert.match(describeLimits("Knee", new Set(["Knee"]), 2), /2 joints are limited. Knee, from rest/);
});

test("a link brings only what can be shown", () => {
  const wrong = { ...newCage(), by: "wind", joints: { Knee: [0, 1, 2], Hip: [0, "x", 0] }, markers: { M1: [1] }, marker: 7 };
  const sound = soundCage({ ...wrong, show: { ...wrong.show, cut: { axis: "w", share: 0.5 } } });
  assert.deepEqual([sound.by, sound.joints, sound.markers, sound.marker, sound.show.cut.axis], ["pose", { Knee: [0, 1, 2] }, {}, null, "z"]);
  const range = { twist: free, bend: [0, 9], sideways: free };
  const cage = soundCageRecipe({ ...recipe.cage, limits: { Knee: range, Hip: { bend: 3 } }, markers: { A: { vertex: 3 }, B: 4 } });
  assert.deepEqual([cage.limits, cage.markers], [{ Knee: range }, { A: { vertex: 3 } }]);
});

/** A tetrahedron of positive volume, and one beyond it along x. */
const rest = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 3, 0, 0);
const tetrahedra = Uint32Array.of(0, 1, 2, 3, 1, 4, 2, 3);

test("every edge of a closed surface is drawn once", () => {
  const edges = edgesOf(Uint32Array.of(0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2));
  const pairs = Array.from({ length: edges.length / 2 }, (_, k) => `${edges[2 * k]}-${edges[2 * k + 1]}`);
  assert.deepEqual(pairs.sort(), ["0-1", "0-2", "0-3", "1-2", "1-3", "2-3"]);
});

test("a cut leaves out what is beyond it", () => {
  assert.deepEqual([...uncut({ rest, tetrahedra }, { axis: "x", share: 1 })], [...tetrahedra]);
  assert.deepEqual([...uncut({ rest, tetrahedra }, { axis: "x", share: 0.2 })], [0, 1, 2, 3]);
  assert.equal(uncut({ rest, tetrahedra }, { axis: "x", share: 0 }).length, 0);
});

test("tetrahedra are shrunken towards their middles and face outwards", () => {
  const corners = shrunkenTetrahedra(rest, tetrahedra.subarray(0, 4));
  assert.equal(corners.length, 36);
  const middle = new Vector3(0.25, 0.25, 0.25);
  const at = (corner) => new Vector3().fromArray(corners, 3 * corner);
  let volume = 0;
  for (let face = 0; face < 12; face += 3) {
    const [a, b, c] = [at(face), at(face + 1), at(face + 2)];
    const normal = b.clone().sub(a).cross(c.clone().sub(a));
    assert.ok(normal.dot(a.clone().sub(middle)) > 0);
    volume += a.dot(b.clone().cross(c)) / 6;
  }
  assert.ok(Math.abs(volume - 0.86 ** 3 / 6) < 1e-6, `${volume}`);
});

test("a bend is a turn about −z, and a cone has just the directions of its range", () => {
  const near = (a, b) => assert.ok(a.distanceTo(b) < 1e-9, `${a.toArray()}`);
  near(direction(0, 0), new Vector3(1, 0, 0));
  near(direction(90, 0), new Vector3(0, -1, 0));
  near(direction(0, 90), new Vector3(0, 0, -1));
  assert.ok(!hasCone({ twist: [0, 0], bend: free, sideways: free }) && hasCone({ twist: free, bend: [0, 90], sideways: free }));
  const { sides, edge } = cone({ twist: free, bend: [-10, 60], sideways: [-20, 20] });
  const angles = sides.filter((place) => place.length() > 0).map(({ x, y }) => (Math.atan2(-y, x) * 180) / Math.PI);
  assert.ok(Math.min(...angles) > -12 && Math.max(...angles) < 66, `${Math.min(...angles)} ${Math.max(...angles)}`);
  assert.ok(sides.every((place) => place.length() === 0 || Math.abs(place.length() - 1) < 1e-9));
  assert.equal(edge.filter((place) => place.length() === 0).length, 4, "a line to each corner");
});

test("the twist of a turn is what its swing comes after", () => {
  const swing = new Quaternion().setFromAxisAngle(new Vector3(0, 0.6, 0.8), 0.7);
  for (const twist of [-3, -0.4, 0, 1.2, 3]) {
    const turn = swing.clone().multiply(new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), twist));
    assert.ok(Math.abs(twistOf(turn) - twist) < 1e-9, `${twistOf(turn)}`);
  }
});

test("figures and rows as people read them", () => {
  assert.deepEqual(inFigures(null, 1), { volume: "–", missed: "–", inverted: "–" });
  const outcome = { volume_error: 0.0123, handle_error: 0.021, inverted: 0 };
  assert.deepEqual(inFigures(outcome, 1), { volume: "+1.23 %", missed: "2.1 cm", inverted: "0" });
  const report = {
    cage_vertices: 600, cage_triangles: 1196, control_vertices: 1234, tetrahedra: 5678,
    mean_quality: 0.7123, least_quality: 0.1004, slivers: 0, volume_share: null, milliseconds: [600, 650],
  };
  const rows = Object.fromEntries(inRows(report).map(([name, value]) => [name, value]));
  assert.equal(rows.Inside, "5\u202f678 tetrahedra of 1\u202f234 vertices");
  assert.equal(rows.Quality, "0.71 mean, 0.100 least");
  assert.equal(rows["Built in"], "1.25 s");
  assert.equal(rows.Volume, undefined, "an open mesh has none");
  assert.equal(inRows({ ...report, volume_share: 1.234 }).find(([name]) => name === "Volume")[1], "1.23 × the mesh's");
});
