import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsRequest, isSame } from "../web/panels/implicit/fields.js";
import { describe } from "../web/panels/implicit/joint.js";
import { inCells } from "../web/panels/implicit/limbs.js";
import { inFigures } from "../web/panels/implicit/readout.js";
import { comparedRecipe, newDocument, recipeInWords } from "../web/state/document.js";
import { jointField, withJointField, withoutJointField } from "../web/state/implicit.js";
import { rampColor } from "../web/view/colors.js";
import { coloredLines } from "../web/view/field.js";

const otherwise = { operator: "contact", controller: "sharp", amount: 1 };
const implicit = { on: true, samples: 50, keep: true, leave_out: [], joint: { amount: 0.5 }, joints: { Knee: { operator: "bulge" } }, limbs: {} };
const recipe = { skin: { method: "dual-quaternion" }, implicit, flesh: { fineness: "interactive" }, muscles: { set: "humanoid" }, volume: { method: "exact" }, bake: { fps: 30 } };
const doc = { ...newDocument(recipe), character: { key: "k", name: "Fox" } };

test("a joint has its own settings before those of all others, and the engine's last", () => {
  const { curve: _, ...knee } = jointField(implicit, "Knee", otherwise);
  assert.deepEqual(knee, { operator: "bulge", controller: "sharp", amount: 0.5 });
  assert.equal(jointField(implicit, "Elbow", otherwise).operator, "contact");
  assert.equal(jointField(implicit, null, otherwise).amount, 0.5);
  assert.equal(jointField(implicit, "constructor", otherwise).operator, "contact", "a name is nothing but a name");
});

test("settings are given to a joint and taken from it, and the recipe before stays as it was", () => {
  const given = withJointField(implicit, "Elbow", { operator: "union" });
  assert.deepEqual(given.joints, { Knee: { operator: "bulge" }, Elbow: { operator: "union" } });
  assert.deepEqual(withJointField(given, "Elbow", { amount: 0 }).joints.Elbow, { operator: "union", amount: 0 });
  assert.deepEqual(withoutJointField(given, "Elbow"), implicit);
  assert.deepEqual(withJointField(implicit, null, { controller: "wide" }).joint, { amount: 0.5, controller: "wide" });
  assert.deepEqual(Object.keys(implicit.joints), ["Knee"]);
});

test("a controller by a curve always has one", () => {
  const first = withJointField(implicit, null, { controller: "curve" });
  assert.ok(first.joint.curve.length >= 2);
  const own = [[10, 0], [170, 1]];
  const common = withJointField(first, null, { curve: own });
  assert.deepEqual(withJointField(common, "Knee", { controller: "curve" }).joints.Knee.curve, own);
});

test("fields are asked for what is seen, and not where there are none", () => {
  const request = fieldsRequest({ ...doc, selected: "Knee" });
  assert.deepEqual([request.surface, request.cut], [false, null]);
  const drawn = fieldsRequest({ ...doc, selected: "Knee", view: { ...doc.view, field: true, contours: true } });
  assert.deepEqual([drawn.surface, drawn.cut], [true, "Knee"]);
  const off = { ...recipe, implicit: { ...implicit, on: false } };
  assert.equal(fieldsRequest({ ...doc, recipe: off }), null);
  assert.equal(fieldsRequest({ ...doc, character: null }), null);
  assert.ok(isSame(request, fieldsRequest({ ...doc, selected: "Hip", camera: { position: [0, 0, 0], target: [1, 0, 0] } })));
  assert.ok(!isSame(request, fieldsRequest({ ...doc, time: 1 })) && !isSame(request, null) && isSame(null, null));
});

test("a skin that is compared with is the skin alone, and captions name the stages", () => {
  const beside = comparedRecipe({ ...doc, compare: { ...doc.compare, mode: "side", with: "skin" } });
  assert.equal(recipeInWords(beside), "dual quaternion skin");
  assert.equal(recipeInWords(recipe), "dual quaternion skin + implicit + flesh + muscles + exact volume");
});

test("figures and tables as people read them", () => {
  assert.deepEqual(inFigures(null), { moved: "–", touching: "–" });
  assert.deepEqual(inFigures({ moved: 0, touching: 0 }), { moved: "0", touching: "0" });
  assert.deepEqual(inFigures({ moved: 1234, touching: 56 }), { moved: "1\u202f234", touching: "56" });
  assert.deepEqual(inCells({ samples: 50, fit: 0.0123, has_joint: true }), ["50", "1.2 %", "yes"]);
  assert.deepEqual(inCells({ samples: null, fit: 0, has_joint: false }), ["no field", "–", "–"]);
  assert.match(describe(false, null, false), /Select a joint/);
  assert.match(describe(true, "Knee", false), /for Knee alone/);
  assert.match(describe(false, "Knee", true), /does not follow/);
});

test("every end of a contour's segments has the colour of its level", () => {
  const lines = [
    { level: 0.1, segments: Float32Array.of(1, 2, 3, 4, 5, 6) },
    { level: 0.9, segments: Float32Array.of(7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18) },
  ];
  const { places, colors } = coloredLines(lines);
  assert.deepEqual([...places], Array.from({ length: 18 }, (_, k) => k + 1));
  const colorAt = (end) => [...colors.slice(3 * end, 3 * end + 3)];
  const expected = (level) => [...Float32Array.from(rampColor("field", level))];
  assert.deepEqual([colorAt(0), colorAt(1), colorAt(2), colorAt(5)], [0.1, 0.1, 0.9, 0.9].map(expected));
  assert.notDeepEqual(expected(0.1), expected(0.9));
});
