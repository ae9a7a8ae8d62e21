// When is a cage built? When somebody asks for one, and from then on whenever what it is made from becomes another: a
// number, a marker, an undo. The engine keeps the last few, so going back is quick.

import { cageKey, withCage } from "../../state/cage.js";
import { jobButton } from "../job.js";
import { watch } from "../common.js";

/** @import { CagedMessage, Studio } from "../../types" */

/**
 * @param {Studio} studio
 * @param {(caged: CagedMessage | null) => void} tell whenever there is another cage, or none
 */
export function followCage(studio, tell) {
  const { store, engine } = studio;
  /** What the cage that is told was made from. @type {string | null} */
  let told = null;
  /** What was asked for last, be it in vain. @type {string | null} */
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
      told = asked;
      tell(caged);
      studio.playback.refresh();
    },
  });
  const isOpen = () => studio.character !== null && studio.character.key === store.state.character?.key;
  let isBusy = false;
  const refresh = async () => {
    if (isBusy) return;
    isBusy = true;
    for (let wanted = cageKey(store.state); wanted !== told; wanted = cageKey(store.state)) {
      if (told !== null) tell(null);
      told = null;
      if (wanted === null) asked = null;
      if (wanted === null || wanted === asked || !isOpen()) break;
      await job.run();
    }
    isBusy = false;
  };
  watch(studio, cageKey, () => void refresh());
  studio.on("opened", () => {
    asked = told = null;
    tell(null);
    void refresh();
  });
  return job;
}
