import assert from "node:assert/strict";
import { test } from "node:test";
import { difference } from "./support/png.mjs";
import { eventually, studioForTests } from "./support/studio.mjs";

const studio = studioForTests();

/** The two halves of the view, without the divider between them and what lies over them. */
async function halves(visit) {
  await visit.picture();
  const { x, y, width, height } = await visit.view().boundingBox();
  const half = Math.floor(width / 2);
  const part = (left) =>
    visit.page.screenshot({ clip: { x: left + 4, y: y + 100, width: half - 8, height: height - 290 } });
  return [await part(x), await part(x + width - half)];
}

test("the hint shows the difference to somebody new, and undo takes it back", async (t) => {
  const visit = await studio.visit(t);
  const [, before] = await halves(visit);
  await visit.page.getByRole("button", { name: "Show me" }).click();
  await eventually("the volume is kept", async () => (await visit.readout("Finished volume")) === "100.00 %");
  const [left, right] = await halves(visit);
  assert.ok(difference(left, right, 16) > 100, "an elbow with a dent, and one without");
  await visit.keepPage("show me");
  await visit.page.getByRole("button", { name: /^Undo/ }).click();
  await eventually("one picture again", async () => (await halves(visit))[1].equals(before));
  visit.assertNoProblems();
});

test("two results side by side, and a wipe that arrow keys move", async (t) => {
  const visit = await studio.visit(t);
  const { page } = visit;
  await visit.closeHint();
  await page.getByRole("switch", { name: "Keep volume", exact: true }).check();
  await visit.unfold("Compare");
  await page.getByRole("radio", { name: "side by side" }).check();
  await page.getByLabel("With", { exact: true }).selectOption("rigid skin");
  await visit.view().getByText("rigid skin", { exact: true }).waitFor();
  await eventually("two skins", async () => {
    const [left, right] = await halves(visit);
    return difference(left, right, 16) > 100;
  });
  await visit.keepPage("side by side");

  await page.getByRole("radio", { name: "wipe" }).check();
  const wipe = page.getByRole("slider", { name: "Wipe" });
  await wipe.focus();
  const middle = await visit.picture("wipe");
  for (let press = 0; press < 5; press++) await page.keyboard.press("Shift+ArrowLeft");
  await eventually("all the way", async () => (await wipe.getAttribute("aria-valuenow")) === "0");
  await page.keyboard.press("ArrowRight");
  await eventually("a step back", async () => (await wipe.getAttribute("aria-valuenow")) === "1");
  await eventually("more of this one, less of the other", async () => difference(middle, await visit.picture(), 16) > 100);
  visit.assertNoProblems();
});

test("what was pinned stays to compare with", async (t) => {
  const visit = await studio.visit(t);
  const { page } = visit;
  await visit.closeHint();
  await visit.unfold("Compare");
  await page.getByRole("button", { name: "Pin what I see" }).click();
  const same = await halves(visit);
  assert.ok(difference(...same, 16) < 100, "nothing was changed yet");
  await page.getByRole("radio", { name: "dual quat." }).check();
  await eventually("one half changes", async () => difference(...(await halves(visit)), 16) > 300);
  visit.assertNoProblems();
});
