// The meshes that a stage leaves out, for characters with several.

import { checkbox } from "../widgets/form.js";
import { element } from "../widgets/dom.js";
import { watch, withRecipe } from "./common.js";

/** @import { Studio } from "../types" */

/**
 * @param {Studio} studio
 * @param {"implicit" | "flesh" | "muscles" | "volume"} stage
 */
export function excludedMeshes(studio, stage) {
  const list = element("div", { class: "stack" });
  const render = () => {
    const names = [...new Set(studio.character?.parts.map((part) => part.name) ?? [])];
    const { leave_out: before } = studio.store.state.recipe[stage];
    const boxes = names.map((name) => {
      const box = checkbox({
        label: name,
        title: `Leave ${name} as the skin has it: armour, teeth, hair`,
        onChange: (out) => {
          const leave_out = out ? [...before, name] : before.filter((other) => other !== name);
          studio.store.change(`leave out ${name}`, (doc) =>
            withRecipe(doc, (recipe) => ({ ...recipe, [stage]: { ...recipe[stage], leave_out } })),
          );
        },
      });
      box.set(before.includes(name));
      return box.element;
    });
    list.replaceChildren(...(names.length > 1 ? [element("h4", {}, "Leave out"), ...boxes] : []));
  };
  studio.on("opened", render);
  watch(studio, (doc) => doc.recipe[stage].leave_out, render);
  return list;
}
