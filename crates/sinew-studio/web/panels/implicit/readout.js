// The measurements of the implicit skin in the current frame.

import { throttle } from "../../timing.js";
import { element, write } from "../../widgets/dom.js";
import { NOTHING, READABLE_MS, figure } from "../../widgets/figure.js";
import { counted, fixed } from "../../numbers.js";

/** @import { FieldsMessage, FrameMessage, Studio } from "../../types" */

/** @param {Studio} studio */
export function readout(studio) {
  const points = figure("following", "Points that follow", "Points of the skin that follow the fields in this pose");
  const error = figure(
    "iso-error",
    "Iso-error",
    "How far these points are from their iso-values on average, before and after they follow; values go from 0 to 1",
  );
  const crossings = figure(
    "crossing pairs",
    "Crossing triangle pairs",
    "Pairs of triangles that cross: with the skin alone, and in what you see. Counted once the pose does not change",
  );
  const render = () => {
    const { following, errors } = inFigures(studio.frame?.implicit ?? null);
    write(points.value, following);
    write(error.value, errors);
  };
  studio.on("frame", throttle(READABLE_MS, render));
  return {
    element: element(
      "div",
      { class: "figures three", role: "group", "aria-label": "Implicit skin" },
      points.element,
      error.element,
      crossings.element,
    ),
    /** @param {FieldsMessage | null} fields */
    update: (fields) => {
      const { base, final } = fields?.crossings ?? {};
      write(crossings.value, base === undefined || final === undefined ? NOTHING : `${counted(base)} → ${counted(final)}`);
    },
  };
}

/** @param {FrameMessage["implicit"]} tracking */
export function inFigures(tracking) {
  if (!tracking) return { following: NOTHING, errors: NOTHING };
  const { points, before, after } = tracking;
  const errors = points === 0 ? NOTHING : `${fixed(before, 3)} → ${fixed(after, 3)}`;
  return { following: counted(points), errors };
}
