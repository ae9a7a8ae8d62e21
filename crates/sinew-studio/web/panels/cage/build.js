// Building a cage: on request, and then again after every change of its settings or markers, undo included. The engine
// caches the last few cages.

import { cageKey, withCage } from "../../state/cage.js";
import { jobButton } from "../job.js";
import { watch } from "../common.js";

/** @import { CagedMessage, Studio } from "../../types" */

/**
 * @param {Studio} studio
 * @param {(caged: CagedMessage | null) => void} update called with a new cage, or null without one
 */
export function followCage(studio, update) {
  const { store, engine } = studio;
  /** The key of the cage that is shown. @type {string | null} */
  let shown = null;
  /** The key of the last request, even of a failed one. @type {string | null} */
  let asked = null;
  const job = jobButton({
    studio,
    label: "Build the cage",
    title: "Put a closed surface around the mesh and fill it with tetrahedra",
    look: "primary",
    start: () => {
      if (!studio.character) return null;
      const wanted = store.state.cage.on ? store.state : withCage(store.state, { on: true, follow: true });
      asked = cageKey(wanted);
      store.change("build a cage", () => wanted);
      return engine.start("cage", { key: studio.character.key, recipe: store.state.recipe });
    },
    finish: (caged) => {
      if (asked === null || asked !== cageKey(store.state)) return;
      shown = asked;
      update(caged);
      studio.playback.refresh();
    },
  });
  const isOpen = () => studio.character !== null && studio.character.key === store.state.character?.key;
  let isBusy = false;
  const refresh = async () => {
    if (isBusy) return;
    isBusy = true;
    for (let wanted = cageKey(store.state); wanted !== shown; wanted = cageKey(store.state)) {
      if (shown !== null) update(null);
      shown = null;
      if (wanted === null) asked = null;
      if (wanted === null || wanted === asked || !isOpen()) break;
      await job.run();
    }
    isBusy = false;
  };
  watch(studio, cageKey, () => void refresh());
  studio.on("opened", () => {
    asked = shown = null;
    update(null);
    void refresh();
  });
  return job;
}
