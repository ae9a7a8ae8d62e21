// The sample points of the selected limb's field, and their editing.

import { sentence } from "../../errors.js";
import { limits } from "../../state/limits.js";
import { chosenSamples, knownSamples, readSamples, withSample, withSamples, withoutSample } from "../../state/samples.js";
import { schema } from "../../state/schema.js";
import { element, show, write } from "../../widgets/dom.js";
import { button, numberField, segmented } from "../../widgets/form.js";
import { counted } from "../../numbers.js";
import { watch, withImplicit } from "../common.js";
import { fieldsRequest } from "./fields.js";

/** @import { FieldsMessage, FieldsRequest, LimbInfo, LimbSamples, Sample, Studio, ViewHit } from "../../types" */
/** @import { ReceivedSamples } from "../../state/samples.js" */

/** @param {Studio} studio */
export function sampleEditor(studio) {
  const { store, viewer } = studio;
  let mode = "look";
  /** @type {ReceivedSamples | null} */
  let received = null;
  /** @type {FieldsMessage | null} */
  let fields = null;
  /** @type {LimbSamples | null} */
  let seen = null;
  const choose = (/** @type {string} */ label, /** @type {string} */ joint, /** @type {Sample[] | null} */ samples) =>
    store.change(label, (doc) => withImplicit(doc, (implicit) => withSamples(implicit, joint, samples)));
  const click = (/** @type {ViewHit} */ { sample, skin }) => {
    const joint = store.state.selected;
    if (joint === null || !seen) return;
    try {
      if (mode === "remove" && sample >= 0) choose(`remove a sample of ${joint}`, joint, withoutSample(seen.samples, sample));
      if (mode === "add" && skin) choose(`add a sample to ${joint}`, joint, withSample(seen.samples, skin));
    } catch (error) {
      studio.notify("warning", sentence(error));
    }
  };
  const count = element("output", { class: "note", "aria-label": "Samples of the selected limb" });
  const clicks = segmented({
    label: "A click on the character",
    title: "Change the samples of the selected limb, while they are shown",
    choices: [
      { value: "look", label: "Look", title: "Selects joints" },
      { value: "remove", label: "Remove", title: "Removes the sample that is clicked" },
      { value: "add", label: "Add", title: "Adds a sample where the skin is clicked" },
    ],
    onChange: (value) => {
      mode = value;
      render();
    },
  });
  const found = button({
    label: "Use the found ones",
    look: "quiet",
    title: "Discard the samples chosen for the selected limb",
    onClick: () => {
      const joint = store.state.selected;
      if (joint !== null) choose(`found samples of ${joint}`, joint, null);
    },
  });
  const first = numberField({
    label: "Samples per limb at first",
    title: "For limbs without chosen samples; doubled where the fit of a limb is poor",
    ...limits(schema.ImplicitRecipe.samples),
    step: 1,
    decimals: 0,
    onChange: (value) =>
      store.change("samples per limb", (doc) => withImplicit(doc, (implicit) => ({ ...implicit, samples: Math.round(value) }))),
  });
  let isEditing = false;
  const render = () => {
    const { recipe, selected, view } = store.state;
    const next = knownSamples(received, fieldsRequest(store.state));
    if (next?.samples !== seen?.samples || next?.motion !== seen?.motion) viewer.showSamples(next);
    seen = next;
    const canEdit = recipe.implicit.on && view.samples && selected !== null;
    if (isEditing !== (canEdit && mode !== "look")) {
      isEditing = !isEditing;
      viewer.useTool(isEditing ? click : null);
    }
    const chosen = selected === null ? null : chosenSamples(recipe.implicit, selected);
    clicks.set(mode);
    clicks.enable(canEdit);
    show(found, chosen !== null);
    first.set(recipe.implicit.samples);
    const limb = fields?.limbs.find(({ joint }) => studio.character?.joints[joint]?.name === selected);
    const described = describeSamples(selected, chosen?.length ?? null, fields ? (limb ?? null) : undefined);
    write(count, recipe.implicit.on ? described : "Switch on the implicit skin: without it limbs have no samples.");
  };
  watch(studio, (doc) => doc, render);
  return {
    elements: [count, clicks.element, found, first.element],
    /** @param {FieldsMessage | null} message @param {FieldsRequest | null} request */
    update: (message, request) => {
      fields = message;
      const limb = message?.samples;
      if (message && request && limb) {
        received = { request, limb: { samples: readSamples(message.payload.floats(limb.rows)), motion: limb.motion } };
      }
      render();
    },
  };
}

/**
 * @param {string | null} joint
 * @param {number | null} chosen
 * @param {LimbInfo | null | undefined} limb null if there is none, undefined if it is unknown yet
 */
export function describeSamples(joint, chosen, limb) {
  if (joint === null) return "Select a joint to change the samples of its limb.";
  if (limb === null) return `${joint} has no limb.`;
  const lost = limb?.samples === null ? "They define no shape: the limb has no field." : "";
  if (chosen !== null) return `${joint}: ${counted(chosen)} samples, chosen. ${lost}`.trim();
  if (limb === undefined) return `${joint}: …`;
  return limb.samples === null ? `${joint}: no samples define its shape.` : `${joint}: ${counted(limb.samples)} samples, found.`;
}
