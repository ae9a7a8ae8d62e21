// The last stage: volume correction, its method and its shape.

import { limits } from "../state/limits.js";
import { schema } from "../state/schema.js";
import { element, show, write } from "../widgets/dom.js";
import { checkbox, group, numberField, selectField, textField } from "../widgets/form.js";
import { gesture, inWords, watch, withVolume } from "./common.js";
import { volumeSwitch } from "./volume_switch.js";
import { excludedMeshes } from "./excluded_meshes.js";
import { shake } from "./shake.js";
import { overTime } from "./volume/overtime.js";
import { profileEditor } from "./volume/profile.js";
import { readout } from "./volume/readout.js";
import { targetEditor } from "./volume/target.js";

/** @import { GammaSource, Panel, Studio, VolumeMethod, VolumeRecipe } from "../types" */
/** @import { Limits } from "../state/limits.js" */

/** @type {Panel} */
export const volume = { id: "volume", title: "Volume", place: "right", open: true, mount };

/** @type {Record<VolumeMethod, string>} */
const METHODS = {
  off: "The skin stays as it is",
  linear: "All axes at once, to first order: fast, and nearly exact",
  exact: "Axis after axis, exactly: the one with shapes and shares",
  normal: "Along the normals, exactly; without shares; the elbow becomes angular",
  laplacian: "Along the normals and smooth over neighbours, exactly; without shares",
};
/** @type {Record<GammaSource, string>} */
const SOURCES = {
  profile: "The shape that you choose below",
  weights: "The skin weights on the two sides of the joint, smoothly",
  "weights-max": "The larger weight of the two sides",
};

/** @param {HTMLElement} body @param {Studio} studio */
function mount(body, studio) {
  const idle = element("p", { class: "note" });
  body.append(
    volumeSwitch(studio, "Keep volume"),
    readout(studio),
    overTime(studio),
    group("Shape", { open: true, hint: "The distribution of the volume around a joint" }, idle, ...profileEditor(studio)),
    method(studio),
    targetEditor(studio),
    refinement(studio),
    shake(studio, "volume", {
      hint: "The correction swings and settles",
      note: "It lives in time: play the clip, or bake it, to see it.",
    }),
  );
  watch(
    studio,
    (doc) => doc.recipe.volume,
    (recipe) => write(idle, whyIdle(recipe)),
  );
}

/** Why the shape changes nothing now. @param {VolumeRecipe} recipe */
function whyIdle({ method: how, gamma }) {
  if (how === "off") return "Switch on Keep volume to see what this changes.";
  return gamma === "profile"
    ? ""
    : "Method has the place from skin weights: only the shares and the amount count here.";
}

/** @param {Studio} studio */
function method(studio) {
  const { store } = studio;
  const { hello } = studio.engine;
  const patch = (/** @type {string} */ label, /** @type {Partial<VolumeRecipe>} */ values) =>
    store.change(label, (doc) => withVolume(doc, values));
  const how = selectField({
    label: "Method",
    title: "The volume method",
    choices: hello.volumes.map((name) => ({ value: name, label: inWords(name), title: METHODS[name] })),
    onChange: (name) => patch(`volume: ${name}`, { method: /** @type {VolumeMethod} */ (name) }),
  });
  const about = element("p", { class: "note" });
  const source = selectField({
    label: "Place from",
    title: "The source of γ, which distributes the volume around a joint",
    choices: hello.gammas.map((name) => ({ value: name, label: inWords(name), title: SOURCES[name] })),
    onChange: (name) => patch("place from", { gamma: /** @type {GammaSource} */ (name) }),
  });
  const number = (
    /** @type {"weights_p" | "weights_q" | "smoothness"} */ key,
    /** @type {string} */ label,
    /** @type {[number, number]} */ slider,
    /** @type {Limits} */ range,
    /** @type {string} */ title,
  ) => {
    const field = numberField({
      label,
      title,
      ...range,
      slider,
      step: (slider[1] - slider[0]) / 100,
      ...gesture(studio, label.toLowerCase(), (doc, /** @type {number} */ value) => withVolume(doc, { [key]: value })),
    });
    watch(studio, (doc) => doc.recipe.volume[key], field.set);
    return field.element;
  };
  const fromWeights = [
    number("weights_p", "Weights p", [0.5, 8], limits(schema.VolumeRecipe.weights_p, 0.01), "p of γ = (1 − ω^q)^p: larger is narrower"),
    number("weights_q", "Weights q", [0.5, 8], limits(schema.VolumeRecipe.weights_q, 0.01), "q of γ = (1 − ω^q)^p: larger is wider"),
  ];
  const smooth = number(
    "smoothness",
    "Smoothness",
    [0, 50],
    limits(schema.VolumeRecipe.smoothness),
    "How much smoothness weighs against small displacements",
  );
  const contacts = checkbox({
    label: "Keep the sides of a bend apart",
    title:
      "Joints keep their shape and their two sides apart first, as with the implicit skin. Off, volume is all that changes",
    onChange: (on) => patch(on ? "contacts on" : "contacts off", { contacts: on }),
  });
  const paint = textField({
    label: "Paint",
    placeholder: "none",
    title: "A painted vertex attribute, such as COLOR_0: where it is black, the skin stays as it is",
    onChange: (name) => patch("paint", { paint: name }),
  });
  watch(
    studio,
    (doc) => doc.recipe.volume,
    (recipe) => {
      paint.set(recipe.paint);
      how.set(recipe.method);
      about.textContent = METHODS[recipe.method];
      source.set(recipe.gamma);
      contacts.set(recipe.contacts);
      for (const field of fromWeights) show(field, recipe.gamma !== "profile");
      show(smooth, recipe.method === "laplacian");
    },
  );
  return group(
    "Method",
    { hint: "The volume method, and the distribution around a joint" },
    element(
      "div",
      { class: "stack" },
      how.element,
      about,
      source.element,
      ...fromWeights,
      smooth,
      contacts.element,
      paint.element,
      excludedMeshes(studio, "volume"),
    ),
  );
}

/** @param {Studio} studio */
function refinement(studio) {
  const steps = numberField({
    label: "Steps",
    title:
      "Every step has four times the faces around the joints that bend. 1 or 2 for folds; 0 leaves the mesh as it is",
    ...limits(schema.RefineRecipe.steps),
    step: 1,
    decimals: 0,
    onChange: (value) =>
      studio.store.change("refinement steps", (doc) =>
        withVolume(doc, { refine: { ...doc.recipe.volume.refine, steps: Math.round(value) } }),
      ),
  });
  const threshold = numberField({
    label: "Threshold",
    title: "Faces with a γ above this at a joint that bends are made finer",
    ...limits(schema.RefineRecipe.threshold),
    step: 0.01,
    ...gesture(studio, "refinement threshold", (doc, /** @type {number} */ value) =>
      withVolume(doc, { refine: { ...doc.recipe.volume.refine, threshold: value } }),
    ),
  });
  watch(
    studio,
    (doc) => doc.recipe.volume.refine,
    (refine) => {
      steps.set(refine.steps);
      threshold.set(refine.threshold);
    },
  );
  return group(
    "Refinement",
    { hint: "A finer mesh where folds need it" },
    element("div", { class: "stack" }, steps.element, threshold.element),
  );
}
