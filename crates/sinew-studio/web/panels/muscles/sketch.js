// The profile of a muscle from a drawing, by hand or from a file, fitted by the engine. The fitted profile is part of
// the recipe. Drawings stay in memory while the page is open, so that undo restores the previous one.

import { rounded } from "../../numbers.js";
import { sentence } from "../../errors.js";
import { chooseFiles } from "../../files.js";
import { latestOnly } from "../../timing.js";
import { attach } from "../../engine/message.js";
import { element, show, write } from "../../widgets/dom.js";
import { button, buttonRow } from "../../widgets/form.js";
import { sketchPad } from "../../widgets/sketch_pad.js";

/** @import { MuscleChange, MuscleInfo, SketchMessage, Studio } from "../../types" */
/** @typedef {{outline: [number, number][]} | {file: File}} Drawn */

/** Stored decimals of a radius. */
const DIGITS = 4;

/**
 * @param {Studio} studio
 * @param {(what: string, patch: MuscleChange) => void} set changes the selected muscle
 */
export function muscleSketch(studio, set) {
  /** @type {Map<string, SketchMessage>} */
  const drawings = new Map();
  /** @type {SketchMessage | undefined} */
  let shown;
  const about = element("output", { "aria-label": "Fit of the drawing" });
  const take = latestOnly(async (/** @type {Drawn} */ drawn) => {
    const { muscle } = studio.store.state;
    if (muscle === null) return;
    try {
      const sketch = await fitted(studio, drawn);
      const change = profileChange(sketch);
      drawings.set(profileKey(muscle, change), sketch);
      if (studio.store.state.muscle === muscle) set("profile", change);
    } catch (error) {
      studio.notify("error", "file" in drawn ? `${drawn.file.name}: ${sentence(error)}` : sentence(error));
    }
  });
  const pad = sketchPad({
    label: "Sheet to draw the profile on",
    title: "Draw the outline of the muscle in one stroke, its origin to the left: it is closed when you let go",
    onDrawn: (outline) => void take({ outline }),
  });
  const open = button({
    label: "Open a sketch…",
    title: "An SVG drawing, of which the largest closed shape counts, or a PNG picture of a silhouette or its outline",
    onClick: () => chooseFiles(".svg,.png", ([file]) => void take({ file })),
  });
  const radius = button({
    label: "Take its thickness",
    look: "quiet",
    title: "The radius of the belly, as a share of the length, becomes that of the drawing",
    onClick: () => shown && set("radius", { radius: rounded(Math.min(shown.radius, 1), DIGITS) }),
  });
  return {
    element: element("section", { class: "stack", "aria-label": "Drawn profile" }, element("h4", {}, "Draw the profile"), pad.element, about, buttonRow(open, radius)),
    /** @param {MuscleInfo} muscle as the recipe has it */
    set: (muscle) => {
      shown = drawings.get(profileKey(muscle.name, muscle));
      pad.show(shown?.outline ?? [], shown?.profile ?? []);
      write(about, shown?.about ?? "");
      show(radius, shown !== undefined);
    },
  };
}

/** @param {Studio} studio @param {Drawn} drawn */
async function fitted({ engine }, drawn) {
  if ("outline" in drawn) return engine.request("sketch", { drawn });
  const { files, payload } = attach([{ name: drawn.file.name, bytes: await drawn.file.arrayBuffer() }]);
  return engine.request("sketch", { drawn: { file: files[0] } }, payload);
}

/**
 * The recipe's change of a muscle with the profile of a sketch instead of its previous profile.
 *
 * @param {Pick<SketchMessage, "shape" | "series">} sketch
 * @returns {MuscleChange}
 */
export function profileChange({ shape, series }) {
  return { shape: shape ?? undefined, series: series ?? undefined, sketch: undefined };
}

/**
 * The profile of a muscle, of either side, as a word.
 *
 * @param {string} name
 * @param {{shape?: number[] | null, series?: number[] | null}} profile
 */
export function profileKey(name, { shape, series }) {
  return JSON.stringify([name.replace(/^(left|right) /, ""), series ?? shape]);
}
