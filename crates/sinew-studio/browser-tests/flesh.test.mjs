import assert from "node:assert/strict";
import { test } from "node:test";
import { difference } from "./support/png.mjs";
import { eventually, studioForTests } from "./support/studio.mjs";

const studio = studioForTests();
/** Flesh of the demo takes seconds, and more on a busy machine. */
const PATIENCE_MS = 120_000;

const choice = ({ page }, group, name) => page.getByRole("group", { name: group, exact: true }).getByRole("radio", { name, exact: true });
const shown = (visit) => visit.readout("What is shown of the flesh");
const isAtRest = async (visit) => (await shown(visit)).startsWith("Flesh at rest");
const recipe = ({ page }) => page.evaluate(() => globalThis.sinew.store.state.recipe.flesh);
/** The frames that were shown since: their time, and which flesh they have. */
const watchFrames = ({ page }) =>
  page.evaluate(() => {
    globalThis.framesSeen = [];
    globalThis.sinew.on("frame", ({ seconds, flesh }) => globalThis.framesSeen.push([seconds, flesh ? (flesh.live ? "coarse" : "at rest") : "none"]));
  });
const framesSeen = ({ page }) => page.evaluate(() => globalThis.framesSeen.splice(0));

test("flesh comes to rest, is coarse while a clip is scrubbed, comes to rest again, and is undone", async (t) => {
  const visit = await studio.visit(t);
  const { page } = visit;
  await visit.closeHint();
  await visit.unfold("Flesh");
  const skin = await visit.picture();
  const isBusy = await visit.watchProgress("Flesh");
  await choice(visit, "Fineness", "interactive").check();
  await eventually("flesh at rest", () => isAtRest(visit), PATIENCE_MS);
  assert.ok(await isBusy(), "a bar shows that the engine works");
  assert.ok(Number.parseInt(await visit.readout("Iterations of the flesh"), 10) > 0);
  assert.match(await visit.readout("Smallest volume of the flesh"), /^\d+ %$/);
  assert.ok(difference(skin, await visit.picture(), 8) > 200, "the elbows look different");
  await page.locator("#panel-flesh").scrollIntoViewIfNeeded();
  await visit.keepPage("flesh");

  await watchFrames(visit);
  const { x, y, width, height } = await page.getByRole("slider", { name: "Time of the clip" }).boundingBox();
  const at = (share) => page.mouse.move(x + share * width, y + height / 2);
  await at(0.5);
  await page.mouse.down();
  for (let share = 0.5; share > 0.2; share -= 0.02) await at(share);
  await eventually("coarse flesh", async () => (await shown(visit)) === "Coarse flesh while moving, interactive at rest.");
  await visit.keepPage("flesh coarse");
  await page.mouse.up();
  const dragged = await eventually("the flesh is back", async () => (await isAtRest(visit)) && framesSeen(visit), PATIENCE_MS);
  const coarse = dragged.filter(([, kind]) => kind === "coarse");
  assert.ok(coarse.length > 3, `flesh follows the drag: ${coarse.length} frames`);
  assert.deepEqual(dragged.at(-1), [coarse.at(-1)[0], "at rest"], "flesh is that of the last moment");

  await page.getByRole("button", { name: /^Undo/ }).click();
  await eventually("no flesh", async () => (await visit.readout("Iterations of the flesh")) === "–");
  assert.equal((await recipe(visit)).fineness, "off");
  visit.assertNoProblems();
});

test("a bone gets a radius, an offset and a softness of its own, and is as the preset has it again", async (t) => {
  const visit = await studio.visit(t);
  const { page } = visit;
  await visit.closeHint();
  await visit.unfold("Flesh");
  await visit.selectJoint("LeftForeArm");
  const number = (name) => page.locator("#panel-flesh").getByRole("spinbutton", { name, exact: true });
  await visit.type(number("Radius"), "40");
  await visit.type(number("Offset Z"), "-0.01");
  await visit.type(number("Softness"), "10");
  await choice(visit, "Preset", "anatomical").check();
  const own = async () => (await recipe(visit)).joints.LeftForeArm;
  assert.deepEqual(await own(), { radius: 0.4, offset: [0, 0, -0.01], softness: 10 });
  assert.equal((await recipe(visit)).bones, "anatomical");
  await visit.keepPage("flesh bone");

  await page.locator("#panel-flesh").getByRole("button", { name: "Reset Radius" }).click();
  assert.deepEqual(await own(), { offset: [0, 0, -0.01], softness: 10 });
  await page.getByRole("button", { name: "As the preset has it" }).click();
  assert.equal(await own(), undefined);
  for (let step = 0; step < 2; step += 1) await page.getByRole("button", { name: /^Undo/ }).click();
  assert.equal((await own()).radius, 0.4, "each is one step of undo");
  visit.assertNoProblems();
});

test("muscles in the flesh get a stiffness, within its limits", async (t) => {
  const visit = await studio.visit(t);
  const { page } = visit;
  await visit.closeHint();
  await visit.unfold("Flesh");
  const field = page.locator("#panel-flesh").getByRole("spinbutton", { name: "Muscle stiffness", exact: true });
  assert.equal(await field.inputValue(), "2");
  await visit.type(field, "4");
  assert.equal((await recipe(visit)).muscle_stiffness, 4);
  await visit.type(field, "1000");
  assert.equal((await recipe(visit)).muscle_stiffness, 100);
  for (let step = 0; step < 2; step += 1) await page.getByRole("button", { name: /^Undo/ }).click();
  assert.equal((await recipe(visit)).muscle_stiffness, 2);
  visit.assertNoProblems();
});
