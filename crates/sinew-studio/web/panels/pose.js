// The left column: the selected joint, its rotation, and operations on the whole pose.

import { sentence } from "../errors.js";
import { chooseFiles, downloadText, stem } from "../files.js";
import { mirrorTurn, mirrorTurns, partners } from "../state/mirror.js";
import { IDENTITY, angle, fromEuler, isSame, toEuler } from "../state/rotation.js";
import { element, show, write } from "../widgets/dom.js";
import { button, buttonRow, numberField } from "../widgets/form.js";
import { fixed } from "../numbers.js";
import { Tree } from "../widgets/tree.js";
import { watch } from "./common.js";

/** @import { Doc, Panel, Quaternion, Studio, Vector3 } from "../types" */
/** @import { Mirroring } from "../state/mirror.js" */

/** @type {Panel} */
export const pose = { id: "pose", title: "Pose", place: "left", mount };

/** @param {HTMLElement} body @param {Studio} studio */
function mount(body, studio) {
  body.append(joints(studio), element("div", { class: "pose" }, selectedJoint(studio), wholePose(studio)));
}

/** The tree, with a box that narrows it. @param {Studio} studio */
function joints(studio) {
  const { store } = studio;
  const nameOf = (/** @type {number} */ k) => studio.character?.joints[k]?.name ?? null;
  const tree = new Tree({
    label: "Joints",
    onSelect: (k) =>
      store.change("select a joint", (doc) => (doc.selected === nameOf(k) ? doc : { ...doc, selected: nameOf(k) })),
    onReveal: () => studio.viewer.frameView(),
  });
  const filter = element("input", {
    type: "search",
    placeholder: "Find a joint",
    "aria-label": "Find a joint",
    title: "Show only the joints whose names have these letters",
  });
  filter.addEventListener("input", () => tree.filter(filter.value));
  filter.addEventListener("keydown", (event) => event.stopPropagation());
  const select = () =>
    tree.select(studio.character?.joints.findIndex((joint) => joint.name === store.state.selected) ?? -1);
  const mark = () => {
    const { turns } = store.state;
    tree.marks(
      (studio.character?.joints ?? []).map(({ name }) =>
        turns[name] ? `${fixed(angle(turns[name]), 0)}°` : undefined,
      ),
    );
  };
  const render = () => {
    tree.set(
      (studio.character?.joints ?? []).map(({ name, parent, weighted }) => ({ name, parent, quiet: !weighted })),
    );
    tree.filter(filter.value);
    select();
    mark();
  };
  render();
  studio.on("opened", render);
  watch(studio, (doc) => doc.selected, select);
  watch(studio, (doc) => doc.turns, mark);
  return element("section", { class: "joints", "aria-label": "Joints" }, filter, tree.element);
}

/** @param {Doc} doc @param {string} joint @param {Quaternion} turn @returns {Doc} */
function withTurn(doc, joint, turn) {
  const { [joint]: _, ...others } = doc.turns;
  return { ...doc, turns: isSame(turn, IDENTITY) ? others : { ...others, [joint]: turn } };
}

/** The three angles of the selected joint. @param {Studio} studio */
function selectedJoint(studio) {
  const { store } = studio;
  /** The angles as they were typed: a turn has several, and numbers must not jump in a drag. @type {Vector3} */
  let shown = [0, 0, 0];
  const turnTo = (/** @type {number} */ axis, /** @type {number} */ degrees) => {
    const joint = store.state.selected;
    if (joint === null) return;
    shown = /** @type {Vector3} */ (shown.map((old, k) => (k === axis ? degrees : old)));
    store.change(`turn ${joint}`, (doc) => withTurn(doc, joint, fromEuler(shown)), `turn ${joint}`);
  };
  const fields = ["X", "Y", "Z"].map((name, axis) =>
    numberField({
      label: name,
      unit: "°",
      title: `Degrees about the joint's own ${name.toLowerCase()} axis, on top of the clip`,
      min: -360,
      max: 360,
      step: 1,
      decimals: 1,
      slider: [-180, 180],
      onInput: (degrees) => turnTo(axis, degrees),
      onChange: (degrees) => {
        turnTo(axis, degrees);
        store.seal();
      },
    }),
  );
  const heading = element("h3", {});
  const total = element("span", { class: "total", title: "The whole angle of the turn" });
  const { "reset-joint": reset } = studio.actions;
  const resetButton = button({
    label: "Reset joint",
    title: `${reset.label} (${reset.keys ?? ""})`,
    onClick: () => reset.run(),
  });
  const copyButton = button({
    label: "Copy across",
    title: "Turn the joint of the other side as a mirror image of this one",
    onClick: () => copyAcross(studio),
  });
  const controls = element(
    "div",
    { class: "angles" },
    ...fields.map((field) => field.element),
    buttonRow(resetButton, copyButton),
  );
  const hint = element("p", { class: "note" }, "Select a joint above or in the view, then turn it.");
  const render = () => {
    const { selected, turns } = store.state;
    const joint = studio.character?.joints.find(({ name }) => name === selected);
    const turn = (selected !== null && turns[selected]) || IDENTITY;
    if (!isSame(fromEuler(shown), turn)) shown = toEuler(turn);
    fields.forEach((field, axis) => field.set(shown[axis]));
    write(heading, joint ? joint.name : "No joint selected");
    write(total, joint ? `${fixed(angle(turn), 1)}°` : "");
    show(controls, joint !== undefined);
    show(hint, joint === undefined);
    resetButton.disabled = isSame(turn, IDENTITY);
    copyButton.disabled = !joint || joint.mirror < 0;
  };
  watch(
    studio,
    (doc) => doc.selected,
    () => {
      shown = [0, 0, 0];
      render();
    },
  );
  watch(studio, (doc) => doc.turns, render);
  studio.on("opened", render);
  return element(
    "section",
    { class: "selected", "aria-label": "Selected joint" },
    element("header", {}, heading, total),
    hint,
    controls,
  );
}

/** @param {Studio} studio */
function copyAcross({ store, character }) {
  const joint = character?.joints.find(({ name }) => name === store.state.selected);
  if (!character || !joint) return;
  const other = character.joints[partners(character.joints, character.mirror_axis)[character.joints.indexOf(joint)]];
  if (!other) return;
  const turn = mirrorTurn(store.state.turns[joint.name] ?? IDENTITY, joint, other, character.mirror_axis);
  store.change(`copy ${joint.name} to ${other.name}`, (doc) => withTurn(doc, other.name, turn));
}

/** @param {Studio} studio */
function wholePose(studio) {
  const { store } = studio;
  const { "reset-pose": reset, "mirror-pose": flip } = studio.actions;
  const mirror = (/** @type {Mirroring} */ how, /** @type {string} */ label) => {
    const { character } = studio;
    if (character)
      store.change(label, (doc) => ({
        ...doc,
        turns: mirrorTurns(doc.turns, character.joints, character.mirror_axis, how),
      }));
  };
  return element(
    "section",
    { class: "whole", "aria-label": "Pose" },
    buttonRow(
      button({
        label: "L → R",
        name: "L → R, mirror the left side",
        title: "Give the right side the mirror image of the left",
        onClick: () => mirror("left-to-right", "mirror left to right"),
      }),
      button({
        label: "R → L",
        name: "R → L, mirror the right side",
        title: "Give the left side the mirror image of the right",
        onClick: () => mirror("right-to-left", "mirror right to left"),
      }),
      button({
        label: "Flip",
        title: `Exchange left and right (${flip.keys ?? ""})`,
        onClick: () => mirror("flip", "mirror the pose"),
      }),
    ),
    buttonRow(
      button({ label: "Reset pose", title: `${reset.label} (${reset.keys ?? ""})`, onClick: () => reset.run() }),
      button({
        label: "Save",
        name: "Save pose",
        title: "Save every joint's rotation from rest as a .json file, as `sinew pose --pose` reads it",
        onClick: () => void savePose(studio),
      }),
      button({
        label: "Load…",
        name: "Load pose…",
        title: "Load a pose from a .json file, onto the rest pose",
        onClick: () => chooseFiles(".json", ([file]) => void loadPose(studio, file)),
      }),
    ),
  );
}

/** @param {Studio} studio */
async function savePose({ store, engine, notify }) {
  const { character, recipe, clip, time, turns } = store.state;
  if (!character) return;
  try {
    const { text } = await engine.request("write_pose", { key: character.key, recipe, clip, time, turns });
    downloadText(`${stem(character.name)}.pose.json`, text);
  } catch (error) {
    notify("error", sentence(error));
  }
}

/** @param {Studio} studio @param {File} file */
async function loadPose({ store, engine, notify }, file) {
  const { character } = store.state;
  if (!character) return;
  try {
    const { turns } = await engine.request("read_pose", { key: character.key, text: await file.text() });
    store.change(`load ${file.name}`, (doc) => ({ ...doc, clip: null, time: 0, turns }));
  } catch (error) {
    notify("error", `${file.name}: ${sentence(error)}`);
  }
}
