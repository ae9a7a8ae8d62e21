import assert from "node:assert/strict";
import { test } from "node:test";
import { difference } from "./support/png.mjs";
import { scratch } from "./support/files.mjs";
import { eventually, studioForTests } from "./support/studio.mjs";

const studio = studioForTests();
/** Muscles are fitted anew for each recipe, which takes a busy machine its time. */
const PATIENCE_MS = 90_000;
const BICEPS = ["left biceps brachii, long head", "right biceps brachii, long head"];

/** The demo with its muscles under a skin that is seen through. */
async function withMuscles(t) {
  const visit = await studio.visit(t);
  const { page } = visit;
  await visit.closeHint();
  await visit.unfold("Muscles");
  await page.getByRole("combobox", { name: "Set", exact: true }).selectOption({ label: "human" });
  await page.getByRole("tree", { name: "Muscles" }).getByRole("treeitem").first().waitFor({ timeout: PATIENCE_MS });
  await look(visit, "through the skin").check();
  await eventually("muscles are drawn", () => page.evaluate(() => globalThis.sinew.viewer.muscles.isShown), PATIENCE_MS);
  return visit;
}

const look = ({ page }, name) => page.getByRole("group", { name: "Show", exact: true }).getByRole("radio", { name, exact: true });
const state = ({ page }) => page.evaluate(() => globalThis.sinew.store.state);
const changes = async (visit) => (await state(visit)).recipe.muscles.muscle;
const number = ({ page }, name) => page.locator("#panel-muscles").getByRole("group").filter({ hasText: "Selected muscle" }).getByRole("spinbutton", { name, exact: true });
const undo = ({ page }) => page.getByRole("button", { name: /^Undo/ }).click();

/** Selects a muscle in the list. */
async function select(visit, name) {
  const { page } = visit;
  await page.getByRole("searchbox", { name: "Find a muscle" }).fill(name);
  await page.getByRole("tree", { name: "Muscles" }).getByRole("treeitem", { name }).click();
  await page.getByRole("heading", { name, exact: true }).waitFor();
}

/** The pixel of the view at which a place is seen: the middle of a muscle's mesh, or a handle. */
const pixel = ({ page }, what) =>
  page.evaluate(({ muscle, handle }) => {
    const { viewer } = globalThis.sinew;
    const { object, musculature } = viewer.muscles;
    const point = viewer.camera.camera.position.clone();
    if (muscle) {
      const [mesh] = musculature.muscles.find(({ name }) => name === muscle).meshes;
      const { array } = object.geometry.getAttribute("position");
      point.set(0, 0, 0);
      for (let k = 0; k < musculature.vertices; k += 1) point.add({ x: array[3 * (mesh * musculature.vertices + k)], y: array[3 * (mesh * musculature.vertices + k) + 1], z: array[3 * (mesh * musculature.vertices + k) + 2] });
      point.divideScalar(musculature.vertices);
    } else point.copy(viewer.muscleHandles.points[handle]);
    point.applyMatrix4(object.matrixWorld).project(viewer.camera.camera);
    const { clientWidth, clientHeight } = viewer.element;
    return { x: ((point.x + 1) / 2) * clientWidth, y: ((1 - point.y) / 2) * clientHeight };
  }, what);

test("muscles are seen through the skin and without it, and a click selects one", async (t) => {
  const visit = await withMuscles(t);
  const { page } = visit;
  const through = await visit.picture("muscles through the skin");
  const muscle = "left rectus femoris";
  await visit.view().click({ position: await pixel(visit, { muscle }) });
  await eventually("it is selected", async () => (await state(visit)).muscle === muscle);
  await page.getByRole("treeitem", { name: muscle, selected: true }).waitFor();
  const selected = await visit.picture("a muscle selected");
  assert.ok(difference(through, selected, 6) > 100, "it stands out");
  await visit.keepPage("muscles page");

  await look(visit, "muscles").check();
  await eventually("without a skin", async () => difference(selected, await visit.picture("muscles bare"), 6) > 1000, PATIENCE_MS);
  await look(visit, "skin").check();
  await eventually("the skin alone", async () => difference(selected, await visit.picture(), 6) > 1000, PATIENCE_MS);
  visit.assertNoProblems();
});

test("a muscle is changed, mirrored and left out, on one side or both, and all of it is undone", async (t) => {
  const visit = await withMuscles(t);
  const { page } = visit;
  await select(visit, BICEPS[0]);
  await visit.type(number(visit, "Activation"), "0.8");
  await eventually("it is in the recipe", async () => (await changes(visit))[BICEPS[0]]?.activation === 0.8);
  await eventually("it is tensed", async () => (await visit.readout("Activation now")) === "80 %", PATIENCE_MS);
  await page.getByRole("button", { name: "Mirror", exact: true }).click();
  await eventually("the other too", async () => (await changes(visit))[BICEPS[1]]?.activation === 0.8);

  await page.getByRole("switch", { name: "Both sides", exact: true }).check();
  await visit.type(number(visit, "α active"), "7");
  await eventually("the profiles of both", async () => (await profiles(visit)).every((shape) => shape?.[2] === 7));
  await page.getByRole("checkbox", { name: "Leave out", exact: true }).check();
  const row = (text) => page.getByRole("tree", { name: "Muscles" }).getByRole("treeitem", { name: `${BICEPS[0]} ${text}` });
  await row("left out").waitFor({ timeout: PATIENCE_MS });

  await undo(visit);
  await row("changed").waitFor({ timeout: PATIENCE_MS });
  for (let step = 0; step < 4; step += 1) await undo(visit);
  await eventually("as in the set", async () => Object.keys(await changes(visit)).length === 0);
  await page.getByRole("button", { name: /^Redo/ }).click();
  await eventually("tensed again", async () => (await visit.readout("Activation now")) === "80 %", PATIENCE_MS);
  await page.getByRole("button", { name: "As in the set" }).click();
  await eventually("forgotten", async () => Object.keys(await changes(visit)).length === 0);
  visit.assertNoProblems();
});

const profiles = async (visit) => {
  const changed = await changes(visit);
  return BICEPS.map((name) => changed[name]?.shape);
};

test("an origin is dragged on both sides, and one undo takes it back", async (t) => {
  const visit = await withMuscles(t);
  const { page } = visit;
  await select(visit, BICEPS[0]);
  await page.getByRole("switch", { name: "Both sides", exact: true }).check();
  await eventually("two handles", () => page.evaluate(() => globalThis.sinew.viewer.muscleHandles.points.length === 2));
  const { x, y } = await pixel(visit, { handle: 0 });
  const box = await visit.view().boundingBox();
  const camera = (await state(visit)).camera;
  await page.mouse.move(box.x + x, box.y + y);
  await page.mouse.down();
  for (let step = 1; step <= 5; step += 1) await page.mouse.move(box.x + x + 2 * step, box.y + y + 5 * step);
  await visit.keepPage("an origin in hand");
  await page.mouse.up();
  const origins = async () => {
    const changed = await changes(visit);
    return BICEPS.map((name) => changed[name]?.from);
  };
  const [left, right] = await origins();
  assert.ok(left, "it is in the recipe");
  assert.deepEqual(left, right);
  assert.deepEqual((await state(visit)).camera, camera, "the camera stays");
  await eventually("the muscle follows", async () => {
    const now = await pixel(visit, { handle: 0 });
    return Math.hypot(now.x - x, now.y - y) > 5;
  }, PATIENCE_MS);

  const along = page.getByRole("region", { name: "Origin" }).getByRole("spinbutton", { name: "along", exact: true });
  await visit.type(along, "0.2");
  await eventually("a number does the same", async () => (await origins()).every((places) => places[0][1] === 0.2));
  await undo(visit);
  assert.deepEqual(await origins(), [left, right]);
  await undo(visit);
  assert.deepEqual(await origins(), [undefined, undefined]);
  visit.assertNoProblems();
});

/** Draws an outline on the sheet: two bellies, or a spindle. */
async function draw({ page }, radius) {
  const sheet = page.getByRole("img", { name: "Sheet to draw the profile on" });
  await sheet.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await sheet.boundingBox();
  const place = (share, side) => [x + width * (0.1 + 0.8 * share), y + height * (0.5 + 0.3 * side * radius(share))];
  const shares = Array.from({ length: 41 }, (_, k) => k / 40);
  const corners = [...shares.map((share) => place(share, -1)), ...shares.toReversed().map((share) => place(share, 1))];
  await page.mouse.move(...corners[0]);
  await page.mouse.down();
  for (const corner of corners) await page.mouse.move(...corner);
  await page.mouse.up();
}

test("a profile is drawn or opened, the muscle takes it at once, and undo leads back to the drawing before", async (t) => {
  const visit = await withMuscles(t);
  const { page } = visit;
  await select(visit, BICEPS[0]);
  const own = async () => (await changes(visit))[BICEPS[0]];
  const before = await visit.picture();
  await draw(visit, (share) => Math.sin(Math.PI * share) + 0.6 * Math.sin(3 * Math.PI * share));
  await eventually("a series is in the recipe", async () => (await own())?.series?.length > 2);
  const fit = page.getByRole("status", { name: "Fit of the drawing" });
  assert.match(await fit.innerText(), /^sine series of \d+ terms, \d+\.\d % from what is drawn$/);
  await eventually("the muscle has two bellies", async () => difference(before, await visit.picture("a drawn muscle"), 6) > 30, PATIENCE_MS);
  await visit.keepPage("a profile that was drawn");
  const bellies = await own();

  const folder = await scratch();
  const files = { "spindle.svg": '<svg><path d="M0 0Q50 20 100 0Q50 -20 0 0z"/></svg>', "nothing.svg": "<svg/>" };
  const open = async (name) => {
    const chosen = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Open a sketch…" }).click();
    await (await chosen).setFiles(await folder.write(name, files[name]));
  };
  await open("spindle.svg");
  await eventually("a beta profile is in the recipe", async () => (await own()).shape?.join() === "2,2,2,2");
  assert.deepEqual(await own(), { shape: [2, 2, 2, 2] });
  await eventually("its fit is shown", async () => (await fit.innerText()).startsWith("beta profile of 2 and 2"));
  await page.getByRole("button", { name: "Take its thickness" }).click();
  await eventually("and its radius", async () => Math.abs((await own()).radius - 0.1) < 1e-3);

  await undo(visit);
  await undo(visit);
  assert.deepEqual(await own(), bellies);
  await eventually("the first drawing is seen again", async () => (await fit.innerText()).startsWith("sine series"));
  await undo(visit);
  assert.equal(await own(), undefined);
  await eventually("and none", async () => (await fit.innerText()) === "");

  await open("nothing.svg");
  await page.getByText("nothing.svg: the drawing: has no closed shape").waitFor();
  assert.equal(await own(), undefined);
  visit.assertNoProblems();
});

test("muscles follow a clip that is played", async (t) => {
  const visit = await withMuscles(t);
  const { page } = visit;
  const place = () => pixel(visit, { muscle: BICEPS[0] });
  const { x, y } = await place();
  await page.getByRole("button", { name: /^Play/ }).click();
  await eventually("they move", async () => {
    const now = await place();
    return Math.hypot(now.x - x, now.y - y) > 5;
  }, PATIENCE_MS);
  await page.getByRole("button", { name: /^Pause/ }).click();
  visit.assertNoProblems();
});
