// The edit of a motion: the range that may change, and the result. The view shows it over the character.

import { isCancelled, sentence } from "../errors.js";
import { downloadBlob } from "../files.js";
import { latestOnly } from "../timing.js";
import { frameAt, playedClip, withRange, withRangeAround } from "../state/motion.js";
import { element, show } from "../widgets/dom.js";
import { button, buttonRow, checkbox, group, numberField } from "../widgets/form.js";
import { gesture, isUnfolded, watch, withMotion } from "./common.js";
import { distanceInWords, pinFields, pinList } from "./pins.js";

/** @import { Doc, MotionMessage, Panel, Studio } from "../types" */

/** @type {Panel} */
export const motion = { id: "motion", title: "Motion", place: "right", mount };

/** @param {HTMLElement} body @param {Studio} studio */
function mount(body, studio) {
  const problems = element("ul", { class: "warnings", role: "status", "aria-label": "Problems of the edit" });
  const fields = pinFields(studio);
  const list = pinList(studio);
  const stands = standingFeet(studio);
  const tools = element(
    "div",
    { class: "stack" },
    pinButton(studio),
    fields.element,
    list.element,
    problems,
    range(studio),
    stands.element,
    saving(studio),
  );
  const hint = element("p", { class: "note" }, "Choose a clip in the timeline: what moves can be pulled at.");
  body.append(hint, tools);

  /** @type {string | null} */
  let known = null;
  const ask = latestOnly(async () => {
    const { message, problem } = await askEngine(studio, isUnfolded(body));
    fields.render(message);
    list.render(message);
    stands.render(message);
    const sentences = problem === null ? (message?.report?.warnings ?? []) : [problem];
    problems.replaceChildren(...sentences.map((text) => element("li", {}, text)));
    if (problem !== null && problem !== known && !isUnfolded(body)) studio.notify("warning", problem);
    known = problem;
    studio.viewer.showMotion(message);
  });
  const refresh = () => {
    const { clip } = studio.store.state;
    show(tools, clip !== null);
    show(hint, clip === null);
    void ask(undefined);
  };
  studio.store.subscribe((doc, before) => {
    const isSame = doc.recipe.motion === before.recipe.motion && doc.clip === before.clip && doc.selected === before.selected;
    if (!isSame) refresh();
  });
  studio.on("opened", refresh);
  body.closest("details")?.addEventListener("toggle", refresh);
  refresh();
}

/**
 * The result of the edit; null while it is not in view.
 * @param {Studio} studio
 * @param {boolean} isUnfolded
 * @returns {Promise<{message: MotionMessage | null, problem: string | null}>}
 */
async function askEngine({ store, engine, character }, isUnfolded) {
  const { clip, selected, recipe } = store.state;
  const isWanted = recipe.motion.pins.length > 0 || isUnfolded;
  if (!character || store.state.character?.key !== character.key || clip === null || !isWanted) {
    return { message: null, problem: null };
  }
  const isJoint = character.joints.some(({ name, joint }) => joint && name === selected);
  try {
    const asked = { key: character.key, recipe, clip, joint: isJoint ? selected : null, frame: null };
    return { message: await engine.request("motion", asked), problem: null };
  } catch (error) {
    return { message: null, problem: isCancelled(error) ? null : sentence(error) };
  }
}

/** @param {Studio} studio */
function pinButton(studio) {
  const { run, keys } = studio.actions["pin-joint"];
  const pin = button({
    label: "Pin selected joint here",
    title: `Hold the selected joint where it is in this frame, then drag it (${keys ?? ""})`,
    look: "primary",
    onClick: () => run(),
  });
  const about = element("p", { class: "note" });
  const render = () => {
    const { selected, turns } = studio.store.state;
    pin.disabled = selected === null;
    const turned = "The turns of the pose lie on top of the edit: reset the pose to see joints meet their pins.";
    if (selected === null) about.textContent = "Select a joint in the view or in the tree.";
    else about.textContent = Object.keys(turns).length > 0 ? turned : "";
  };
  watch(studio, (doc) => doc.selected, render);
  watch(studio, (doc) => doc.turns, render);
  return element("div", { class: "stack" }, buttonRow(pin), about);
}

/** The frames that may change, and the constraints. @param {Studio} studio */
function range(studio) {
  const { store } = studio;
  const clipOf = () => playedClip(store.state, studio.character);
  const edit = (/** @type {Doc} */ doc, /** @type {0 | 1} */ end, /** @type {number} */ frame) => {
    const clip = clipOf();
    if (!clip) return doc;
    const [first, last] = doc.recipe.motion.range ?? [0, clip.last];
    return withMotion(doc, (motion) => withRange(motion, clip, end === 0 ? frame : first, end === 0 ? last : frame));
  };
  const field = (/** @type {0 | 1} */ end, /** @type {string} */ label, /** @type {string} */ title) =>
    numberField({
      label,
      title,
      min: 0,
      max: 1e6,
      step: 1,
      decimals: 0,
      slider: null,
      onChange: gesture(studio, "range of the edit", (doc, /** @type {number} */ frame) => edit(doc, end, frame)).onChange,
    });
  const first = field(0, "First frame", "The first frame that may change, counted from 0 in the clip's own frames");
  const last = field(1, "Last frame", "The last frame that may change");
  const around = button({
    label: "Around this frame",
    title: "Let a second to either side change, and what the pins need",
    onClick: () => {
      const clip = clipOf();
      if (!clip) return;
      const frame = frameAt(clip, store.state.time);
      store.change("range of the edit", (doc) => withMotion(doc, (motion) => withRangeAround(motion, clip, frame)));
    },
  });
  /** @param {"keep_contacts" | "free_start" | "free_end"} key @param {string} label @param {string} title */
  const flag = (key, label, title) =>
    checkbox({
      label,
      title,
      onChange: (on) => store.change(label.toLowerCase(), (doc) => withMotion(doc, (motion) => ({ ...motion, [key]: on }))),
    });
  const keep = flag("keep_contacts", "Keep feet planted", "Feet that stand in the clip stay where they stand");
  const start = flag("free_start", "Start may change", "Let the clip's first frames change; else they hold place and speed");
  const end = flag("free_end", "End may change", "Let the clip's last frames change; else they hold place and speed");
  const render = () => {
    const { motion: edited } = store.state.recipe;
    const clip = clipOf();
    const [low, high] = edited.range ?? [0, clip?.last ?? 0];
    first.set(low);
    last.set(high);
    keep.set(edited.keep_contacts);
    start.set(edited.free_start);
    end.set(edited.free_end);
    start.enable(low === 0);
    end.enable(high === clip?.last);
  };
  watch(studio, (doc) => doc.recipe.motion, render);
  watch(studio, (doc) => doc.clip, render);
  studio.on("opened", render);
  const frames = element("div", { class: "frames" }, first.element, last.element, around);
  const checks = element("div", { class: "checks" }, keep.element, start.element, end.element);
  return group("What may change", { open: true, hint: "Outside the range the motion stays as it is" }, frames, checks);
}

/** Foot contacts, with their slide after the edit. @param {Studio} studio */
function standingFeet(studio) {
  const list = element("ul", { class: "stands" });
  const about = element("p", { class: "note" });
  return {
    element: group("Standing feet", { hint: "Marked by discs in the view" }, about, list),
    render: (/** @type {MotionMessage | null} */ message) => {
      const contacts = message?.report?.contacts ?? [];
      about.textContent = contacts.length > 0 ? "" : message?.report ? "No foot is in contact in the range." : "Shown once a joint is pinned.";
      const row = (/** @type {(typeof contacts)[number]} */ { joint, tip, first, last, slide }) => {
        const slides = distanceInWords(studio, slide, "planted", (by) => `slides ${by}`);
        return `${joint}${tip ? " (tip)" : ""}: frames ${first} to ${last}, ${slides}`;
      };
      list.replaceChildren(...contacts.map((contact) => element("li", {}, row(contact))));
    },
  };
}

/** @param {Studio} studio */
function saving({ store, engine, notify }) {
  const save = async (/** @type {"bvh" | "glb"} */ format) => {
    const { character, recipe, clip } = store.state;
    if (!character || clip === null) return;
    try {
      const { name, content, payload } = await engine.request("save_motion", { key: character.key, recipe, clip, format });
      downloadBlob(name, new Blob([payload.bytes(content)]));
    } catch (error) {
      notify("error", sentence(error));
    }
  };
  return buttonRow(
    button({
      label: "Save as BVH",
      title: "The skeleton with this clip as it is edited",
      onClick: () => void save("bvh"),
    }),
    button({
      label: "Save as GLB",
      title: "The character with all its clips, this one as it is edited",
      onClick: () => void save("glb"),
    }),
  );
}
