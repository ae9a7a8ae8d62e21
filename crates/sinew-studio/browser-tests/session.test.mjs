import assert from "node:assert/strict";
import { test } from "node:test";
import { shared } from "./support/files.mjs";
import { difference } from "./support/png.mjs";
import { eventually, studioForTests } from "./support/studio.mjs";

const studio = studioForTests();

const keepVolume = ({ page }) => page.getByRole("switch", { name: "Keep volume", exact: true });

/** The address follows some time after a change. */
async function addressAfter(visit, change) {
  const before = visit.page.url();
  await change();
  await eventually("the address holds the change", () => visit.page.url() !== before);
}

test("a reload shows the same, and the address shows it to others", async (t) => {
  const visit = await studio.visit(t);
  const { page } = visit;
  await visit.openCharacter(shared("gltf", "Fox.glb"));
  await addressAfter(visit, () => page.getByRole("radio", { name: "linear", exact: true }).check());
  await addressAfter(visit, () => keepVolume(visit).check());
  await visit.closeHint();
  const before = await visit.picture();
  await page.reload();
  await visit.ready();
  await eventually("volume is kept", () => keepVolume(visit).isChecked());
  await page.getByTitle("The character that is open").filter({ hasText: "Fox" }).waitFor();
  await eventually("the same picture", async () => difference(before, await visit.picture()) === 0);

  const friend = await studio.visit(t, { hash: new URL(page.url()).hash });
  await friend.closeHint();
  await eventually("the same for others", async () => difference(before, await friend.picture()) === 0);
  visit.assertNoProblems();
  friend.assertNoProblems();
});

test("two tabs are two documents", async (t) => {
  const first = await studio.visit(t);
  const second = await studio.visit(t, { context: first.page.context() });
  await second.page.bringToFront();
  await keepVolume(second).check();
  await eventually("the second keeps its volume", async () => (await second.readout("Finished volume")) === "100.00 %");
  await first.page.bringToFront();
  assert.ok(!(await keepVolume(first).isChecked()));
  await first.page.getByLabel("Clip", { exact: true }).selectOption("walk");
  await eventually("the first walks alone", async () => (await first.readout("Finished volume")) !== "100.00 %");
  assert.equal(await second.page.getByLabel("Clip", { exact: true }).locator("option:checked").innerText(), "elbow curl");
  first.assertNoProblems();
  second.assertNoProblems();
});

test("the page lives on when the engine is killed and comes back", async (t) => {
  if (!studio.engine.isOwn) return t.skip("somebody else's engine");
  const visit = await studio.visit(t);
  const { page } = visit;
  await visit.openCharacter(shared("gltf", "CesiumMan.glb"));
  await visit.closeHint();
  const before = await visit.picture();
  await studio.engine.stop();
  await page.getByText("Lost the engine, reconnecting …").waitFor();
  await visit.keepPage("engine lost");
  await studio.engine.restart();
  // A new start has a new key, which its address gives to the browser.
  await page.context().request.get(studio.engine.url);
  await page.getByText("Lost the engine, reconnecting …").waitFor({ state: "hidden" });
  await keepVolume(visit).check();
  await eventually("the engine works for us again", async () => (await visit.readout("Finished volume")) === "100.00 %");
  await page.keyboard.press("Control+z");
  await eventually("the same picture", async () => difference(before, await visit.picture()) === 0);
});
