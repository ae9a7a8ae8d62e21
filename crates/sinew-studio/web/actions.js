// The actions of the page. Every action has a name, so that buttons, keys and the help agree.

import { mirrorTurns } from "./state/mirror.js";
import { pinSelected } from "./pin.js";
import { ask, keyTable } from "./widgets/dialog.js";

/** @import { Action, ActionName, Coloring, CompareMode, Studio, ViewSettings } from "./types" */

/** @type {CompareMode[]} */
const COMPARE_MODES = ["off", "side", "wipe"];

/**
 * @param {Studio} studio
 * @returns {Record<ActionName, Action>}
 */
export function makeActions(studio) {
  const { store, playback } = studio;
  /** @param {string} label @param {string | null} keys @param {() => void} run @returns {Action} */
  const action = (label, keys, run) => ({ label, keys, run });
  /** @param {Partial<ViewSettings>} view @param {string} label */
  const setView = (view, label) => store.change(label, (doc) => ({ ...doc, view: { ...doc.view, ...view } }));
  /** @param {string} what @param {string} keys @param {Coloring} color */
  const colorBy = (what, keys, color) => action(`Colour by ${what}`, keys, () => setView({ color }, `colour by ${what}`));

  /** @type {Record<ActionName, Action>} */
  const actions = {
    open: action("Open files", "Ctrl+O", () => studio.chooseFiles()),
    play: action("Play or pause", "Space", () => playback.toggle()),
    "step-back": action("One frame back", "←", () => playback.step(-1)),
    "step-forward": action("One frame on", "→", () => playback.step(1)),
    "go-to-start": action("Go to the clip's start", "Home", () => playback.seek(-Infinity)),
    "go-to-end": action("Go to the clip's end", "End", () => playback.seek(Infinity)),
    undo: action("Undo", "Ctrl+Z", () => store.undo()),
    redo: action("Redo", "Ctrl+Shift+Z / Ctrl+Y", () => store.redo()),
    wireframe: action("Show or hide the wireframe", "W", () => {
      setView({ wireframe: !store.state.view.wireframe }, "switch the wireframe");
    }),
    skeleton: action("Show or hide the skeleton", "S", () => {
      setView({ skeleton: !store.state.view.skeleton }, "switch the skeleton");
    }),
    "frame-view": action("Look at the selected joint, or at everything", "F", () => studio.viewer.frameView()),
    "color-material": colorBy("material", "1", "material"),
    "color-clay": action("Colour as clay", "2", () => setView({ color: "clay" }, "colour as clay")),
    "color-weight": colorBy("the selected joint's weight", "3", "weight"),
    "color-displacement": colorBy("displacement", "4", "displacement"),
    "color-volume": colorBy("local volume change", "5", "volume"),
    compare: action("Compare: off, side by side, wipe", "C", () => {
      const mode = COMPARE_MODES[(COMPARE_MODES.indexOf(store.state.compare.mode) + 1) % COMPARE_MODES.length];
      store.change(`compare: ${mode}`, (doc) => ({ ...doc, compare: { ...doc.compare, mode } }));
    }),
    "reset-joint": action("Reset the selected joint", "R", () => {
      const { selected, turns } = store.state;
      if (selected === null || !(selected in turns)) return;
      const { [selected]: _, ...others } = turns;
      store.change(`reset ${selected}`, (doc) => ({ ...doc, turns: others }));
    }),
    "reset-pose": action("Reset the pose", "Shift+R", () => {
      store.change("reset the pose", (doc) => (Object.keys(doc.turns).length === 0 ? doc : { ...doc, turns: {} }));
    }),
    "mirror-pose": action("Mirror the pose", "M", () => {
      const { character } = studio;
      if (!character || Object.keys(store.state.turns).length === 0) return;
      const { joints, mirror_axis } = character;
      store.change("mirror the pose", (doc) => ({ ...doc, turns: mirrorTurns(doc.turns, joints, mirror_axis, "flip") }));
    }),
    "pin-joint": action("Pin the selected joint in this frame", "K", () => void pinSelected(studio)),
    screenshot: action("Save a picture of the view", "P", () => void studio.capture.screenshot()),
    help: action("Show the keys", "?", () => void showHelp(Object.values(actions))),
  };
  return actions;
}

/** @param {Action[]} actions */
function showHelp(actions) {
  /** @type {[string, string][]} */
  const rows = actions.flatMap(({ keys, label }) => (keys === null ? [] : [[keys, label]]));
  rows.push(["Drag", "Orbit"], ["Right drag", "Pan"], ["Wheel", "Zoom"], ["Shift", "While turning a joint: in steps of 5°"]);
  return ask({
    title: "Keys",
    body: [keyTable(rows)],
    actions: [{ value: "close", label: "Close", look: "primary" }],
    wide: true,
  });
}
