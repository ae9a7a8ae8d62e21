import assert from "node:assert/strict";
import { test } from "node:test";
import { difference, dots } from "./support/png.mjs";
import { eventually, studioForTests } from "./support/studio.mjs";

const studio = studioForTests();
/** A cage of the figure takes a busy machine its time. */
const PATIENCE_MS = 90_000;
const MARKER_COLOR = [0xff, 0x7a, 0xb8];

const state = ({ page }) => page.evaluate(() => globalThis.sinew.store.state);
const recipe = async (visit) => (await state(visit)).recipe.cage;
const figure = (visit) => visit.readout("Volume of the tetrahedra");
const isFollowing = (visit) => async () => /%/.test(await figure(visit));
const choice = ({ page }, group, name) => page.getByRole("group", { name: group, exact: true }).getByRole("radio", { name, exact: true });
/** Where a joint is in the frame that is shown. */
const joint = ({ page }, name) => page.evaluate((name) => globalThis.sinew.viewer.placeOf("joints", name), name);
const distance = (a, b) => Math.hypot(...a.map((value, axis) => value - b[axis]));

/** The demo in a coarse cage that it follows. */
async function caged(t) {
  const visit = await studio.visit(t);
  const { page } = visit;
  await visit.closeHint();
  await visit.unfold("Cage");
  await visit.type(page.getByRole("spinbutton", { name: "Cage vertices" }), "300");
  await visit.type(page.getByRole("spinbutton", { name: "Offset" }), "1");
  const wasSeen = await visit.watchProgress("Build the cage");
  await page.getByRole("button", { name: "Build the cage" }).click();
  await page.getByRole("button", { name: "Build again" }).waitFor();
  await eventually("the mesh follows", isFollowing(visit), PATIENCE_MS);
  assert.ok(await wasSeen(), "progress is shown");
  return visit;
}

/** The demo in its cage, moved by handles, with the ends of its limbs held. */
async function held(t) {
  const visit = await caged(t);
  await choice(visit, "Moved by", "handles").check();
  await eventually("it is at rest", async () => (await figure(visit)) === "–");
  await visit.page.getByRole("button", { name: "Hold the ends of all limbs" }).click();
  await eventually("it is held", isFollowing(visit));
  return visit;
}

test("a cage is built, shown with its tetrahedra, followed, and taken away by undo", async (t) => {
  const visit = await caged(t);
  const { page } = visit;
  const facts = page.locator("#panel-cage dl");
  assert.match(await facts.innerText(), /Inside\s+[\d\u202f]+ tetrahedra of [\d\u202f]+ vertices/);
  const wires = await visit.picture("cage wires");
  await page.getByRole("checkbox", { name: "Show the cage" }).uncheck();
  await eventually("the wires are gone", async () => difference(wires, await visit.picture(), 6) > 300);
  await page.getByRole("checkbox", { name: "Show the tetrahedra" }).check();
  await visit.type(page.getByRole("spinbutton", { name: "Cut at" }), "55");
  await eventually("tetrahedra are seen", async () => difference(wires, await visit.picture("cage tetrahedra"), 6) > 300);
  await visit.keepPage("cage tetrahedra page");
  const undo = page.getByRole("button", { name: /^Undo/ });
  await eventually("all is taken back", async () => {
    if (!(await state(visit)).cage.on) return true;
    await undo.click();
    return false;
  });
  await eventually("the skin is back", () => page.evaluate(() => globalThis.sinew.frame.cage === null));
  await page.getByRole("button", { name: "Build the cage" }).waitFor();
  visit.assertNoProblems();
});

test("a hand is dragged by its arrow, the body follows, and undo and reset bring it back", async (t) => {
  const visit = await held(t);
  const { page } = visit;
  await visit.selectJoint("LeftHand");
  await page.getByRole("heading", { name: "Joint LeftHand" }).waitFor();
  const before = await joint(visit, "LeftHand");
  const elbow = await joint(visit, "LeftForeArm");
  const [x, y] = await page.evaluate(() => {
    const { viewer } = globalThis.sinew;
    const { standIn } = viewer.cageHandle;
    const place = standIn.getWorldPosition(standIn.position.clone()).project(viewer.camera.camera);
    const { left, top, width, height } = viewer.pad.getBoundingClientRect();
    return [left + ((place.x + 1) / 2) * width, top + ((1 - place.y) / 2) * height];
  });
  await page.mouse.move(x, y - 35);
  await page.mouse.down();
  await page.mouse.move(x, y - 90, { steps: 6 });
  await eventually("the hand follows the pointer", async () => (await joint(visit, "LeftHand"))[1] > before[1] + 0.1);
  await page.mouse.up();
  const bone = distance(elbow, before);
  await eventually("the forearm keeps its length", async () => {
    const now = distance(await joint(visit, "LeftForeArm"), await joint(visit, "LeftHand"));
    return Math.abs(now / bone - 1) < 1e-3;
  });
  await visit.keepPage("a hand is dragged");
  await page.getByRole("heading", { name: "LeftHand", exact: true }).click();
  await page.keyboard.press("Control+z");
  await eventually("the hand is back", async () => distance(await joint(visit, "LeftHand"), before) < 5e-3);
  await page.keyboard.press("Control+y");
  await eventually("it is up again", async () => (await joint(visit, "LeftHand"))[1] > before[1] + 0.1);
  await page.getByRole("button", { name: "Let everything go" }).click();
  await eventually("the mesh is at rest", async () => distance(await joint(visit, "LeftHand"), before) < 1e-4);
  visit.assertNoProblems();
});

test("a marker is placed by a click, named, dragged by a number, and removed", async (t) => {
  const visit = await held(t);
  const { page } = visit;
  await choice(visit, "A click on the mesh", "Place a marker").check();
  const { width, height } = await visit.view().boundingBox();
  await visit.view().click({ position: { x: width / 2, y: height / 2 } });
  await page.getByRole("button", { name: "Take marker M1" }).waitFor();
  await choice(visit, "A click on the mesh", "Select").check();
  await visit.selectJoint("Head");
  const [dot] = await eventually("its dot is seen", async () => {
    const found = dots(await visit.picture("a marker"), MARKER_COLOR);
    return found.length > 0 && found;
  }, PATIENCE_MS);
  assert.ok(Math.hypot(dot.x - width / 2, dot.y - height / 2) < 8, `it is where the click was: ${dot.x}, ${dot.y}`);
  await visit.view().click({ position: dot });
  await visit.type(page.getByRole("textbox", { name: "Name", exact: true }), "WAIST");
  await page.getByRole("button", { name: "Take marker WAIST" }).waitFor();
  assert.deepEqual(Object.keys((await recipe(visit)).markers), ["WAIST"]);
  await eventually("the cage is built again", async () => page.evaluate(() => globalThis.sinew.viewer.placeOf("markers", "WAIST")), PATIENCE_MS);
  const marker = () => page.evaluate(() => globalThis.sinew.viewer.placeOf("markers", "WAIST"));
  const before = await marker();
  await visit.type(page.getByRole("spinbutton", { name: "Handle Z" }), String(before[2] + 0.1));
  await eventually("the waist follows", async () => (await marker())?.[2] > before[2] + 0.05, PATIENCE_MS);
  await visit.keepPage("a marker is dragged");
  await visit.unfold("Save and export");
  const { bytes } = await visit.download(page.getByRole("button", { name: "Save recipe" }));
  assert.match(bytes.toString(), /\[cage\.markers\."WAIST"\]\s+position = \[/, "the command line has it too");
  await page.getByRole("button", { name: "Remove marker WAIST" }).click();
  await eventually("it is gone", async () => Object.keys((await recipe(visit)).markers).length === 0);
  await page.getByRole("button", { name: /^Undo/ }).click();
  await eventually("undo brings it back", async () => (await recipe(visit)).markers.WAIST?.position?.length === 3);
  visit.assertNoProblems();
});

test("limits are edited, drawn as cones, obeyed, and switched off", async (t) => {
  const visit = await held(t);
  const { page } = visit;
  await visit.selectJoint("LeftForeArm");
  await visit.unfold("Limits");
  const plain = await visit.picture();
  for (const part of ["Bend", "Sideways"]) {
    await visit.type(page.getByRole("spinbutton", { name: `${part} from` }), "-5");
    await visit.type(page.getByRole("spinbutton", { name: `${part} to` }), "5");
  }
  const { limits } = await recipe(visit);
  assert.deepEqual(limits.LeftForeArm, { twist: [-180, 180], bend: [-5, 5], sideways: [-5, 5] });
  await page.getByRole("checkbox", { name: "Show limits as cones" }).check();
  await eventually("a cone is seen", async () => difference(plain, await visit.picture("cones"), 6) > 50);

  const arm = ["LeftArm", "LeftForeArm", "LeftHand"];
  const bend = async () => {
    const [a, b, c] = await Promise.all(arm.map((name) => joint(visit, name)));
    const [u, v] = [b.map((value, k) => value - a[k]), c.map((value, k) => value - b[k])];
    const cosine = u.reduce((sum, value, k) => sum + value * v[k], 0) / (Math.hypot(...u) * Math.hypot(...v));
    return (Math.acos(Math.min(cosine, 1)) * 180) / Math.PI;
  };
  const straight = await bend();
  await visit.selectJoint("LeftArm");
  await page.getByRole("button", { name: "Hold it here" }).click();
  await visit.picture();
  await visit.selectJoint("LeftHand");
  const [, , z] = await joint(visit, "LeftHand");
  await visit.type(page.getByRole("spinbutton", { name: "Handle Z" }), String(z + 0.2));
  const [hx] = await joint(visit, "LeftHand");
  await visit.type(page.getByRole("spinbutton", { name: "Handle X" }), String(hx - 0.2));
  await eventually("the hand misses its target", async () => Number.parseFloat(await visit.readout("Handles miss their targets by")) > 3);
  assert.ok(Math.abs((await bend()) - straight) < 9, `${await bend()}° from ${straight}°`);
  await visit.keepPage("an elbow within its limits");
  await page.getByRole("switch", { name: "Joints stay within their limits" }).uncheck();
  await eventually("the elbow bends", async () => (await bend()) > straight + 20);
  await visit.picture("an elbow without limits");
  await visit.selectJoint("LeftForeArm");
  await page.getByRole("button", { name: "Free", exact: true }).click();
  await eventually("it has no limits", async () => Object.keys((await recipe(visit)).limits).length === 0);
  visit.assertNoProblems();
});
