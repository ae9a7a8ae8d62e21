import assert from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import { test } from "node:test";
import { fromHash, toHash } from "../web/state/address.js";
import { newDocument } from "../web/state/document.js";

const recipe = {
  skin: { method: "linear" },
  implicit: { on: false, samples: 50, leave_out: [], joint: {}, joints: {}, limbs: {} },
  muscles: { set: "off", amount: 1, muscle: {} },
  volume: { method: "off", target: 1, profile: {}, joints: {}, leave_out: [], refine: { steps: 0, threshold: 0.1 } },
  motion: { keep_contacts: true, stay: 0.05, free_start: false, free_end: false, pins: [], limits: {} },
  cage: { vertices: 600, offset: 0.006, joint_detail: 1.6, limits: {}, markers: {} },
  bake: { fps: 30 },
};
const defaults = newDocument(recipe);
const written = (value) => `#v1=${deflateRawSync(JSON.stringify(value)).toString("base64url")}`;

test("a link restores the document, and contains only the difference", async () => {
  const doc = {
    ...defaults,
    character: { key: "k", name: "Fox" },
    clip: 2,
    time: 0.75,
    turns: { "Ärmel.L": [0, 0.5, 0, 0.866] },
    selected: "Ärmel.L",
    muscle: "left soleus",
    recipe: { ...recipe, cage: { ...recipe.cage, markers: { NOSE: { position: [0, 1, 2] } } }, muscles: { ...recipe.muscles, set: "humanoid", stiffness: 0.3, muscle: { "left soleus": { from: [["shank", 0, 0.1, 0]] } } }, implicit: { ...recipe.implicit, limbs: { "Ärmel.L": { samples: [[0, 1, 2, 0, 0, 1]] } } }, volume: { ...recipe.volume, method: "exact", target: [[0, 1], [1, 1.2]], joints: { A: { kind: "curves", along: [[0, 1]] } } }, motion: { ...recipe.motion, range: [3, 40], pins: [{ joint: "Foot", frame: 9, position: [0, 1, 2] }] } },
    cage: { ...defaults.cage, on: true, by: "handles", joints: { Foot: [0, 1, 2] }, marker: "NOSE" },
    view: { ...defaults.view, color: "weight" },
    compare: { mode: "wipe", with: "pinned", pinned: recipe, wipe: 0.25 },
    camera: { position: [1, 2, 3], target: [0, 1, 0] },
  };
  const hash = await toHash(doc, defaults);
  assert.match(hash, /^#v1=[\w-]+$/);
  assert.deepEqual(await fromHash(hash, defaults), doc);
  assert.equal(await toHash(defaults, defaults), "");
  const short = await toHash({ ...defaults, time: 1 }, defaults);
  assert.ok(short.length < 24, short);
});

test("an address without content is no document", async () => {
  assert.equal(await fromHash("", defaults), null);
  assert.equal(await fromHash("#section", defaults), null);
});

test("what is not ours is refused, and what is wrong in it left aside", async () => {
  await assert.rejects(fromHash("#v1=@@@", defaults));
  await assert.rejects(fromHash("#v1=AAAA", defaults));
  const wrong = {
    time: "soon",
    clip: 1.5,
    selected: 7,
    muscle: ["soleus"],
    character: { key: 1 },
    camera: { position: [1, 2, null], target: [0, 0, 0] },
    turns: { A: [0, 0, 0, 1], B: "left" },
    recipe: { skin: 3, implicit: { limbs: { A: 1, B: { samples: [[0, 1, 2]] }, C: { samples: "many" } } }, bake: { fps: 60 }, motion: { range: [1, -2], pins: [7, { joint: "A", frame: 1, position: [0, 0] }] } },
    view: [],
    unheard: { of: true },
  };
  assert.deepEqual(await fromHash(written(wrong), defaults), { ...defaults, turns: { A: [0, 0, 0, 1] }, recipe: { ...recipe, bake: { fps: 60 } } });
});

test("a link cannot reach an object's prototype", async () => {
  const text = '{"turns":{"__proto__":[0,0,0,1]},"__proto__":{"polluted":1},"recipe":{"__proto__":{"polluted":1}}}';
  await fromHash(`#v1=${deflateRawSync(text).toString("base64url")}`, defaults);
  assert.equal({}.polluted, undefined);
});
