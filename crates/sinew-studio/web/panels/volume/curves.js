// The three curves of a profile. Unless its kind is "curves", they only show the kind and can be converted to curves.

import { limits } from "../../state/limits.js";
import { schema } from "../../state/schema.js";
import { element, show } from "../../widgets/dom.js";
import { button } from "../../widgets/form.js";
import { CurveEditor } from "../../widgets/curve.js";
import { fitPoints } from "../../widgets/points.js";
import { gesture, withProfile } from "../common.js";

/** @import { Point, ProfileMessage, Studio } from "../../types" */

const AXES = /** @type {const} */ ([
  {
    key: "along",
    label: "Along the bone",
    title: "Along the parent bone: the joint is at 0, the parent's side is negative",
  },
  { key: "across", label: "Across the bend", title: "Along the axis of the bend: to both sides of the limb" },
  { key: "inward", label: "Inward", title: "Towards the inside of the bend; the outside is negative" },
]);
/** So many points are enough to follow a kind, and few enough to drag. */
const TAKEN_OVER = 7;

/** @param {Studio} studio @param {() => string | null} edited the joint that is edited, or null for all */
export function profileCurves(studio, edited) {
  /** @type {ProfileMessage | null} */
  let profile = null;
  const editors = AXES.map(({ key, label, title }) => {
    const places = limits(schema.ProfileRecipe[key].places);
    const values = limits(schema.ProfileRecipe[key]);
    const reports = gesture(studio, `curve ${key}`, (doc, /** @type {Point[]} */ points) =>
      withProfile(doc, edited(), { [key]: points }),
    );
    return new CurveEditor({
      label,
      title: `${title}. Only ratios of values count: the volume decides the height.`,
      x: { label: "Place", unit: "radii", limits: [places.min, places.max], view: [-2.5, 2.5], step: 0.05 },
      y: { label: "Value", unit: "", limits: [values.min, values.max], view: [0, 1.1], step: 0.02 },
      outside: "zero",
      height: 116,
      ...reports,
    });
  });
  const takeOver = button({
    label: "Edit as curves",
    title: "Turn the shape of this kind into three curves with points to drag",
    onClick: () => {
      if (!profile) return;
      const { samples } = profile;
      const points = Object.fromEntries(AXES.map(({ key }, axis) => [key, fitPoints(samples[axis], TAKEN_OVER)]));
      studio.store.change("edit as curves", (doc) => withProfile(doc, edited(), { kind: "curves", ...points }));
    },
  });
  const hint = element(
    "p",
    { class: "note" },
    "Drag a point; double-click adds one, right click removes it. Alt drags both sides.",
  );
  return {
    elements: [takeOver, ...editors.map((editor) => editor.element), hint],
    /** The shown curves are no longer those of the recipe. */
    outdate: () => {
      takeOver.disabled = true;
    },
    /** @param {ProfileMessage} next */
    set: (next) => {
      profile = next;
      takeOver.disabled = false;
      const free = next.kind === "curves";
      show(takeOver, !free || next.curves.some((curve) => curve.length === 0));
      show(hint, free);
      editors.forEach((editor, axis) => {
        editor.set(free ? next.curves[axis] : []);
        editor.ghost(next.samples[axis]);
      });
    },
  };
}
