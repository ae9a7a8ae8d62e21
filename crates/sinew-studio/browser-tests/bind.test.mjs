import assert from "node:assert/strict";
import { test } from "node:test";
import { difference } from "./support/png.mjs";
import { eventually, studioForTests } from "./support/studio.mjs";

const studio = studioForTests();

test("the demo is bound anew, reported, and undone", async (t) => {
  const visit = await studio.visit(t);
  const { page } = visit;
  const before = await visit.picture();
  const name = await page.getByTitle("The character that is open").innerText();
  await visit.unfold("Bind");
  await page.getByRole("radio", { name: "distance" }).check();
  const showedProgress = await visit.watchProgress("Bind");
  await page.getByRole("button", { name: "Bind", exact: true }).click();
  await page.getByRole("group", { name: "Joints of the binding" }).waitFor();
  assert.ok(await showedProgress(), "progress was in sight");
  assert.match(await visit.fact("Covered"), /^100 % of/);
  assert.ok((await page.getByRole("row").count()) > 20, "a row for every joint");
  await eventually("other weights, another skin", async () => difference(before, await visit.picture(), 8) > 100);
  await visit.keepPage("bound anew");
  const undo = page.getByRole("button", { name: "Undo: bind" });
  await undo.click();
  await eventually("the skin as it was", async () => difference(before, await visit.picture()) === 0);
  await eventually("its name", async () => (await page.getByTitle("The character that is open").innerText()) === name);
  visit.assertNoProblems();
});
