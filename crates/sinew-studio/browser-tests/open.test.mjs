import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { test } from "node:test";
import { characters, scratch, shared } from "./support/files.mjs";
import { colors, difference } from "./support/png.mjs";
import { eventually, studioForTests } from "./support/studio.mjs";

const studio = studioForTests();
const folder = await scratch();

test("a first visit shows the demo figure", async (t) => {
  const visit = await studio.visit(t);
  await visit.page.getByRole("treeitem", { name: "LeftForeArm" }).waitFor();
  const picture = await visit.picture();
  assert.ok(colors(picture) > 1000, "a shaded figure has many colours");
  await visit.keepPage("first visit");
  await visit.page.keyboard.press("s");
  await eventually("the bones go", async () => difference(picture, await visit.picture()) > 500);
  assert.deepEqual(await visit.messages(), []);
  visit.assertNoProblems();
});

test("every shared character opens and plays", async (t) => {
  const visit = await studio.visit(t);
  await visit.unfold("Character");
  for (const path of characters()) {
    await t.test(basename(path), async () => {
      await visit.openCharacter(path);
      assert.match(await visit.fact("Vertices"), /^[1-9]/);
      const still = await visit.picture();
      assert.ok(colors(still) > 300, "the picture is not blank");
      await visit.keepPage(`opened ${basename(path)}`);
      const play = visit.page.getByRole("button", { name: "Play", exact: true });
      if ((await visit.fact("Clips")) === "none") assert.ok(await play.isDisabled());
      else await playsFirstClip(visit, play, still);
      assert.equal(await visit.page.getByRole("alert").filter({ visible: true }).count(), 0);
      visit.assertNoProblems();
    });
  }
});

async function playsFirstClip(visit, play, still) {
  const clip = visit.page.getByLabel("Clip", { exact: true });
  await eventually("the first clip is chosen", async () => (await clip.inputValue()) === "0");
  const time = visit.page.getByRole("spinbutton", { name: "Time" });
  const start = await time.inputValue();
  await play.click();
  await eventually("time goes on", async () => Number(await time.inputValue()) > Number(start) + 0.1);
  await eventually("the picture moves", async () => difference(still, await visit.view().screenshot()) > 20);
  await visit.page.getByRole("button", { name: "Pause" }).click();
}

for (const [name, content] of [
  ["noise.glb", Buffer.from(Array.from({ length: 4000 }, (_, k) => (k * 7919) % 251))],
  ["letter.txt", "Dear reader, this is not a character."],
]) {
  test(`${name} is refused in words, and what is open stays`, async (t) => {
    const visit = await studio.visit(t);
    const before = await visit.picture();
    await visit.open(await folder.write(name, content));
    const message = visit.page.getByRole("alert").filter({ hasText: name });
    await message.waitFor();
    await visit.keepPage(`refused ${name}`);
    await message.getByRole("button", { name: "Close" }).click();
    await eventually("the picture stays", async () => difference(before, await visit.picture()) === 0);
    await visit.page.getByTitle("The character that is open").filter({ hasText: "mannequin" }).waitFor();
    assert.ok(await visit.page.getByRole("button", { name: "Undo" }).isDisabled(), "nothing happened");
    visit.assertNoProblems();
  });
}

test("a motion dropped on the figure plays on it", async (t) => {
  const visit = await studio.visit(t);
  const still = await visit.picture();
  await drop(visit, shared("mocap", "makehuman_walk1.bvh"));
  await visit.page.getByRole("button", { name: "Pause" }).waitFor();
  const clip = visit.page.getByLabel("Clip", { exact: true });
  await eventually("it is chosen", async () => /walk1|makehuman/.test(await clip.locator("option:checked").innerText()));
  await eventually("it walks", async () => difference(still, await visit.view().screenshot()) > 2000);
  await visit.page.getByRole("button", { name: "Pause" }).click();
  await visit.keepPage("motion dropped");
  await visit.page.getByRole("button", { name: /^Undo/ }).click();
  await eventually("the first clip is back", async () => (await clip.locator("option:checked").innerText()) === "elbow curl");
  await eventually("the motion is gone with the undo", async () => (await clip.getByText(/walk1|makehuman/).count()) === 0);
  visit.assertNoProblems();
});

/** Drags a file from the desktop onto the picture. */
async function drop(visit, path) {
  const content = (await readFile(path)).toString("base64");
  const data = await visit.page.evaluateHandle(
    ({ name, text }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
      return transfer;
    },
    { name: basename(path), text: content },
  );
  for (const event of ["dragenter", "dragover", "drop"]) {
    await visit.view().dispatchEvent(event, { dataTransfer: data });
    if (event === "dragover") await visit.page.getByText("Drop a character, or a motion to play on it").waitFor();
  }
}
