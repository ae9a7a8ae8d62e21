// Handles: the solver converges over several frames. While a frame has not converged, the next one is requested.

import { isByHandles } from "../../state/cage.js";
import { watch } from "../common.js";

/** @import { FrameMessage, Studio } from "../../types" */

/** The most frames after a change; what moves after them is not visible. */
const MOST = 60;

/** @param {Studio} studio */
export function refreshUntilConverged(studio) {
  let left = MOST;
  const renew = () => {
    left = MOST;
  };
  watch(studio, (doc) => doc.cage, renew);
  watch(studio, (doc) => doc.recipe.cage, renew);
  studio.on("frame", (/** @type {FrameMessage} */ { cage }) => {
    if (!cage?.outcome || cage.outcome.settled || !isByHandles(studio.store.state) || left === 0) return;
    left -= 1;
    studio.playback.refresh();
  });
}
