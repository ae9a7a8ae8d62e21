// The muscles, between the implicit skin and the volume: the set, its appearance, and the settings of each muscle.

import { limits } from "../state/limits.js";
import { schema } from "../state/schema.js";
import { element, write } from "../widgets/dom.js";
import { checkbox, group, numberField, segmented, selectField } from "../widgets/form.js";
import { gesture, watch, withMuscles } from "./common.js";
import { muscleList } from "./muscles/list.js";
import { muscleEditor } from "./muscles/muscle.js";
import { excludedMeshes } from "./excluded_meshes.js";

/** @import { Doc, MusculatureMessage, MuscleLook, MuscleRecipe, Panel, Studio } from "../types" */
/** @import { Limits } from "../state/limits.js" */

/** @type {Panel} */
export const muscles = { id: "muscles", title: "Muscles", place: "right", mount };

const SETS = [
  { value: "off", label: "none", title: "No muscles" },
  { value: "humanoid", label: "human", title: "The muscles of a human body" },
  { value: "quadruped", label: "quadruped", title: "The muscles of a body on four legs" },
];

/** @type {{value: MuscleLook, label: string, title: string}[]} */
const LOOKS = [
  { value: "hidden", label: "skin", title: "The skin alone" },
  { value: "under", label: "through the skin", title: "Muscles under a skin that is seen through; click one to select it" },
  { value: "bare", label: "muscles", title: "Muscles as if there were no skin; click one to select it" },
];

/**
 * Live settings take effect during a drag; for the others, muscles are fitted again at the end of the drag.
 * @type {{key: "amount" | "auto" | "stiffness" | "damping" | "friction", label: string, title: string, range: Limits, isLive?: boolean}[]}
 */
const NUMBERS = [
  { key: "amount", label: "Amount", title: "How much the muscles deform the skin", range: limits(schema.MuscleRecipe.amount), isLive: true },
  { key: "auto", label: "Automatic", title: "The activation by the motion, for muscles without their own", range: limits(schema.MuscleRecipe.auto), isLive: true },
  { key: "stiffness", label: "Stiffness", title: "The stiffness of muscles without their own: lower values jiggle more", range: limits(schema.MuscleRecipe.stiffness, 0.01) },
  { key: "damping", label: "Damping", title: "The share of its velocity that a muscle keeps in 1/300 s: 1 for no damping", range: limits(schema.MuscleRecipe.damping, 0.01) },
  { key: "friction", label: "Friction", title: "The share of its sliding velocity on a bone that a muscle loses in 1/300 s", range: limits(schema.MuscleRecipe.friction) },
];
/** The value of the slider if the recipe leaves the stiffness to the set. */
const USUAL_STIFFNESS = 0.9;

/** @param {HTMLElement} body @param {Studio} studio */
function mount(body, studio) {
  const { store, engine } = studio;
  const set = selectField({
    label: "Set",
    title: "Which muscles are under the skin",
    choices: SETS,
    onChange: (value) => store.change(`muscles: ${value}`, (doc) => withMuscles(doc, (recipe) => ({ ...recipe, set: value }))),
  });
  const look = segmented({
    label: "Show",
    title: "Whether the muscles are seen",
    choices: LOOKS,
    onChange: (value) =>
      store.change(`show ${value}`, (doc) => ({ ...doc, view: { ...doc.view, muscles: /** @type {MuscleLook} */ (value) } })),
  });
  const note = element("p", { class: "note" });
  const list = muscleList(studio);
  const editor = muscleEditor(studio);
  body.append(
    set.element,
    look.element,
    note,
    group("By name", { open: true, hint: "Choose one, here or by a click in the view" }, list.element),
    editor.element,
    group("All muscles", { open: true, hint: "What holds for all of them" }, ...NUMBERS.map((number) => numberOf(studio, number)), contacts(studio), excludedMeshes(studio, "muscles")),
  );
  const update = (/** @type {MusculatureMessage | null} */ musculature) => {
    list.update(musculature);
    editor.update(musculature);
  };
  engine.on("musculature", update);
  engine.on("hello", () => update(null));
  watch(
    studio,
    (doc) => doc.recipe.muscles.set,
    (value) => {
      const isFile = SETS.every((choice) => choice.value !== value);
      set.choices(isFile ? [...SETS, { value, label: value, title: "A file that the recipe names" }] : SETS);
      set.set(value);
      if (value === "off") update(null);
    },
  );
  watch(
    studio,
    (doc) => doc.view.muscles,
    (value) => look.set(value),
  );
  watch(
    studio,
    ({ recipe, view }) => recipe.muscles.set === "off" && view.muscles !== "hidden",
    (isEmpty) => write(note, isEmpty ? "Choose a set: there are no muscles to show." : ""),
  );
}

/** @param {Studio} studio @param {typeof NUMBERS[number]} number */
function numberOf(studio, { key, label, title, range, isLive = false }) {
  const edit = (/** @type {Doc} */ doc, /** @type {number | undefined} */ value) =>
    withMuscles(doc, (recipe) => /** @type {MuscleRecipe} */ ({ ...recipe, [key]: value }));
  const { onInput, onChange } = gesture(studio, `muscles: ${label.toLowerCase()}`, edit);
  const isOptional = key === "stiffness";
  const field = numberField({
    label,
    title,
    ...range,
    step: 0.01,
    onInput: isLive ? onInput : undefined,
    onChange,
    onReset: isOptional ? () => onChange(undefined) : undefined,
  });
  watch(
    studio,
    (doc) => doc.recipe.muscles[key],
    (value) => {
      field.set(value ?? USUAL_STIFFNESS);
      field.mark(value !== undefined);
    },
  );
  return field.element;
}

/** @param {Studio} studio */
function contacts(studio) {
  const box = checkbox({
    label: "Keep the skin apart",
    title: "The skin does not pass through itself where muscles swell",
    onChange: (on) =>
      studio.store.change(`muscles: contacts ${on ? "on" : "off"}`, (doc) => withMuscles(doc, (recipe) => ({ ...recipe, contacts: on }))),
  });
  watch(studio, (doc) => doc.recipe.muscles.contacts, box.set);
  return box.element;
}
