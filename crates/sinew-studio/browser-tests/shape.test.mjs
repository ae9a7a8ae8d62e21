import assert from "node:assert/strict";
import { test } from "node:test";
import { difference } from "./support/png.mjs";
import { eventually, studioForTests } from "./support/studio.mjs";

const studio = studioForTests();

/** The demo with its left elbow bent to 120° from the rest pose, the picture close to it. */
async function bentElbow(t) {
  const visit = await studio.visit(t);
  const { page } = visit;
  await page.getByLabel("Clip", { exact: true }).selectOption("rest pose");
  await visit.selectJoint("LeftForeArm");
  await page.keyboard.press("Tab");
  await visit.type(page.getByRole("spinbutton", { name: "X", exact: true }), "120");
  await page.getByText("120°", { exact: true }).first().waitFor();
  return visit;
}

test("an elbow at 120° loses volume, and one switch gives it back", async (t) => {
  const visit = await bentElbow(t);
  const loss = await eventually("the skin loses volume", async () => {
    const share = await visit.percent("Finished volume");
    return share < 99.9 && share;
  });
  const dented = await visit.picture("elbow without volume");
  await visit.page.getByRole("switch", { name: "Keep volume", exact: true }).check();
  await eventually("all of it is there", async () => (await visit.readout("Finished volume")) === "100.00 %");
  await eventually("the skin itself is as it was", async () => (await visit.percent("Volume of the skin alone")) === loss);
  await visit.page.getByRole("group", { name: "Change of volume by joint" }).getByRole("button", { name: /^LeftForeArm/ }).waitFor();
  await eventually("the elbow fills out", async () => difference(dented, await visit.picture("elbow with volume"), 8) > 200);
  await visit.keepPage("elbow page");
  visit.assertNoProblems();
});

test("a dragged curve point moves the skin at once, and undo brings the picture back", async (t) => {
  const visit = await bentElbow(t);
  const { page } = visit;
  await page.getByRole("switch", { name: "Keep volume", exact: true }).check();
  await eventually("all of the volume", async () => (await visit.readout("Finished volume")) === "100.00 %");
  await page.getByRole("button", { name: "Edit as curves" }).click();
  const curve = page.getByRole("group", { name: "Along the bone" });
  const handles = curve.getByRole("slider");
  await handles.first().waitFor();
  const grabbed = handles.nth(Math.floor((await handles.count()) / 2));
  await grabbed.scrollIntoViewIfNeeded();
  const before = await visit.picture();
  const text = await grabbed.getAttribute("aria-valuetext");
  const box = await grabbed.boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 4, y + 20, { steps: 4 });
  await page.mouse.move(x + 8, y + 60, { steps: 8 });
  await eventually("the skin follows before the point is let go", async () => difference(before, await visit.view().screenshot(), 4) > 30);
  assert.notEqual(await grabbed.getAttribute("aria-valuetext"), text);
  await visit.keepPage("curve in hand");
  await page.mouse.up();
  await eventually("the same volume", async () => (await visit.readout("Finished volume")) === "100.00 %");
  const after = await visit.picture();

  await page.keyboard.press("Control+z");
  await eventually("undo", async () => (await visit.view().screenshot()).equals(before));
  await page.keyboard.press("Control+Shift+z");
  await eventually("redo", async () => (await visit.view().screenshot()).equals(after));
  visit.assertNoProblems();
});

test("a curve point moves by arrow keys, as one step", async (t) => {
  const visit = await bentElbow(t);
  const { page } = visit;
  await page.getByRole("button", { name: "Edit as curves" }).click();
  const point = page.getByRole("slider", { name: "Inward: point 4 of 7" });
  await point.focus();
  const text = await point.getAttribute("aria-valuetext");
  await page.keyboard.press("Shift+ArrowUp");
  await eventually("the point moved", async () => (await point.getAttribute("aria-valuetext")) !== text);
  await page.keyboard.press("Control+z");
  await eventually("it is back", async () => (await point.getAttribute("aria-valuetext")) === text);
  visit.assertNoProblems();
});

test("the volume over the clip is plotted", async (t) => {
  const visit = await studio.visit(t);
  await visit.unfold("Volume over the clip");
  const plot = visit.page.getByRole("slider", { name: "Volume over the clip" });
  await plot.waitFor();
  await eventually("two lines", async () => (await plot.locator("path[d]").count()) >= 2);
  await visit.keepPage("volume over the clip");
  visit.assertNoProblems();
});
