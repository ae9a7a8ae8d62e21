// A body that follows handles comes to rest over several frames: where the last one was not settled, the next is asked for.

import { isByHandles } from "../../state/cage.js";
import { watch } from "../common.js";

/** @import { FrameInfo, Studio } from "../../types" */

/** Frames after a change at most: what then still moves does so by hairs. */
const MOST = 60;

/** @param {Studio} studio */
export function settle(studio) {
  let left = MOST;
  const renew = () => {
    left = MOST;
  };
  watch(studio, (doc) => doc.cage, renew);
  watch(studio, (doc) => doc.recipe.cage, renew);
  studio.on("frame", (/** @type {FrameInfo} */ { cage }) => {
    if (!cage?.outcome || cage.outcome.settled || !isByHandles(studio.store.state) || left === 0) return;
    left -= 1;
    studio.playback.refresh();
  });
}
