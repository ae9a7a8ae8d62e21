// The switch of the volume stage.

import { checkbox } from "../widgets/form.js";
import { watch, withVolume } from "./common.js";

/** @import { Studio, VolumeMethod } from "../types" */

/**
 * Switched on again, the stage has the method that it had.
 *
 * @param {Studio} studio
 * @param {string} label
 * @param {string} [name] its accessible name, where the label alone is ambiguous
 */
export function volumeSwitch(studio, label, name) {
  /** @type {VolumeMethod} */
  let last = "exact";
  const box = checkbox({
    label,
    name,
    look: "switch",
    title: "Restore the volume that the skin loses or gains at every bent joint",
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
