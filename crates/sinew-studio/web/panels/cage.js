// A mesh that follows markers or joints without weights: its cage, its handles, and its joint limits.

import { withCage, withCageRecipe } from "../state/cage.js";
import { limits } from "../state/limits.js";
import { schema } from "../state/schema.js";
import { element, show, write } from "../widgets/dom.js";
import { button, buttonRow, checkbox, group, numberField, segmented } from "../widgets/form.js";
import { followCage } from "./cage/build.js";
import { handles } from "./cage/handles.js";
import { jointLimits } from "./cage/limits.js";
import { markers } from "./cage/markers.js";
import { readout } from "./cage/readout.js";
import { reportOf } from "./cage/report.js";
import { refreshUntilConverged } from "./cage/convergence.js";
import { watch } from "./common.js";

/** @import { CageSettings, Doc, Panel, Studio } from "../types" */

/** @type {Panel} */
export const cage = { id: "cage", title: "Cage", place: "right", mount };

/** @param {HTMLElement} body @param {Studio} studio */
function mount(body, studio) {
  const report = element("div", { class: "stack" });
  const marked = markers(studio);
  const limited = jointLimits(studio);
  const build = followCage(studio, (caged) => {
    report.replaceChildren(...(caged ? reportOf(caged.report) : []));
    marked.update(caged);
    limited.update(caged);
    studio.viewer.showCage(caged);
  });
  const off = button({
    label: "Take it away",
    look: "quiet",
    title: "The mesh follows its skin again; markers and limits stay in the recipe",
    onClick: () => studio.store.change("take the cage away", (doc) => withCage(doc, { on: false })),
  });
  const tools = element(
    "div",
    { class: "stack" },
    flag(studio, "follow", "The mesh follows the cage", "Moved by joints or handles, without weights"),
    drivenBy(studio),
    readout(studio),
    group("Show", { open: true, hint: "Draw the cage and what is inside" }, ...pictures(studio)),
    group("Markers", { open: true, hint: "Points of the skin that a capture has, or that are dragged" }, marked.element),
    group("Handles", { open: true, hint: "What is held and dragged" }, handles(studio)),
    group("Limits", { hint: "Joint limits" }, limited.element),
  );
  refreshUntilConverged(studio);
  body.append(...settings(studio), buttonRow(build.button, off), build.status, report, tools);
  watch(
    studio,
    (doc) => doc.cage.on,
    (on) => {
      show(tools, on);
      show(off, on);
      write(build.button, on ? "Build again" : "Build the cage");
    },
  );
}

/** @param {Studio} studio */
function settings(studio) {
  const offsets = limits(schema.CageRecipe.offset, 0.0005);
  const vertices = numberField({
    label: "Cage vertices",
    title: "The approximate number of vertices: more are more accurate and slower",
    ...limits(schema.CageRecipe.vertices),
    slider: [100, 2000],
    step: 10,
    decimals: 0,
    onChange: (value) => studio.store.change("cage vertices", (doc) => withCageRecipe(doc, { vertices: Math.round(value) })),
  });
  const offset = numberField({
    label: "Offset",
    unit: "%",
    title: "The distance of the cage from the mesh, as a share of its diagonal; parts closer than 2.5 offsets are merged",
    min: 100 * offsets.min,
    max: 100 * offsets.max,
    slider: [0.2, 3],
    step: 0.1,
    decimals: 2,
    onChange: (value) => studio.store.change("cage offset", (doc) => withCageRecipe(doc, { offset: value / 100 })),
  });
  watch(studio, (doc) => doc.recipe.cage.vertices, vertices.set);
  watch(studio, (doc) => doc.recipe.cage.offset, (share) => offset.set(100 * share));
  return [vertices.element, offset.element];
}

/** @param {Studio} studio */
function drivenBy(studio) {
  const by = segmented({
    label: "Moved by",
    title: "What moves the mesh",
    choices: [
      { value: "pose", label: "the pose", title: "The positions of the joints in the clip and the pose, as sinew cage drive --clip does" },
      { value: "handles", label: "handles", title: "Markers and held joints, which you drag; it starts at rest" },
    ],
    onChange: (value) =>
      studio.store.change(`moved by ${value === "pose" ? "the pose" : "handles"}`, (doc) =>
        withCage(doc, { by: /** @type {CageSettings["by"]} */ (value) }),
      ),
  });
  watch(studio, (doc) => doc.cage.by, by.set);
  return by.element;
}

/** @param {Studio} studio */
function pictures(studio) {
  const shown = (/** @type {"surface" | "tetrahedra"} */ key, /** @type {string} */ label, /** @type {string} */ title) => {
    const box = checkbox({
      label,
      title,
      onChange: (on) => studio.store.change(`${on ? "show" : "hide"} the ${key}`, (doc) => withShown(doc, { [key]: on })),
    });
    watch(studio, (doc) => doc.cage.show[key], box.set);
    return box.element;
  };
  const axis = segmented({
    label: "Cut along",
    title: "The axis of the file along which tetrahedra are cut away",
    choices: ["x", "y", "z"].map((value) => ({ value, label: value })),
    onChange: (value) => cut({ axis: /** @type {"x" | "y" | "z"} */ (value) }),
  });
  const share = numberField({
    label: "Cut at",
    unit: "%",
    title: "Tetrahedra beyond this share of the body are left out",
    min: 0,
    max: 100,
    slider: [0, 100],
    step: 1,
    decimals: 0,
    onInput: (value) => cut({ share: value / 100 }),
    onChange: (value) => {
      cut({ share: value / 100 });
      studio.store.seal();
    },
  });
  const cut = (/** @type {Partial<CageSettings["show"]["cut"]>} */ patch) =>
    studio.store.change("cut the tetrahedra", (doc) => withShown(doc, { cut: { ...doc.cage.show.cut, ...patch } }), "cut");
  const cutting = element("div", { class: "stack" }, axis.element, share.element);
  watch(studio, (doc) => doc.cage.show.cut.axis, axis.set);
  watch(studio, (doc) => doc.cage.show.cut.share, (value) => share.set(100 * value));
  watch(studio, (doc) => doc.cage.show.tetrahedra, (on) => show(cutting, on));
  return [
    element(
      "div",
      { class: "checks" },
      shown("surface", "Show the cage", "The wires of the closed surface around the mesh"),
      shown("tetrahedra", "Show the tetrahedra", "In place of the mesh, somewhat shrunken"),
    ),
    cutting,
  ];
}

/** @type {(doc: Doc, patch: Partial<CageSettings["show"]>) => Doc} */
function withShown(doc, patch) {
  return withCage(doc, { show: { ...doc.cage.show, ...patch } });
}

/**
 * @param {Studio} studio
 * @param {"follow"} key
 * @param {string} label
 * @param {string} title
 */
function flag(studio, key, label, title) {
  const box = checkbox({
    label,
    title,
    look: "switch",
    onChange: (on) => studio.store.change(`${label.toLowerCase()}: ${on ? "on" : "off"}`, (doc) => withCage(doc, { [key]: on })),
  });
  watch(studio, (doc) => doc.cage[key], box.set);
  return box.element;
}
