// The limits of the selected joint's rotation against its parent bone: [cage.limits] of the recipe.

import { FREE, isFree, rangeOf, withCage, withLimit, withoutLimits } from "../../state/cage.js";
import { element, show, write } from "../../widgets/dom.js";
import { button, buttonRow, checkbox, numberField } from "../../widgets/form.js";
import { watch } from "../common.js";

/** @import { CagedMessage, RangeRecipe, Studio } from "../../types" */

/** @type {{part: keyof RangeRecipe, name: string, title: string}[]} */
const PARTS = [
  { part: "bend", name: "Bend", title: "In the plane of the bone and the one before it, as a hinge bends; positive is further than at rest" },
  { part: "sideways", name: "Sideways", title: "Out of that plane" },
  { part: "twist", name: "Twist", title: "About the bone itself" },
];

/** @param {Studio} studio */
export function jointLimits(studio) {
  const { store } = studio;
  /** The names of joints whose bones have a parent bone. @type {Set<string>} */
  let limitable = new Set();
  const on = checkbox({
    label: "Joints stay within their limits",
    title: "As sinew cage drive --limits on or off",
    look: "switch",
    onChange: (value) => store.change(`limits: ${value ? "on" : "off"}`, (doc) => withCage(doc, { limits: value })),
  });
  const cones = checkbox({
    label: "Show limits as cones",
    title: "The directions that a bone may have, and an arc for its twist",
    onChange: (value) =>
      store.change(`${value ? "show" : "hide"} the cones`, (doc) => withCage(doc, { show: { ...doc.cage.show, cones: value } })),
  });
  const about = element("p", { class: "note" });
  const fields = PARTS.flatMap(({ part, name, title }) =>
    /** @type {const} */ ([0, 1]).map((end) => {
      const set = (/** @type {number} */ value) => {
        const joint = store.state.selected;
        const label = `limit ${joint}: ${name.toLowerCase()}`;
        if (joint !== null) store.change(label, (doc) => withLimit(doc, joint, part, end, value), label);
      };
      const field = numberField({
        label: `${name} ${end === 0 ? "from" : "to"}`,
        unit: "°",
        title,
        min: end === 0 ? -FREE : 0,
        max: end === 0 ? 0 : FREE,
        slider: end === 0 ? [-FREE, 0] : [0, FREE],
        step: 1,
        decimals: 0,
        onInput: set,
        onChange: (value) => {
          set(value);
          store.seal();
        },
      });
      return { field, part, end };
    }),
  );
  const free = button({
    label: "Free",
    look: "quiet",
    title: "Remove the limits of this joint",
    onClick: () => {
      const joint = store.state.selected;
      if (joint !== null) store.change(`free ${joint}`, (doc) => withoutLimits(doc, joint));
    },
  });
  const ranges = element("div", { class: "stack" }, ...fields.map(({ field }) => field.element), buttonRow(free));
  const render = () => {
    const { selected, recipe, cage } = store.state;
    on.set(cage.limits);
    cones.set(cage.show.cones);
    write(about, describe(selected, limitable, Object.keys(recipe.cage.limits).length));
    const isLimitable = selected !== null && limitable.has(selected);
    show(ranges, isLimitable);
    if (!isLimitable) return;
    const range = rangeOf(recipe.cage, selected);
    for (const { field, part, end } of fields) field.set(range[part][end]);
    free.disabled = isFree(range);
  };
  watch(studio, (doc) => doc, render);
  return {
    element: element("div", { class: "stack" }, on.element, cones.element, about, ranges),
    /** @param {CagedMessage | null} caged */
    update: (caged) => {
      const joints = studio.character?.joints ?? [];
      limitable = new Set(caged?.bones.map(({ joint }) => joints[joint].name));
      render();
    },
  };
}

/** @type {(selected: string | null, limitable: Set<string>, count: number) => string} */
export function describe(selected, limitable, count) {
  const others = count === 0 ? "No joint is limited yet." : `${count} ${count === 1 ? "joint is" : "joints are"} limited.`;
  if (selected === null) return `${others} Select one to limit it.`;
  if (!limitable.has(selected)) return `${others} No bone of ${selected} has a parent bone, so it cannot be limited.`;
  return `${others} ${selected}, from rest:`;
}
