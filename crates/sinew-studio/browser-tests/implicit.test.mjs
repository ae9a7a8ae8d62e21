import assert from "node:assert/strict";
import { test } from "node:test";
import { difference, dots } from "./support/png.mjs";
import { eventually, studioForTests } from "./support/studio.mjs";

const studio = studioForTests();
/** The fields of a character are made once for each recipe, which takes a busy machine its time. */
const PATIENCE_MS = 90_000;
const SAMPLE_COLOR = [0xff, 0xd1, 0x66];

/** The demo with its elbows bent most, the section open and points moved by the implicit skin. */
async function bentElbows(t) {
  const visit = await studio.visit(t);
  await visit.closeHint();
  await visit.unfold("Implicit skin");
  await visit.page.getByRole("switch", { name: "Implicit skin", exact: true }).check();
  await eventually("points are moved", () => isMoved(visit), PATIENCE_MS);
  return visit;
}

/** A figure of the read-out; NaN where none is written. */
const figure = async (visit, name) => Number.parseInt((await visit.readout(name)).replaceAll(/\s/g, ""), 10);
const isMoved = async (visit) => (await figure(visit, "Points moved")) > 0;
const recipe = ({ page }) => page.evaluate(() => globalThis.sinew.store.state.recipe.implicit);
const choice = ({ page }, group, name) => page.getByRole("group", { name: group, exact: true }).getByRole("radio", { name, exact: true });
/** The pairs that cross in the skin alone and in what is seen, once they are counted. */
const crossings = async (visit) => {
  const counts = /^(\d+) → (\d+)$/.exec((await visit.readout("Crossing triangle pairs")).replaceAll(/\u202f/g, ""));
  return counts && counts.slice(1).map(Number);
};

test("a switch keeps the sides of an elbow apart, shows it, and is undone", async (t) => {
  const visit = await bentElbows(t);
  const { page } = visit;
  const [base, final] = await eventually("crossings are counted", () => crossings(visit), PATIENCE_MS);
  assert.ok(final < base, `${base} → ${final}`);
  const [moved, touching] = [await figure(visit, "Points moved"), await figure(visit, "Touching")];
  assert.ok(0 < touching && touching < moved, `${touching} of ${moved}`);
  await visit.unfold("Limbs");
  const limb = page.getByRole("group", { name: "Limbs of the implicit skin" }).getByRole("row", { name: /^LeftForeArm \d+ [\d.]+ % yes$/ });
  await limb.waitFor();
  await visit.keepPage("implicit elbow");

  await page.getByRole("button", { name: /^Undo/ }).click();
  await eventually("nothing is moved", async () => (await visit.readout("Points moved")) === "–", PATIENCE_MS);
  assert.equal((await recipe(visit)).on, false);
  await page.getByRole("button", { name: /^Redo/ }).click();
  await eventually("points are moved again", () => isMoved(visit), PATIENCE_MS);
  visit.assertNoProblems();
});

test("limbs that no joint parts are kept apart, and free again", async (t) => {
  const visit = await studio.visit(t);
  const { page } = visit;
  await visit.closeHint();
  await visit.unfold("Implicit skin");
  await page.getByRole("checkbox", { name: "Keep limbs apart that no joint parts" }).check();
  await eventually("apart", async () => (await recipe(visit)).apart);
  await page.getByRole("button", { name: /^Undo/ }).click();
  await eventually("free", async () => !(await recipe(visit)).apart);
  visit.assertNoProblems();
});

test("a joint gets an operator, a controller and an amount of its own, and is as all others again", async (t) => {
  const visit = await studio.visit(t);
  const { page } = visit;
  await visit.closeHint();
  await visit.unfold("Implicit skin");
  await choice(visit, "Controller", "wide").check();
  await eventually("for all joints", async () => (await recipe(visit)).joint.controller === "wide");
  await visit.selectJoint("LeftForeArm");
  await choice(visit, "Limbs that meet at", "selected joint").check();
  await choice(visit, "Operator", "bulge").check();
  await choice(visit, "Controller", "curve").check();
  await visit.type(page.locator("#panel-implicit").getByRole("spinbutton", { name: "Amount", exact: true }), "0.5");
  const own = async () => (await recipe(visit)).joints.LeftForeArm;
  await eventually("its own settings", async () => (await own())?.amount === 0.5);
  assert.deepEqual({ ...(await own()), curve: [] }, { operator: "bulge", controller: "curve", curve: [], amount: 0.5 });

  const point = page.getByRole("slider", { name: "Effect by angle: point 1 of 2" });
  await point.focus();
  await page.keyboard.press("Shift+ArrowLeft");
  await eventually("the curve's first point moved", async () => (await own()).curve[0][0] === 80);
  await visit.keepPage("a joint of its own");

  await page.getByRole("button", { name: "As all others" }).click();
  await eventually("as all others", async () => (await own()) === undefined);
  await page.getByRole("button", { name: /^Undo/ }).click();
  await eventually("its own again", async () => (await own())?.amount === 0.5);
  visit.assertNoProblems();
});

test("the field's surface and its contours are drawn, and hidden again", async (t) => {
  const visit = await bentElbows(t);
  const { page } = visit;
  await visit.selectJoint("LeftForeArm");
  await page.getByRole("heading", { name: "LeftForeArm", exact: true }).click();
  await page.keyboard.press("f");
  const plain = await visit.picture();
  const differs = (from, name) => async () => difference(from, await visit.picture(name), 6) > 300;
  const surface = page.getByRole("checkbox", { name: "Show the field's surface" });
  await surface.check();
  await eventually("the surface is seen", differs(plain, "field surface"), PATIENCE_MS);
  await surface.uncheck();
  await eventually("it is gone", async () => (await visit.picture()).equals(plain), PATIENCE_MS);
  await page.getByRole("checkbox", { name: "Iso-contours on a cutting plane" }).check();
  await eventually("lines are seen", differs(plain, "field contours"), PATIENCE_MS);
  await visit.keepPage("field contours page");
  visit.assertNoProblems();
});

test("samples of a limb are removed and added by clicks, and undo brings the found ones back", async (t) => {
  const visit = await bentElbows(t);
  const { page } = visit;
  await visit.selectJoint("LeftForeArm");
  await page.getByRole("heading", { name: "LeftForeArm", exact: true }).click();
  await page.keyboard.press("f");
  await visit.unfold("Samples");
  await page.getByRole("checkbox", { name: "Show the samples of the selected limb" }).check();
  const described = (text) => async () => new RegExp(text).exec(await visit.readout("Samples of the selected limb"));
  const [, number] = await eventually("they are counted", described("^LeftForeArm: (\\d+) samples, found"), PATIENCE_MS);
  const count = Number(number);
  const click = "A click on the character";
  await choice(visit, click, "Remove").check();
  const seen = await eventually("dots are seen", async () => {
    const found = dots(await visit.picture("samples"), SAMPLE_COLOR);
    return found.length > 5 && found;
  }, PATIENCE_MS);
  // Not at the wrist, where joints lie over them, nor at the outline.
  const dot = seen[Math.floor(seen.length / 2)];
  await visit.keepPage("samples page");
  await visit.view().click({ position: dot });
  await eventually("one is gone", described(`^LeftForeArm: ${count - 1} samples, chosen`));
  await visit.unfold("Limbs");
  const limb = (samples) => page.getByRole("group", { name: "Limbs of the implicit skin" }).getByRole("row", { name: new RegExp(`^LeftForeArm ${samples} `) });
  await limb(count - 1).waitFor({ timeout: PATIENCE_MS });

  await choice(visit, click, "Add").check();
  await visit.view().click({ position: dot });
  await eventually("one more", described(`^LeftForeArm: ${count} samples, chosen`));
  const [[x, y, z], rest] = await page.evaluate(() => {
    const { character, store } = globalThis.sinew;
    return [store.state.recipe.implicit.limbs.LeftForeArm.samples.at(-1), character.joints.find(({ name }) => name === "LeftForeArm").rest];
  });
  assert.ok(Math.hypot(x - rest[12], y - rest[13], z - rest[14]) < 0.4, "it lies at the forearm as that is at rest");

  for (let step = 0; step < 2; step += 1) await page.getByRole("button", { name: /^Undo/ }).click();
  await eventually("the found ones", described(`^LeftForeArm: ${count} samples, found`), PATIENCE_MS);
  assert.deepEqual((await recipe(visit)).limbs, {});
  await page.getByRole("button", { name: /^Redo/ }).click();
  await page.getByRole("button", { name: "Use the found ones" }).click();
  await eventually("forgotten", async () => Object.keys((await recipe(visit)).limbs).length === 0);
  await limb(count).waitFor({ timeout: PATIENCE_MS });
  visit.assertNoProblems();
});
