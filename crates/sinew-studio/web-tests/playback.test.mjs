import assert from "node:assert/strict";
import { test } from "node:test";
import { newDocument } from "../web/state/document.js";
import { Playback } from "../web/state/playback.js";
import { Store } from "../web/state/store.js";

const recipe = { skin: { method: "linear" }, flesh: { fineness: "off" }, volume: { method: "off" }, bake: { fps: 10 } };
const clips = [{ name: "walk", start: 1, end: 3 }];
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** An engine that answers on demand, and a screen that is drawn on demand. */
function setUp() {
  const asked = [];
  const shown = [];
  const pictures = [];
  globalThis.requestAnimationFrame = (draw) => pictures.push(draw);
  const engine = {
    status: "ready",
    request: (_, fields) => new Promise((resolve, reject) => asked.push({ ...fields, resolve, reject })),
  };
  const store = new Store({ ...newDocument(recipe), character: { key: "k", name: "K" }, clip: 0, time: 1 });
  const playback = new Playback(store, engine, (frame) => shown.push(frame), () => {}, () => {});
  playback.setCharacter("k", clips);
  const picture = (milliseconds) => pictures.shift()?.(milliseconds);
  const answer = async () => {
    const { time, resolve } = asked.shift();
    resolve({ key: "k", seconds: time });
    await settle();
  };
  return { store, playback, asked, shown, picture, answer };
}

test("a change of the document asks once, and never more than two at a time", async () => {
  const { store, asked, shown, answer } = setUp();
  assert.equal(asked.length, 1);
  for (const time of [1.1, 1.2, 1.3, 1.4]) store.touch((doc) => ({ ...doc, time }));
  assert.deepEqual(asked.map(({ time }) => time), [1, 1.1]);
  await answer();
  assert.deepEqual(asked.map(({ time }) => time), [1.1, 1.4], "the newest moment follows, those between are skipped");
  await answer();
  await answer();
  assert.deepEqual([asked.length, shown.length], [0, 3]);
  store.touch((doc) => ({ ...doc, camera: { position: [0, 0, 1], target: [0, 0, 0] } }));
  store.change("select", (doc) => ({ ...doc, selected: "A" }));
  assert.equal(asked.length, 0, "what the engine need not know is not asked");
});

test("playing loops, or stops at the end", async () => {
  const { store, playback, picture } = setUp();
  const start = performance.now();
  store.touch((doc) => ({ ...doc, time: 2.9 }));
  playback.play();
  picture(start + 200);
  assert.ok(playback.playing && store.state.time >= 1 && store.state.time < 1.2, `${store.state.time}`);
  playback.pause();
  picture(start + 220);
  store.touch((doc) => ({ ...doc, time: 2.9, playing: { loop: false, speed: 1 } }));
  playback.play();
  picture(performance.now() + 240);
  assert.deepEqual([playback.playing, store.state.time], [false, 3]);
});

test("steps go from frame to frame and stay in the clip", () => {
  const { store, playback } = setUp();
  store.touch((doc) => ({ ...doc, time: 1.234 }));
  playback.step(1);
  assert.ok(Math.abs(store.state.time - 1.3) < 1e-12);
  playback.step(-5);
  assert.equal(store.state.time, 1);
  playback.seek(Infinity);
  assert.equal(store.state.time, 3);
});

test("a frame of another character is not shown", async () => {
  const { playback, asked, shown } = setUp();
  playback.setCharacter("other", clips);
  asked[0].resolve({ key: "k" });
  await settle();
  assert.equal(shown.length, 0);
});
