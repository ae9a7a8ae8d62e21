// A position in world space: three numbers along the file's axes, with steps that fit the character's size.

import { element } from "../widgets/dom.js";
import { numberField } from "../widgets/form.js";

/** @import { Studio, Vector3 } from "../types" */

const AXES = /** @type {const} */ (["X", "Y", "Z"]);
/** An arrow key, as a share of the character's size. */
const STEP = 0.005;

/**
 * @param {Studio} studio
 * @param {object} options
 * @param {string} options.label such as "Pin", for "Pin X"
 * @param {string} options.what such as "The target of the joint", for the titles
 * @param {(axis: number, value: number) => void} options.move
 */
export function positionFields(studio, { label, what, move }) {
  /** @type {import("../widgets/form.js").Field<number>[]} */
  let fields = [];
  /** @type {Vector3 | null} */
  let shown = null;
  const row = element("div", { class: "places" });
  const build = () => {
    const step = 10 ** Math.round(Math.log10(STEP * extentOf(studio)));
    fields = AXES.map((axis, k) =>
      numberField({
        label: `${label} ${axis}`,
        title: `${what} along ${axis.toLowerCase()}, in the file's units and axes`,
        min: -1e9,
        max: 1e9,
        step,
        decimals: Math.max(1 - Math.round(Math.log10(step)), 0),
        slider: null,
        onInput: (value) => move(k, value),
        onChange: (value) => {
          move(k, value);
          studio.store.seal();
        },
      }),
    );
    row.replaceChildren(...fields.map((field) => field.element));
    if (shown) set(shown);
  };
  const set = (/** @type {Vector3} */ place) => {
    shown = place;
    fields.forEach((field, axis) => field.set(place[axis]));
  };
  build();
  studio.on("opened", build);
  return { element: row, set };
}

/** The largest extent of the character at rest. @param {Studio} studio */
export function extentOf({ character }) {
  const { min, max } = character?.bounds ?? { min: [0, 0, 0], max: [1, 1, 1] };
  return Math.max(...max.map((value, k) => value - min[k])) || 1;
}
