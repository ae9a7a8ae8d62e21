// The measurements of the implicit skin in the current frame.

import { throttle } from "../../timing.js";
import { element, write } from "../../widgets/dom.js";
import { NOTHING, READABLE_MS, figure } from "../../widgets/figure.js";
import { counted } from "../../numbers.js";

/** @import { FieldsMessage, FrameMessage, Studio } from "../../types" */

/** @param {Studio} studio */
export function readout(studio) {
  const points = figure("points moved", "Points moved", "Points of the skin that the implicit skin moves in this pose");
  const contacts = figure("touching", "Touching", "How many of these points touch another limb");
  const crossings = figure(
    "crossing pairs",
    "Crossing triangle pairs",
    "Pairs of triangles that cross: with the skin alone, and in what you see. Counted once the pose does not change",
  );
  const render = () => {
    const { moved, touching } = inFigures(studio.frame?.implicit ?? null);
    write(points.value, moved);
    write(contacts.value, touching);
  };
  studio.on("frame", throttle(READABLE_MS, render));
  return {
    element: element(
      "div",
      { class: "figures three", role: "group", "aria-label": "Implicit skin" },
      points.element,
      contacts.element,
      crossings.element,
    ),
    /** @param {FieldsMessage | null} fields */
    update: (fields) => {
      const { base, final } = fields?.crossings ?? {};
      write(crossings.value, base === undefined || final === undefined ? NOTHING : `${counted(base)} → ${counted(final)}`);
    },
  };
}

/** @param {FrameMessage["implicit"]} implicit */
export function inFigures(implicit) {
  if (!implicit) return { moved: NOTHING, touching: NOTHING };
  return { moved: counted(implicit.moved), touching: counted(implicit.touching) };
}
