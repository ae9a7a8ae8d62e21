import assert from "node:assert/strict";
import { test } from "node:test";
import { newDocument } from "../web/state/document.js";
import { Store } from "../web/state/store.js";

const doc = () => newDocument({ skin: { method: "linear" }, volume: { method: "off" }, bake: { fps: 30 } });
const select = (selected) => (state) => ({ ...state, selected });

test("what was done is undone and done again, with its label", () => {
  const store = new Store(doc());
  store.change("select A", select("A"));
  store.change("select B", select("B"));
  assert.equal(store.canUndo, "select B");
  store.undo();
  assert.deepEqual([store.state.selected, store.canUndo, store.canRedo], ["A", "select A", "select B"]);
  store.redo();
  assert.deepEqual([store.state.selected, store.canRedo], ["B", null]);
  store.undo();
  store.change("select C", select("C"));
  assert.equal(store.canRedo, null, "a new edit leaves nothing to redo");
});

test("a gesture is one step until it is sealed or another begins", () => {
  const store = new Store(doc());
  const turn = (angle) => store.change("rotate A", (state) => ({ ...state, turns: { A: [0, 0, angle, 1] } }), "rotate A");
  turn(0.1);
  turn(0.2);
  store.seal();
  turn(0.3);
  store.change("select A", select("A"));
  turn(0.4);
  const seen = [];
  while (store.canUndo) {
    store.undo();
    seen.push([store.state.turns.A?.[2], store.state.selected]);
  }
  assert.deepEqual(seen, [[0.3, "A"], [0.3, null], [0.2, null], [undefined, null]]);
});

test("time and camera stay where they are when something else is undone", () => {
  const store = new Store(doc());
  store.change("select A", select("A"));
  store.touch((state) => ({ ...state, time: 2 }));
  store.undo();
  assert.deepEqual([store.state.selected, store.state.time, store.canUndo], [null, 2, null]);
  store.redo();
  assert.deepEqual([store.state.selected, store.state.time], ["A", 2]);
});

test("an edit that changes nothing is no step and notifies no listener", () => {
  const store = new Store(doc());
  let calls = 0;
  store.subscribe(() => calls++);
  store.change("nothing", (state) => state);
  store.change("nothing", (state) => ({ ...state }));
  store.touch((state) => state);
  assert.deepEqual([store.canUndo, calls], [null, 0]);
});

test("the number of steps is bounded", () => {
  const store = new Store(doc());
  for (let step = 0; step < 500; step++) store.change(`step ${step}`, select(String(step)));
  let undone = 0;
  for (; store.canUndo; undone++) store.undo();
  assert.equal(undone, 200);
});
