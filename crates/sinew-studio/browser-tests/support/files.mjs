// Files for the tests: the shared characters and motions, and those that a test writes.

import { readdirSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { after } from "node:test";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const DATA = process.env.SINEW_DATA ?? here("../../../../../shared/data");
const ARTIFACTS = process.env.SINEW_ARTIFACTS ?? here("../artifacts");

/** @param {string[]} path of a shared file */
export const shared = (...path) => join(DATA, ...path);

/** The shared characters in glTF. */
export const characters = () =>
  readdirSync(shared("gltf"))
    .filter((name) => /\.(glb|gltf)$/.test(name))
    .map((name) => shared("gltf", name));

/** A folder that goes when the tests of this file are done. */
export async function scratch() {
  const folder = await mkdtemp(join(tmpdir(), "sinew-browser-"));
  after(() => rm(folder, { recursive: true }));
  return {
    path: (name) => join(folder, name),
    write: async (name, content) => {
      await writeFile(join(folder, name), content);
      return join(folder, name);
    },
  };
}

/** Keeps a picture for people to look at. */
export async function keepPicture(name, picture) {
  await mkdir(ARTIFACTS, { recursive: true });
  await writeFile(join(ARTIFACTS, `${name}.png`), picture);
}
