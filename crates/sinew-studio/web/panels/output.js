// The outputs of the studio: the recipe, the moving surface, pictures, and a link.

import { sentence } from "../errors.js";
import { chooseFiles, downloadUrl, downloadText, stem } from "../files.js";
import { limits } from "../state/limits.js";
import { schema } from "../state/schema.js";
import { buttonRow, button, group, numberField, selectField } from "../widgets/form.js";
import { counted } from "../numbers.js";
import { element } from "../widgets/dom.js";
import { watch } from "./common.js";
import { jobButton } from "./job.js";

/** @import { BakeFormat, Panel, Studio } from "../types" */

/** @type {Panel} */
export const output = { id: "output", title: "Save and export", place: "right", mount };

/** @type {Record<BakeFormat, string>} */
const FORMATS = {
  glb: "GLB: glTF with morph targets, for any program that plays them",
  usda: "USD: a mesh with points over time",
  pc2: "PC2: a point cache for the file's own mesh",
};

/** @param {HTMLElement} body @param {Studio} studio */
function mount(body, studio) {
  body.append(recipe(studio), bake(studio), pictures(studio));
}

/** @param {Studio} studio */
function recipe(studio) {
  const { store, engine } = studio;
  const save = async () => {
    try {
      const { text } = await engine.request("write_recipe", { recipe: store.state.recipe });
      downloadText(`${stem(store.state.character?.name ?? "")}.sinew.toml`, text);
    } catch (error) {
      studio.notify("error", sentence(error));
    }
  };
  const load = async (/** @type {File} */ file) => {
    try {
      const { recipe: read } = await engine.request("read_recipe", { text: await file.text() });
      store.change(`load ${file.name}`, (doc) => ({ ...doc, recipe: read }));
    } catch (error) {
      studio.notify("error", `${file.name}: ${sentence(error)}`);
    }
  };
  return group(
    "Recipe",
    { open: true, hint: "Every setting of this page as a text file, for the command line and for later" },
    buttonRow(
      button({
        label: "Save recipe",
        title: "Save all settings as .sinew.toml, with a comment to every key",
        onClick: () => void save(),
      }),
      button({
        label: "Load recipe…",
        title: "Load settings from a .sinew.toml",
        onClick: () => chooseFiles(".toml", ([file]) => void load(file)),
      }),
      button({
        label: "Copy link",
        title: "Copy the address of this page: it holds the pose, the settings and the view",
        onClick: () => void copyLink(studio),
      }),
    ),
  );
}

/** @param {Studio} studio */
async function copyLink(studio) {
  try {
    await navigator.clipboard.writeText(location.href);
    studio.notify("info", "The link is in the clipboard. It opens this view wherever the same character is open.");
  } catch {
    studio.notify("warning", "The browser does not allow copying: take the link from the address bar.");
  }
}

/** @param {Studio} studio */
function bake(studio) {
  const { hello } = studio.engine;
  if (!hello.can.bake) return element("p", { class: "note" }, "Baking needs the native engine: start `sinew studio`.");
  let format = hello.formats.bake[0];
  const about = element("p", { class: "note" });
  const choice = selectField({
    label: "Format",
    title: "The file format",
    choices: hello.formats.bake.map((name) => ({ value: name, label: name.toUpperCase(), title: FORMATS[name] })),
    onChange: (value) => {
      format = /** @type {BakeFormat} */ (value);
      about.textContent = FORMATS[format];
    },
  });
  const fps = numberField({
    label: "Bake rate",
    unit: "fps",
    title: "Frames per second of the bake",
    ...limits(schema.BakeRecipe.fps, 1),
    slider: [1, 120],
    step: 1,
    decimals: 2,
    onChange: (value) =>
      studio.store.change("frames per second", (doc) => ({
        ...doc,
        recipe: { ...doc.recipe, bake: { ...doc.recipe.bake, fps: value } },
      })),
  });
  watch(studio, (doc) => doc.recipe.bake.fps, fps.set);
  const job = jobButton({
    studio,
    label: "Bake",
    title: "Compute every frame of the clip and download the moving surface",
    look: "primary",
    start: () => {
      const { character, recipe: made, clip, turns } = studio.store.state;
      if (!character || clip === null) {
        studio.notify("info", "Choose a clip to bake.");
        return null;
      }
      return studio.engine.start("bake", { key: character.key, recipe: made, clip, turns, format, fps: made.bake.fps });
    },
    finish: ({ url, name, bytes }) => {
      downloadUrl(url, name);
      studio.notify("info", `${name} is ready (${counted(bytes / 1024)} KiB).`);
    },
  });
  choice.set(format);
  about.textContent = FORMATS[format];
  return group(
    "Bake",
    { open: true, hint: "The clip as a moving surface, for other programs" },
    choice.element,
    about,
    fps.element,
    buttonRow(job.button),
    job.status,
  );
}

/** @param {Studio} studio */
function pictures(studio) {
  const { capture, actions } = studio;
  let frames = 36;
  const count = numberField({
    label: "Turntable",
    unit: "frames",
    title: "Pictures of one turn",
    min: 4,
    max: 720,
    slider: [12, 120],
    step: 1,
    decimals: 0,
    onChange: (value) => {
      frames = Math.round(value);
    },
  });
  count.set(frames);
  const done = () => studio.notify("info", "The pictures are saved as a .zip.");
  const turntable = jobButton({
    studio,
    label: "Turntable",
    title: "Once around the character, as a .zip of PNGs",
    start: () => capture.turntable({ frames }),
    finish: done,
  });
  const clip = jobButton({
    studio,
    label: "Clip as PNGs",
    title: "Every frame of the clip, as a .zip of PNGs",
    start: () => capture.clip(),
    finish: done,
  });
  const screenshot = button({
    label: "Screenshot",
    title: `The view as a PNG (${actions.screenshot.keys ?? ""})`,
    onClick: () => actions.screenshot.run(),
  });
  return group(
    "Pictures",
    { open: true, hint: "What you see, as PNG" },
    buttonRow(screenshot, turntable.button, clip.button),
    count.element,
    turntable.status,
    clip.status,
  );
}
