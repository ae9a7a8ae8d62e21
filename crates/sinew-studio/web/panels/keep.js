// The one switch: does the skin keep its volume?

import { checkbox } from "../widgets/form.js";
import { watch, withVolume } from "./common.js";

/** @import { Studio, VolumeMethod } from "../types" */

/**
 * Switched on again, it has the method that it had.
 *
 * @param {Studio} studio
 * @param {string} label
 * @param {string} [name] what it is called where the label alone does not tell it from another
 */
export function keepVolume(studio, label, name) {
  /** @type {VolumeMethod} */
  let last = "exact";
  const box = checkbox({
    label,
    name,
    look: "switch",
    title: "Give back the volume that the skin loses or gains at every bent joint",
    onChange: (on) =>
      studio.store.change(on ? "keep volume" : "let volume go", (doc) =>
        withVolume(doc, { method: on ? last : "off" }),
      ),
  });
  watch(
    studio,
    (doc) => doc.recipe.volume.method,
    (method) => {
      if (method !== "off") last = method;
      box.set(method !== "off");
    },
  );
  return box.element;
}
