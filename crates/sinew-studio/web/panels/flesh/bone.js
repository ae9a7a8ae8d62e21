// The bone that begins at the selected joint: its radius, its place and its softness.

import { boneOf, ownBone, withBone, withoutBone } from "../../state/flesh.js";
import { limits } from "../../state/limits.js";
import { schema } from "../../state/schema.js";
import { element, show, write } from "../../widgets/dom.js";
import { button, buttonRow, numberField } from "../../widgets/form.js";
import { rounded } from "../../numbers.js";
import { watch, withFlesh } from "../common.js";
import { positionFields } from "../position_fields.js";

/** @import { JointFleshRecipe, Studio, Vector3 } from "../../types" */

const PER_CENT = 100;
const RADII = limits(schema.JointFleshRecipe.radius);

/** @param {Studio} studio */
export function boneEditor(studio) {
  const { store } = studio;
  const set = (/** @type {string} */ what, /** @type {Partial<JointFleshRecipe>} */ patch) => {
    const joint = store.state.selected;
    const label = `${what} of ${joint}'s bone`;
    if (joint !== null) store.change(label, (doc) => withFlesh(doc, (flesh) => withBone(flesh, joint, patch)), label);
  };
  const setRadius = (/** @type {number} */ percent) => set("radius", { radius: rounded(percent / PER_CENT, 9) });
  const radius = numberField({
    label: "Radius",
    unit: "%",
    title: "The radius of the bone that begins at this joint, in per cent of the limb's radius",
    min: PER_CENT * RADII.min,
    max: PER_CENT * RADII.max,
    step: 0.5,
    decimals: 1,
    onInput: (value) => setRadius(value),
    onChange: (value) => {
      setRadius(value);
      store.seal();
    },
    onReset: () => {
      set("radius", { radius: undefined });
      store.seal();
    },
  });
  const offset = positionFields(studio, {
    label: "Offset",
    what: "How far the bone lies beside the line between its joints, at rest",
    move: (axis, value) => {
      const { selected, recipe } = store.state;
      if (selected === null) return;
      const place = /** @type {Vector3} */ ([...boneOf(recipe.flesh, selected).offset]);
      place[axis] = value;
      set("offset", { offset: place });
    },
  });
  const softness = numberField({
    label: "Softness",
    title: "How far the bone yields: 1 for bone, about 10 for cartilage",
    ...limits(schema.JointFleshRecipe.softness),
    slider: [schema.JointFleshRecipe.softness.min, 20],
    step: 0.1,
    onInput: (value) => set("softness", { softness: value }),
    onChange: (value) => {
      set("softness", { softness: value });
      store.seal();
    },
  });
  const about = element("p", { class: "note" });
  const clear = button({
    label: "As the preset has it",
    look: "quiet",
    title: "The joint's bone has no settings of its own any more",
    onClick: () => {
      const joint = store.state.selected;
      if (joint !== null) store.change(`${joint}'s bone as the preset has it`, (doc) => withFlesh(doc, (flesh) => withoutBone(flesh, joint)));
    },
  });
  const fields = element("div", { class: "stack" }, radius.element, offset.element, softness.element, buttonRow(clear));
  const render = () => {
    const { selected, recipe } = store.state;
    const own = selected === null ? undefined : ownBone(recipe.flesh.joints, selected);
    write(about, describe(selected, own !== undefined));
    show(fields, selected !== null);
    if (selected === null) return;
    const bone = boneOf(recipe.flesh, selected);
    radius.set(rounded(PER_CENT * bone.radius, 9));
    radius.mark(own?.radius !== undefined);
    offset.set(bone.offset);
    softness.set(bone.softness);
    clear.disabled = own === undefined;
  };
  watch(studio, (doc) => doc.selected, render);
  watch(studio, (doc) => doc.recipe.flesh.joints, render);
  return [about, fields];
}

/** @type {(selected: string | null, isOwn: boolean) => string} */
export function describe(selected, isOwn) {
  if (selected === null) return "Select a joint to change the bone that begins there.";
  return isOwn ? `The bone of ${selected} has settings of its own.` : `The bone of ${selected} is as the preset has it.`;
}
