import assert from "node:assert/strict";
import { test } from "node:test";
import { limits } from "../web/state/limits.js";
import { schema } from "../web/state/schema.js";

test("a field has the range of its setting", () => {
  assert.deepEqual(limits({ min: -4, max: 4 }), { min: -4, max: 4 });
  assert.deepEqual(limits({ min: 0, max: 1 }), { min: 0, max: 1 });
  assert.deepEqual(limits(schema.CageRecipe.vertices), { min: schema.CageRecipe.vertices.min, max: schema.CageRecipe.vertices.max });
});

test("a field has its own smallest value where a setting may not reach its bound", () => {
  assert.deepEqual(limits({ above: 0, max: 1 }, 0.01), { min: 0.01, max: 1 });
  assert.deepEqual(limits(schema.BakeRecipe.fps, 1), { min: 1, max: schema.BakeRecipe.fps.max });
});
