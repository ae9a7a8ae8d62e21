// The target volume: the volume at rest, another share of it, or a share that changes over the clip, such as breathing.

import { limits } from "../../state/limits.js";
import { schema } from "../../state/schema.js";
import { element, show } from "../../widgets/dom.js";
import { group, numberField, segmented, selectField } from "../../widgets/form.js";
import { CurveEditor } from "../../widgets/curve.js";
import { valueAt } from "../../widgets/monotone.js";
import { gesture, watch, withVolume } from "../common.js";

/** @import { Point, Studio } from "../../types" */

const WHOLE = "";
const SECONDS = limits(schema.VolumeRecipe.target.places);
const SHARES = limits(schema.VolumeRecipe.target, 0.01);

/** @param {Studio} studio */
export function targetEditor(studio) {
  const { store } = studio;
  const mode = segmented({
    label: "Volume to have",
    choices: [
      { value: "constant", label: "constant", title: "The same share of the rest volume at all times" },
      { value: "curve", label: "over the clip", title: "A curve over the seconds of the clip: breathing" },
    ],
    onChange: (value) =>
      store.change("target volume", (doc) =>
        withVolume(doc, {
          target: value === "curve" ? asCurve(doc.recipe.volume.target) : asNumber(doc.recipe.volume.target),
        }),
      ),
  });
  const asCurve = (/** @type {number | Point[]} */ target) => {
    if (typeof target !== "number") return target;
    const { start, end } = studio.playback.clip ?? { start: 0, end: 2 };
    return /** @type {Point[]} */ ([
      [start, target],
      [(start + end) / 2, target],
      [end, target],
    ]);
  };
  const asNumber = (/** @type {number | Point[]} */ target) =>
    typeof target === "number" ? target : valueAt(target, target[0][0]);
  const percent = gesture(studio, "target volume", (doc, /** @type {number} */ value) =>
    withVolume(doc, { target: value / 100 }),
  );
  const constant = numberField({
    label: "Target",
    unit: "%",
    title: "Share of the rest volume to have: 100 % keeps it",
    min: 100 * SHARES.min,
    max: 100 * SHARES.max,
    slider: [80, 120],
    step: 0.5,
    decimals: 2,
    ...percent,
  });
  const points = gesture(studio, "target curve", (doc, /** @type {Point[]} */ value) =>
    withVolume(doc, { target: value.map(([t, share]) => /** @type {Point} */ ([t, share / 100])) }),
  );
  const curve = new CurveEditor({
    label: "Target over the clip",
    title: "The volume to have, in per cent of the rest volume, over the seconds of the clip",
    x: { label: "At", unit: "s", limits: [SECONDS.min, SECONDS.max], view: [0, 1], step: 0.05 },
    y: { label: "Volume", unit: "%", limits: [100 * SHARES.min, 100 * SHARES.max], view: [90, 112], step: 0.5 },
    outside: "hold",
    height: 120,
    ...points,
  });
  const joint = selectField({
    label: "Around",
    title: "The joint around which the body breathes when the target is not 100 %",
    choices: [],
    onChange: (name) => store.change("target joint", (doc) => withVolume(doc, { target_joint: name })),
  });
  const renderView = () => {
    const { start, end } = studio.playback.clip ?? { start: 0, end: 2 };
    curve.options.x.view = [start, Math.max(end, start + 0.1)];
    const { target } = store.state.recipe.volume;
    if (typeof target !== "number") curve.set(target.map(([t, share]) => [t, 100 * share]));
  };
  const renderJoints = () =>
    joint.choices([
      { value: WHOLE, label: "the whole surface" },
      ...(studio.character?.joints ?? [])
        .filter((each) => each.weighted)
        .map(({ name }) => ({ value: name, label: name })),
    ]);
  renderJoints();
  studio.on("opened", () => {
    renderJoints();
    renderView();
  });
  watch(studio, (doc) => doc.clip, renderView);
  watch(
    studio,
    (doc) => doc.recipe.volume.target,
    (target) => {
      const varies = typeof target !== "number";
      mode.set(varies ? "curve" : "constant");
      show(constant.element, !varies);
      show(curve.element, varies);
      if (!varies) constant.set(100 * target);
      renderView();
    },
  );
  watch(
    studio,
    (doc) => doc.recipe.volume.target_joint,
    (name) => joint.set(name),
  );
  return group(
    "Target volume",
    { hint: "How much volume there should be: a chest that breathes" },
    element("div", { class: "stack" }, mode.element, constant.element, curve.element, joint.element),
  );
}
