// The settings and the shape of the selected muscle.

import { throttle } from "../../timing.js";
import { limits } from "../../state/limits.js";
import { ENDS, firstValue, knownMuscle, mirroredMuscle, movedPlace, ownChange, partnerOf, withMuscle, withoutMuscle } from "../../state/muscles.js";
import { schema } from "../../state/schema.js";
import { element, show, write } from "../../widgets/dom.js";
import { NOTHING, READABLE_MS, figure } from "../../widgets/figure.js";
import { button, buttonRow, checkbox, group, numberField } from "../../widgets/form.js";
import { fixed } from "../../numbers.js";
import { watch, withMuscles } from "../common.js";
import { profilePicture } from "./profile.js";
import { muscleSketch, profileChange } from "./sketch.js";

/** @import { MusculatureMessage, FrameMessage, MuscleChange, MuscleEnd, MuscleInfo, Quaternion, Studio, Vector3 } from "../../types" */
/** @import { Limits } from "../../state/limits.js" */

/** @type {{key: "activation" | "width" | "stiffness" | "eccentricity", label: string, title: string, range: Limits, slider?: [number, number], reset: string}[]} */
const VALUES = [
  { key: "activation", label: "Activation", title: "The activation from 0 to 1, instead of that by the motion", range: limits(schema.MuscleChange.activation), reset: "by the motion" },
  { key: "width", label: "Width", title: "A factor on the width", range: limits(schema.MuscleChange.width), slider: [0.3, 2], reset: "1" },
  { key: "stiffness", label: "Stiffness", title: "The stiffness of its fibres: lower values jiggle more", range: limits(schema.MuscleChange.stiffness, 0.01), reset: "as all others" },
  { key: "eccentricity", label: "Flatness", title: "The eccentricity of its sections: 0 is round", range: limits(schema.MuscleChange.eccentricity), reset: "as the set has it" },
];
const PROFILE = ["α at rest", "β at rest", "α active", "β active"];
/** @type {Record<MuscleEnd, string>} */
const END_NAMES = { from: "Origin", to: "Insertion" };
const SHARES = ["along", "front", "out"];

/** @param {Studio} studio */
export function muscleEditor(studio) {
  const { store } = studio;
  /** @type {MusculatureMessage | null} */
  let musculature = null;
  const selectedInfo = () => musculature?.muscles.find(({ name }) => name === store.state.muscle);
  const drag = (/** @type {string} */ what, /** @type {(muscle: MuscleInfo) => MuscleChange} */ patch) => {
    const info = selectedInfo();
    if (!info) return;
    const label = `${what} of ${info.name}`;
    store.change(
      label,
      (doc) => withMuscles(doc, (recipe) => withMuscle(recipe, info.name, patch(knownMuscle(recipe, info)), doc.view.mirror)),
      label,
    );
  };
  const set = (/** @type {string} */ what, /** @type {(muscle: MuscleInfo) => MuscleChange} */ patch) => {
    drag(what, patch);
    store.seal();
  };

  const heading = element("h4", {});
  const about = element("p", { class: "note" });
  const tension = figure("activation now", "Activation now", "How active it is in the frame that is seen");
  const values = VALUES.map(({ key, label, title, range, slider, reset }) =>
    numberField({
      label,
      title: `${title}. ↺: ${reset}`,
      ...range,
      slider,
      step: 0.01,
      onInput: key === "activation" ? (value) => drag(label.toLowerCase(), () => ({ [key]: value })) : undefined,
      onChange: (value) => set(label.toLowerCase(), () => ({ [key]: value })),
      onReset: () => set(label.toLowerCase(), () => ({ [key]: undefined })),
    }),
  );
  const radius = numberField({
    label: "Radius",
    title: "The radius of each fibre's belly, as a share of the length of its path",
    ...limits(schema.MuscleChange.radius, 0.001),
    slider: [0.01, 0.3],
    step: 0.005,
    onChange: (value) => set("radius", () => ({ radius: value })),
    onReset: () => set("radius", () => ({ radius: undefined })),
  });
  const picture = profilePicture();
  const profile = PROFILE.map((label, k) =>
    numberField({
      label,
      title: "Of the profile sᵅ⁻¹(1−s)ᵝ⁻¹ along the muscle: equal ones have the belly in the middle, larger ones make it shorter and thicker",
      ...limits(schema.MuscleChange.shape),
      slider: null,
      step: 1,
      decimals: 0,
      onChange: (value) =>
        set("profile", ({ shape }) => (profileChange({ shape: /** @type {Quaternion} */ (shape.map((old, at) => (at === k ? Math.round(value) : old))), series: null }))),
    }),
  );
  const sketch = muscleSketch(studio, (what, patch) => set(what, () => patch));
  const ends = ENDS.map((end) => endFields(end, (axis, value) =>
    set(END_NAMES[end].toLowerCase(), ({ [end]: places }) => {
      const shares = /** @type {Vector3} */ (places[0].slice(1));
      return { [end]: movedPlace(places, 0, /** @type {Vector3} */ (shares.map((old, k) => (k === axis ? value : old)))) };
    }),
  ));
  const off = checkbox({
    label: "Leave out",
    title: "Takes the muscle away",
    onChange: (out) => set("leave out", () => ({ off: out || undefined })),
  });
  const both = checkbox({
    label: "Both sides",
    title: "Every change is one of the muscle on the other side too",
    look: "switch",
    onChange: (on) => store.change(`both sides: ${on ? "on" : "off"}`, (doc) => ({ ...doc, view: { ...doc.view, mirror: on } })),
  });
  const name = () => store.state.muscle ?? "";
  const mirror = button({
    label: "Mirror",
    title: "Gives the muscle on the other side the same changes",
    onClick: () => store.change(`mirror ${name()}`, (doc) => withMuscles(doc, (recipe) => mirroredMuscle(recipe, name()))),
  });
  const forget = button({
    label: "As in the set",
    look: "quiet",
    title: "Forgets the changes of this muscle",
    onClick: () => store.change(`forget the changes of ${name()}`, (doc) => withMuscles(doc, (recipe) => withoutMuscle(recipe, name(), doc.view.mirror))),
  });
  const fields = element(
    "div",
    { class: "stack" },
    element("div", { class: "figures", role: "group", "aria-label": "Selected muscle" }, tension.element),
    ...values.map((field) => field.element),
    radius.element,
    picture.element,
    element("div", { class: "profile-numbers" }, ...profile.map((field) => field.element)),
    sketch.element,
    ...ends.map((end) => end.element),
    off.element,
    buttonRow(mirror, forget),
  );
  const writeTension = () => write(tension.value, activationNow(studio.frame, selectedInfo()));
  const render = () => {
    const { recipe, view } = store.state;
    const info = selectedInfo();
    writeTension();
    both.set(view.mirror);
    show(fields, info !== undefined);
    write(heading, info?.name ?? "");
    write(about, info ? "" : "Select a muscle in the list, or by a click in the view.");
    if (!info) return;
    const known = knownMuscle(recipe.muscles, info);
    const own = ownChange(recipe.muscles, info.name);
    VALUES.forEach(({ key }, k) => {
      values[k].set(firstValue(known[key] ?? 0));
      values[k].mark(own?.[key] !== undefined);
    });
    const keyed = VALUES.filter(({ key }) => typeof known[key] === "object" && known[key] !== null);
    if (keyed.length > 0) write(about, `${keyed.map(({ label }) => label).join(", ")} changes over the clip; a value set here replaces the keys.`);
    radius.set(known.radius);
    radius.mark(own?.radius !== undefined);
    profile.forEach((field, k) => field.set(known.shape[k]));
    picture.set(known.shape, known.series);
    sketch.set(known);
    ENDS.forEach((end, k) => ends[k].set(known[end]));
    off.set(known.off);
    show(mirror, own !== undefined && musculature?.muscles.some(({ name: other }) => other === partnerOf(info.name)) === true);
    show(forget, own !== undefined);
  };
  watch(studio, (doc) => doc.muscle, render);
  watch(studio, (doc) => doc.recipe.muscles, render);
  watch(studio, (doc) => doc.view.mirror, render);
  studio.on("frame", throttle(READABLE_MS, writeTension));
  return {
    element: group("Selected muscle", { open: true, hint: "What is different about one muscle" }, element("div", { class: "stack" }, heading, both.element, about, fields)),
    /** @param {MusculatureMessage | null} next */
    update: (next) => {
      musculature = next;
      render();
    },
  };
}

/**
 * The activation of a muscle in a frame: that of its most active fibre.
 *
 * @param {FrameMessage | null} frame
 * @param {MuscleInfo | undefined} info
 */
export function activationNow(frame, info) {
  if (!frame?.muscles || !info || info.meshes.length === 0) return NOTHING;
  const activations = frame.payload.floats(frame.muscles.activations);
  return `${fixed(100 * Math.max(...info.meshes.map((mesh) => activations[mesh] ?? 0)), 0)} %`;
}

/**
 * The three shares of an end that is one point; a curve is dragged in the view.
 *
 * @param {MuscleEnd} end
 * @param {(axis: number, value: number) => void} change
 */
function endFields(end, change) {
  const title = element("h4", {});
  const fields = SHARES.map((share, axis) =>
    numberField({
      label: share,
      title: "A share of the segment; drag the dot in the view for the same",
      ...limits(schema.MuscleChange[end]),
      slider: null,
      step: 0.01,
      onChange: (value) => change(axis, value),
    }),
  );
  const row = element("div", { class: "places" }, ...fields.map((field) => field.element));
  return {
    element: element("section", { class: "stack", "aria-label": END_NAMES[end] }, title, row),
    /** @param {MuscleInfo["from"]} places */
    set: (places) => {
      const [segment, ...shares] = places[0];
      const isCurve = places.length > 1;
      write(title, `${END_NAMES[end]}: ${segment.replaceAll("_", " ")}${isCurve ? ", a curve: drag its dots in the view" : ""}`);
      show(row, !isCurve);
      fields.forEach((field, axis) => field.set(shares[axis]));
    },
  };
}
