import assert from "node:assert/strict";
import { test } from "node:test";
import { characters } from "./support/files.mjs";
import { difference } from "./support/png.mjs";
import { StaticPage } from "./support/static.mjs";
import { eventually, studioForTests } from "./support/studio.mjs";

const studio = studioForTests(() => StaticPage.start());

test("a page without a program keeps the volume of the demo, and plays it", async (t) => {
  const visit = await studio.visit(t);
  const { page } = visit;
  await visit.closeHint();
  const before = await visit.picture();
  await eventually("linear skin loses volume", async () => (await visit.percent("Finished volume")) < 99.9);
  await page.getByRole("switch", { name: "Keep volume", exact: true }).check();
  await eventually("all of the volume", async () => Math.abs((await visit.percent("Finished volume")) - 100) < 0.01);
  await eventually("another skin", async () => difference(before, await visit.picture("a page without a program"), 8) > 50);
  const time = page.getByRole("spinbutton", { name: "Time" });
  const start = await time.inputValue();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await eventually("time goes on", async () => (await time.inputValue()) !== start, 60_000);
  visit.assertNoProblems();
});

test("a page without a program opens a person's own character", async (t) => {
  const visit = await studio.visit(t);
  await visit.openCharacter(characters().find((path) => path.endsWith("CesiumMan.glb")));
  await visit.unfold("Character");
  assert.match(await visit.fact("Vertices"), /3.?273/);
  visit.assertNoProblems();
});
