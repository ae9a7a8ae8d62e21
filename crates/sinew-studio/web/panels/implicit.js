// The implicit skin, between skin and volume: its switch, its settings, and the fields of the limbs.

import { element, write } from "../widgets/dom.js";
import { checkbox, group } from "../widgets/form.js";
import { watch, withImplicit } from "./common.js";
import { followFields } from "./implicit/fields.js";
import { jointEditor } from "./implicit/joint.js";
import { limbTable } from "./implicit/limbs.js";
import { readout } from "./implicit/readout.js";
import { sampleEditor } from "./implicit/samples.js";
import { excludedMeshes } from "./excluded_meshes.js";

/** @import { Panel, Studio, ViewSettings } from "../types" */

/** @type {Panel} */
export const implicit = { id: "implicit", title: "Implicit skin", place: "right", mount };

/** @param {HTMLElement} body @param {Studio} studio */
function mount(body, studio) {
  const figures = readout(studio);
  const limbs = limbTable(studio);
  const samples = sampleEditor(studio);
  const about = element("p", { class: "note" });
  const pictures = [
    shown(studio, "field", "Show the field's surface", "Where the fields of all limbs together are ½: the surface that the skin follows"),
    shown(
      studio,
      "contours",
      "Iso-contours on a cutting plane",
      "Lines of equal density, 0.1 to 0.9, on the plane through the selected joint in which it bends",
    ),
  ];
  body.append(
    onSwitch(studio),
    figures.element,
    group(
      "How limbs meet",
      { open: true, hint: "The operator where two limbs meet at a joint" },
      apart(studio),
      ...jointEditor(studio),
    ),
    group("Field", { open: true, hint: "Draw what the skin follows" }, element("div", { class: "checks" }, ...pictures), about),
    group(
      "Samples",
      { hint: "The points of a limb that its field goes through" },
      element(
        "div",
        { class: "stack" },
        shown(studio, "samples", "Show the samples of the selected limb", "A dot where its field goes through its skin, and a line along the normal there"),
        ...samples.elements,
      ),
    ),
    group("Limbs", { hint: "The fit of each limb's field" }, limbs.element, excludedMeshes(studio, "implicit")),
  );
  followFields(studio, body, (fields, request) => {
    figures.update(fields);
    limbs.update(fields);
    samples.update(fields, request);
    studio.viewer.showFields(fields);
  });
  watch(
    studio,
    ({ recipe, view, selected }) => whyUnseen(recipe.implicit.on, view, selected),
    (why) => write(about, why),
  );
}

/** @type {(on: boolean, view: ViewSettings, selected: string | null) => string} */
function whyUnseen(on, view, selected) {
  if (!view.field && !view.contours) return "";
  if (!on) return "Switch on the implicit skin: without it limbs have no fields.";
  return view.contours && selected === null ? "Select a joint for the plane to go through." : "";
}

/** @param {Studio} studio */
function onSwitch(studio) {
  const box = checkbox({
    label: "Implicit skin",
    title: "Bent joints keep their thickness, and their two sides touch instead of crossing",
    look: "switch",
    onChange: (on) =>
      studio.store.change(`implicit skin: ${on ? "on" : "off"}`, (doc) => withImplicit(doc, (recipe) => ({ ...recipe, on }))),
  });
  watch(studio, (doc) => doc.recipe.implicit.on, box.set);
  return box.element;
}

/** @param {Studio} studio */
function apart(studio) {
  const box = checkbox({
    label: "Keep limbs apart that no joint parts",
    title: "A hand and the chest, or a thigh and the belly, touch instead of crossing; a frame takes longer",
    onChange: (apart) =>
      studio.store.change(`limbs that no joint parts: ${apart ? "apart" : "free"}`, (doc) =>
        withImplicit(doc, (recipe) => ({ ...recipe, apart })),
      ),
  });
  watch(studio, (doc) => doc.recipe.implicit.apart, box.set);
  return box.element;
}

/**
 * @param {Studio} studio
 * @param {"field" | "contours" | "samples"} key
 * @param {string} label
 * @param {string} title
 */
function shown(studio, key, label, title) {
  const box = checkbox({
    label,
    title,
    onChange: (on) =>
      studio.store.change(`${on ? "show" : "hide"} the ${key}`, (doc) => ({ ...doc, view: { ...doc.view, [key]: on } })),
  });
  watch(studio, (doc) => doc.view[key], box.set);
  return box.element;
}
