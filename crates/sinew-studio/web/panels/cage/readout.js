// The error of the cage in the current frame.

import { throttle } from "../../timing.js";
import { element, write } from "../../widgets/dom.js";
import { NOTHING, READABLE_MS, figure } from "../../widgets/figure.js";
import { counted, length, signed } from "../../numbers.js";

/** @import { CageOutcome, Studio } from "../../types" */

/** @param {Studio} studio */
export function readout(studio) {
  const figures = {
    volume: figure("volume", "Volume of the tetrahedra", "The change of the volume of all tetrahedra"),
    missed: figure("missed by", "Handles miss their targets by", "The largest distance of a handle from its target"),
    inverted: figure("inverted", "Inverted tetrahedra", "Tetrahedra with a negative volume"),
  };
  studio.on(
    "frame",
    throttle(READABLE_MS, () => {
      const texts = inFigures(studio.frame?.cage?.outcome ?? null, studio.character?.units ?? null);
      for (const key of /** @type {const} */ (["volume", "missed", "inverted"])) write(figures[key].value, texts[key]);
    }),
  );
  return element(
    "div",
    { class: "figures three", role: "group", "aria-label": "Following the cage" },
    ...Object.values(figures).map((each) => each.element),
  );
}

/** @param {CageOutcome | null} outcome @param {number | null} units */
export function inFigures(outcome, units) {
  if (!outcome) return { volume: NOTHING, missed: NOTHING, inverted: NOTHING };
  return {
    volume: `${signed(100 * outcome.volume_error, 2)} %`,
    missed: length(outcome.handle_error, units),
    inverted: counted(outcome.inverted),
  };
}
