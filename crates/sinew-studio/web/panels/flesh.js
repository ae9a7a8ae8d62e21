// Flesh, between the implicit skin and the muscles: how fine it is, its bones, and what it did in the current frame.

import { limits } from "../state/limits.js";
import { schema } from "../state/schema.js";
import { group, numberField, segmented } from "../widgets/form.js";
import { gesture, watch, withFlesh } from "./common.js";
import { boneEditor } from "./flesh/bone.js";
import { readout } from "./flesh/readout.js";
import { excludedMeshes } from "./excluded_meshes.js";
import { shake } from "./shake.js";

/** @import { Panel, Studio } from "../types" */

/** @type {Panel} */
export const flesh = { id: "flesh", title: "Flesh", place: "right", mount };

/** @param {HTMLElement} body @param {Studio} studio */
function mount(body, studio) {
  body.append(
    choice(studio, "fineness", "Fineness", "Elastic flesh on bones under the skin, in large or small tetrahedra; coarse while something moves"),
    ...readout(studio),
    group(
      "Bones",
      { open: true, hint: "What the flesh hangs on" },
      choice(studio, "bones", "Preset", "The bones of elbows and knees"),
      ...boneEditor(studio),
    ),
    muscleStiffness(studio),
    shake(studio, "flesh", {
      hint: "Flesh lags behind the body and swings",
      note: "It lives in time: bake the clip, or save it as PNGs, to see it.",
    }),
    excludedMeshes(studio, "flesh"),
  );
}

/**
 * @param {Studio} studio
 * @param {"fineness" | "bones"} key
 * @param {string} label
 * @param {string} title
 */
function choice(studio, key, label, title) {
  const field = segmented({
    label,
    title,
    choices: schema.FleshRecipe[key].choices.map(({ name, about }) => ({ value: name, label: name, title: about })),
    onChange: (value) => studio.store.change(`flesh: ${value}`, (doc) => withFlesh(doc, (flesh) => ({ ...flesh, [key]: value }))),
  });
  watch(studio, (doc) => doc.recipe.flesh[key], field.set);
  return field.element;
}

/** @param {Studio} studio */
function muscleStiffness(studio) {
  const field = numberField({
    label: "Muscle stiffness",
    title: "How stiff muscles are in the flesh, in stiffnesses of the flesh around them; for characters with a muscle set",
    ...limits(schema.FleshRecipe.muscle_stiffness),
    slider: [1, 10],
    step: 0.1,
    ...gesture(studio, "muscle stiffness in flesh", (doc, value) => withFlesh(doc, (flesh) => ({ ...flesh, muscle_stiffness: value }))),
  });
  watch(studio, (doc) => doc.recipe.flesh.muscle_stiffness, field.set);
  return field.element;
}
