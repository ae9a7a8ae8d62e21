// The overlays and the colouring of the view.

import { checkbox, segmented } from "../widgets/form.js";
import { element } from "../widgets/dom.js";
import { watch } from "./common.js";

/** @import { ActionName, Coloring, Panel, Studio, ViewSettings } from "../types" */

/** @type {Panel} */
export const view = { id: "view", title: "View", place: "right", mount };

/** @type {{value: Coloring, label: string, title: string}[]} */
const COLORINGS = [
  { value: "material", label: "material", title: "The file's own colours and textures" },
  { value: "clay", label: "clay", title: "One matt grey: the form and nothing else" },
  { value: "weight", label: "weight", title: "How much each place follows the selected joint" },
  { value: "displacement", label: "distance", title: "How far the stages after the skin moved each place" },
  { value: "volume", label: "volume", title: "Local change of volume: blue is less than at rest, red more" },
];

/** @type {{key: Exclude<keyof ViewSettings, "color" | "field" | "contours" | "samples" | "muscles" | "mirror">, label: string, title: string, action?: ActionName}[]} */
const SHOWN = [
  { key: "skeleton", label: "Skeleton", title: "Show the joints; click one to select it", action: "skeleton" },
  { key: "wireframe", label: "Wireframe", title: "Show the edges of the mesh", action: "wireframe" },
  { key: "frames", label: "Joint axes", title: "Show each joint's own x, y and z" },
  { key: "ground", label: "Ground", title: "Show the ground and its shadow" },
];

/** @param {HTMLElement} body @param {Studio} studio */
function mount(body, studio) {
  const color = segmented({
    label: "Colour",
    choices: COLORINGS,
    onChange: (value) =>
      studio.store.change(`colour: ${value}`, (doc) => ({
        ...doc,
        view: { ...doc.view, color: /** @type {Coloring} */ (value) },
      })),
  });
  const note = element("p", { class: "note" }, "Select a joint to see its weights.");
  body.append(color.element, note);
  watch(
    studio,
    (doc) => doc.view.color,
    (value) => color.set(value),
  );
  watch(
    studio,
    (doc) => doc.view.color === "weight" && doc.selected === null,
    (shown) => {
      note.hidden = !shown;
    },
  );
  const boxes = SHOWN.map(({ key, label, title, action }) => {
    const keys = action && studio.actions[action].keys;
    const box = checkbox({
      label,
      title: keys ? `${title} (${keys})` : title,
      onChange: (on) =>
        studio.store.change(`${on ? "show" : "hide"} ${label.toLowerCase()}`, (doc) => ({
          ...doc,
          view: { ...doc.view, [key]: on },
        })),
    });
    watch(
      studio,
      (doc) => doc.view[key],
      (on) => box.set(on),
    );
    return box.element;
  });
  body.append(element("div", { class: "checks" }, ...boxes));
}
