import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, studioForTests } from "./support/studio.mjs";

const studio = studioForTests();

/** The demo in the middle of its walk, its left foot selected and the section open. */
async function midWalk(t) {
  const visit = await studio.visit(t);
  const { page } = visit;
  await visit.closeHint();
  await page.getByLabel("Clip", { exact: true }).selectOption("walk");
  await visit.unfold("Motion");
  await visit.selectJoint("LeftFoot");
  await visit.type(page.getByRole("spinbutton", { name: "Frame", exact: true }), "16");
  const seconds = () => page.evaluate(() => globalThis.sinew.frame.seconds);
  await eventually("the frame is shown", async () => Math.abs((await seconds()) - 16 / 30) < 1e-6);
  return visit;
}

const field = ({ page }, axis) => page.getByRole("spinbutton", { name: `Pin ${axis}` });
const pin = ({ page }) => page.getByRole("button", { name: "Pin selected joint here" });
const reached = ({ page }) => page.getByRole("status", { name: "Pin of LeftFoot in frame 16" });
/** Where the foot is in the frame that is shown. */
const foot = ({ page }) =>
  page.evaluate(() => {
    const { viewer, character } = globalThis.sinew;
    const joint = character.joints.findIndex(({ name }) => name === "LeftFoot");
    return [...viewer.skeleton.positions.slice(3 * joint, 3 * joint + 3)];
  });

test("a foot is pinned, moved by a number, and put back by undo", async (t) => {
  const visit = await midWalk(t);
  const { page } = visit;
  const before = await foot(visit);
  await pin(visit).click();
  await eventually("the pin is where the foot is", async () => (await reached(visit).innerText()) === "met");
  const still = await foot(visit);
  still.forEach((value, axis) => assert.ok(Math.abs(value - before[axis]) < 1e-4, "a new pin moves nothing"));
  const height = before[1] + 0.12;
  await visit.type(field(visit, "Y"), String(height));
  await eventually("the foot follows", async () => Math.abs((await foot(visit))[1] - height) < 2e-3);
  await eventually("the list shows it", async () => (await reached(visit).innerText()) === "met");
  await visit.keepPage("a pinned foot");

  await visit.type(field(visit, "Y"), String(before[1] + 40));
  await eventually("a pin out of reach is reported", async () => /away/.test(await reached(visit).innerText()));
  await page.getByRole("status", { name: "Problems of the edit" }).getByText("out of reach").waitFor();
  await page.getByRole("heading", { name: "LeftFoot", exact: true }).click();
  for (let step = 0; step < 3; step += 1) await page.keyboard.press("Control+z");
  await eventually("the foot is back", async () => (await foot(visit)).every((value, axis) => value === before[axis]));
  await page.getByRole("list", { name: "Pins" }).waitFor({ state: "hidden" });
  visit.assertNoProblems();
});

test("a pin is dragged in the view, and removed", async (t) => {
  const visit = await midWalk(t);
  const { page } = visit;
  const before = await foot(visit);
  await pin(visit).click();
  await field(visit, "Y").waitFor();
  // The arrow that points up begins a little above the pin.
  const [x, y] = await page.evaluate(() => {
    const { viewer } = globalThis.sinew;
    const { standIn } = viewer.pinHandle;
    const place = standIn.getWorldPosition(standIn.position.clone()).project(viewer.camera.camera);
    const { left, top, width, height } = viewer.pad.getBoundingClientRect();
    return [left + ((place.x + 1) / 2) * width, top + ((1 - place.y) / 2) * height];
  });
  await page.mouse.move(x, y - 35);
  await page.mouse.down();
  await page.mouse.move(x, y - 60, { steps: 4 });
  await eventually("the foot follows the pointer", async () => (await foot(visit))[1] > before[1] + 0.03);
  await visit.keepPage("a pin in hand");
  await page.mouse.up();
  const moved = await foot(visit);
  assert.ok(Math.abs(moved[0] - before[0]) < 5e-3, "the arrow leads along its axis alone");
  await page.getByRole("button", { name: "Remove the pin of LeftFoot in frame 16" }).click();
  await eventually("the walk is as it was", async () => (await foot(visit)).every((value, axis) => value === before[axis]));
  visit.assertNoProblems();
});

test("an edited motion is saved", async (t) => {
  const visit = await midWalk(t);
  await pin(visit).click();
  await field(visit, "X").waitFor();
  const { name, bytes } = await visit.download(visit.page.getByRole("button", { name: "Save as BVH" }));
  assert.match(name, /walk\.bvh$/);
  assert.match(bytes.toString("latin1", 0, 20), /^HIERARCHY/);
  visit.assertNoProblems();
});
