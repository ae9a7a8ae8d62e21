// The list of all muscles of both sides, with a search box.

import { ownChange } from "../../state/muscles.js";
import { element, show, write } from "../../widgets/dom.js";
import { Tree } from "../../widgets/tree.js";
import { watch } from "../common.js";

/** @import { MusculatureMessage, MuscleInfo, MuscleRecipe, Studio } from "../../types" */

/** @param {Studio} studio */
export function muscleList(studio) {
  const { store } = studio;
  /** @type {MuscleInfo[]} */
  let muscles = [];
  let listed = "";
  const tree = new Tree({
    label: "Muscles",
    onSelect: (index) => {
      const muscle = muscles[index].name;
      store.change(`select ${muscle}`, (doc) => (doc.muscle === muscle ? doc : { ...doc, muscle, selected: null }));
    },
  });
  const search = element("input", {
    type: "search",
    placeholder: "Find a muscle",
    "aria-label": "Find a muscle",
    oninput: () => tree.filter(search.value),
  });
  const about = element("p", { class: "note" });
  const box = element("div", { class: "stack muscle-list" }, search, tree.element);
  const render = () => {
    const { recipe, muscle } = store.state;
    // Rows stay while values change, and with them the focus.
    const key = JSON.stringify(muscles.map(({ name, meshes }) => [name, meshes.length > 0]));
    if (key !== listed) tree.set(muscles.map(({ name, meshes }) => ({ name, parent: -1, quiet: meshes.length === 0 })));
    listed = key;
    tree.marks(muscles.map((info) => markOf(info, recipe.muscles)));
    tree.select(muscles.findIndex(({ name }) => name === muscle));
    show(box, muscles.length > 0);
    write(about, muscles.length > 0 ? "" : "Shown while there is a set that fits the body.");
  };
  watch(studio, (doc) => doc.muscle, render);
  watch(studio, (doc) => doc.recipe.muscles, render);
  return {
    element: element("div", {}, box, about),
    /** @param {MusculatureMessage | null} musculature */
    update: (musculature) => {
      muscles = musculature?.muscles ?? [];
      render();
    },
  };
}

/**
 * The state of a muscle, in a word.
 *
 * @param {MuscleInfo} info
 * @param {MuscleRecipe} recipe
 */
export function markOf({ name, off, meshes }, recipe) {
  if (off) return "left out";
  if (meshes.length === 0) return "no place";
  return ownChange(recipe, name) ? "changed" : "";
}
