import assert from "node:assert/strict";
import { test } from "node:test";
import validator from "gltf-validator";
import { scratch } from "./support/files.mjs";
import { colors, difference, readPng } from "./support/png.mjs";
import { eventually, studioForTests } from "./support/studio.mjs";

const studio = studioForTests();
const folder = await scratch();

/** A visit with "Save and export" open. */
async function visitExport(t) {
  const visit = await studio.visit(t);
  await visit.unfold("Save and export");
  return visit;
}

const bakeButton = ({ page }) => page.getByRole("button", { name: "Bake", exact: true });

/** Chooses a file in the dialog that a button shows. */
async function choose({ page }, button, path) {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: button }).click();
  await (await chooser).setFiles(path);
}

test("a bake arrives as a valid GLB that opens again", async (t) => {
  const visit = await visitExport(t);
  const { page } = visit;
  await page.getByRole("switch", { name: "Keep volume", exact: true }).check();
  await visit.type(page.getByLabel("Bake rate", { exact: true }), "10");
  const bar = page.getByRole("progressbar", { name: "Bake" });
  const showedProgress = await visit.watchProgress("Bake");
  const { name, bytes } = await visit.download(bakeButton(visit));
  assert.ok(await showedProgress(), "progress was in sight");
  assert.match(name, /\.glb$/);
  assert.equal(bytes.toString("latin1", 0, 4), "glTF");
  assert.equal(bytes.readUInt32LE(8), bytes.length, "its length is that in its header");
  const { issues } = await validator.validateBytes(new Uint8Array(bytes));
  assert.equal(issues.numErrors, 0, JSON.stringify(issues.messages.slice(0, 3)));
  await bar.waitFor({ state: "hidden" });

  await visit.openCharacter(await folder.write(name, bytes));
  assert.ok(colors(await visit.picture()) > 1000);
  const play = page.getByRole("button", { name: "Play", exact: true });
  const [still, time] = [await visit.picture(), page.getByRole("spinbutton", { name: "Time" })];
  await play.click();
  await eventually("the bake plays", async () => Number(await time.inputValue()) > 0.3);
  await eventually("and moves", async () => difference(still, await visit.view().screenshot(), 8) > 200);
  await page.getByRole("button", { name: "Pause" }).click();
  await visit.keepPage("bake opened again");
  visit.assertNoProblems();
});

test("a long bake can be stopped", async (t) => {
  const visit = await visitExport(t);
  const { page } = visit;
  await page.getByRole("switch", { name: "Keep volume", exact: true }).check();
  await visit.type(page.getByLabel("Bake rate", { exact: true }), "1000");
  await bakeButton(visit).click();
  await eventually("progress", async () => (await page.getByRole("progressbar", { name: "Bake" }).getAttribute("value")) > 0);
  await visit.keepPage("bake in progress");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("Stopped: bake.").waitFor();
  await eventually("another bake may begin", () => bakeButton(visit).isEnabled());
  visit.assertNoProblems();
});

test("a turntable can be stopped", async (t) => {
  const visit = await visitExport(t);
  const { page } = visit;
  const before = await visit.picture();
  await visit.type(page.getByLabel("Turntable", { exact: true }).and(page.getByRole("spinbutton")), "720");
  await page.getByRole("button", { name: "Turntable" }).click();
  await page.getByText(/^picture \d+ of 720/).waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("Stopped: turntable.").waitFor();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await eventually("the camera is where it was", async () => difference(before, await visit.picture()) === 0);
  visit.assertNoProblems();
});

test("a recipe that was saved loads again", async (t) => {
  const visit = await visitExport(t);
  const { page } = visit;
  await page.getByRole("switch", { name: "Keep volume", exact: true }).check();
  await page.getByRole("radio", { name: "rubber" }).check();
  await visit.type(page.getByLabel("Size", { exact: true }), "2.25");
  const { name, bytes } = await visit.download(page.getByRole("button", { name: "Save recipe" }));
  assert.match(name, /\.sinew\.toml$/);
  assert.match(bytes.toString(), /rubber/);
  const shaped = await visit.picture("recipe saved");

  const other = await visitExport(t);
  await choose(other, "Load recipe…", await folder.write(name, bytes));
  await eventually("the size is loaded", async () => (await other.page.getByLabel("Size", { exact: true }).inputValue()) === "2.25");
  await eventually("the kind is loaded", () => other.page.getByRole("radio", { name: "rubber" }).isChecked());
  await eventually("volume is kept", () => other.page.getByRole("switch", { name: "Keep volume", exact: true }).isChecked());
  await eventually("the same picture", async () => difference(shaped, await other.picture("recipe loaded")) === 0);

  await choose(other, "Load recipe…", await folder.write("broken.toml", "[volume]\nmethod = 12\n"));
  await other.page.getByRole("alert").filter({ hasText: "broken.toml" }).waitFor();
  visit.assertNoProblems();
  other.assertNoProblems();
});

test("a pose that was saved loads again", async (t) => {
  const visit = await studio.visit(t);
  const { page } = visit;
  await page.getByLabel("Clip", { exact: true }).selectOption("rest pose");
  await visit.selectJoint("LeftForeArm");
  await visit.type(page.getByRole("spinbutton", { name: "X", exact: true }), "75");
  const posed = await visit.picture();
  const { name, bytes } = await visit.download(page.getByRole("button", { name: "Save pose" }));
  assert.ok(JSON.parse(bytes.toString()), "a pose is JSON");
  await page.getByRole("button", { name: "Reset pose" }).click();
  await eventually("at rest", async () => difference(posed, await visit.picture()) > 100);
  await choose(visit, "Load pose…", await folder.write(name, bytes));
  await eventually("the pose is back", async () => difference(posed, await visit.picture(), 2) === 0);
  visit.assertNoProblems();
});

test("a screenshot is a picture of the view", async (t) => {
  const visit = await visitExport(t);
  const { name, bytes } = await visit.download(visit.page.getByRole("button", { name: "Screenshot" }));
  assert.equal(name, "mannequin.png");
  const view = await visit.view().boundingBox();
  const { width, height } = readPng(bytes);
  assert.deepEqual([width, height], [Math.floor(view.width), Math.floor(view.height)]);
  assert.ok(colors(bytes) > 1000);
  visit.assertNoProblems();
});
