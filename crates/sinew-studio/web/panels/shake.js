// How a stage swings after a stop: the correction of the volume, or flesh.

import { limits } from "../state/limits.js";
import { schema } from "../state/schema.js";
import { element } from "../widgets/dom.js";
import { group, numberField } from "../widgets/form.js";
import { gesture, watch, withRecipe } from "./common.js";

/** @import { Doc, Studio } from "../types" */

const LIMITS = { volume: schema.ShakeRecipe, flesh: schema.FleshShakeRecipe };

/**
 * @param {Studio} studio
 * @param {"flesh" | "volume"} stage
 * @param {{ hint: string, note: string }} texts
 */
export function shake(studio, stage, { hint, note }) {
  /** @type {(key: "damping" | "frequency") => (doc: Doc, value: number) => Doc} */
  const change = (key) => (doc, value) =>
    withRecipe(doc, (recipe) => {
      const settings = recipe[stage];
      return { ...recipe, [stage]: { ...settings, shake: { ...settings.shake, [key]: value } } };
    });
  const frequency = numberField({
    label: "Swings",
    unit: "/ s",
    title: "Swings per second after a stop; 0 for none",
    ...limits(LIMITS[stage].frequency),
    slider: [0, 10],
    step: 0.1,
    ...gesture(studio, "shake frequency", change("frequency")),
  });
  const damping = numberField({
    label: "Damping",
    title: "Share of critical damping: 0.1 is jelly, 1 does not overshoot",
    ...limits(LIMITS[stage].damping, 0.01),
    slider: [0.05, 1.5],
    step: 0.01,
    ...gesture(studio, "shake damping", change("damping")),
  });
  watch(
    studio,
    (doc) => doc.recipe[stage].shake,
    (values) => {
      frequency.set(values.frequency);
      damping.set(values.damping);
    },
  );
  return group(
    "After-shake",
    { hint },
    element("div", { class: "stack" }, frequency.element, damping.element, element("p", { class: "note" }, note)),
  );
}
