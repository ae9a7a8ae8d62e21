// The bar: the open character, undo and redo, and help; on a first visit also a hint over the view.

import { FIRST_CLIP, withCharacter } from "../state/document.js";
import { element, show, svg, write } from "../widgets/dom.js";
import { button } from "../widgets/form.js";
import { watch, withVolume } from "./common.js";
import { volumeSwitch } from "./volume_switch.js";

/** @import { ActionName, Panel, Studio } from "../types" */

/** @type {Panel} */
export const header = { id: "bar", title: "Sinew", place: "top", mount };

const SEEN = "sinew-hint-seen";
const DEMO_ELBOW = "LeftForeArm";

/** @param {HTMLElement} body @param {Studio} studio */
function mount(body, studio) {
  const { store } = studio;
  const name = element("span", { class: "open-name", title: "The character that is open" });
  const action = (/** @type {ActionName} */ which, /** @type {string} */ label) => {
    const { keys, run, label: does } = studio.actions[which];
    return button({ label, title: keys ? `${does} (${keys})` : does, onClick: () => run() });
  };
  const open = action("open", "Open…");
  open.classList.add("primary");
  const undo = action("undo", "Undo");
  const redo = action("redo", "Redo");
  body.append(
    element("strong", { class: "brand" }, mark(), "Sinew"),
    open,
    name,
    element("div", { class: "history", role: "group", "aria-label": "History" }, undo, redo),
    element("span", { class: "spring" }),
    action("help", "Help"),
  );
  const setLabel = (
    /** @type {HTMLButtonElement} */ made,
    /** @type {"undo" | "redo"} */ what,
    /** @type {string | null} */ label,
  ) => {
    const word = what === "undo" ? "Undo" : "Redo";
    made.disabled = label === null;
    made.title = `${label === null ? `Nothing to ${what}` : `${word}: ${label}`} (${studio.actions[what].keys ?? ""})`;
    made.replaceChildren(word, label === null ? "" : element("span", { class: "what" }, label));
    made.setAttribute("aria-label", label === null ? word : `${word}: ${label}`);
  };
  watch(
    studio,
    () => store.canUndo,
    (label) => setLabel(undo, "undo", label),
  );
  watch(
    studio,
    () => store.canRedo,
    (label) => setLabel(redo, "redo", label),
  );
  watch(
    studio,
    (doc) => doc.character?.name ?? "",
    (text) => write(name, text),
  );
  overView(studio);
}

/** What lies over the view: the switch that this is all about, and the hint. @param {Studio} studio */
function overView(studio) {
  const steps = [
    "Drop a character here, or use this one",
    "Bend a joint: click it, then drag a ring",
    "Switch on Keep volume: the joint fills out",
  ];
  const close = element(
    "button",
    { type: "button", class: "icon", "aria-label": "Close the hint", title: "Do not show this again" },
    "×",
  );
  const example = button({
    label: "Show me",
    title:
      "A bent elbow with linear skin, as most engines have it, beside one that keeps its volume. Undo takes it back.",
    onClick: () => {
      showDifference(studio);
      show(hint, false);
    },
  });
  const hint = element(
    "div",
    { class: "hint", role: "note" },
    element("ol", {}, ...steps.map((line) => element("li", {}, line))),
    close,
    example,
  );
  close.addEventListener("click", () => {
    show(hint, false);
    remember();
  });
  hint.hidden = wasSeen();
  const offer = () => show(example, isDemo(studio));
  offer();
  studio.on("opened", offer);
  const volume = element(
    "div",
    { class: "over-view" },
    volumeSwitch(studio, "Keep volume", "Keep volume, over the view"),
  );
  for (const over of [volume, hint]) {
    // The view would take the pointer for itself, and no click would come.
    over.addEventListener("pointerdown", (event) => event.stopPropagation());
    studio.viewer.element.append(over);
  }
}

/** @param {Studio} studio */
function isDemo({ character }) {
  return character?.clips.some(({ name }) => name === FIRST_CLIP) ?? false;
}

/** The demo's bent elbow with and without volume, from close by. @param {Studio} studio */
function showDifference({ store, character, viewer }) {
  if (!character) return;
  const label = "show the difference";
  store.change(
    label,
    (doc) => ({
      ...withVolume(withCharacter(doc, character), { method: "exact" }),
      view: { ...doc.view, skeleton: false, color: "clay" },
      compare: { ...doc.compare, mode: "side", with: "skin" },
    }),
    label,
  );
  const camera = viewer.lookAt(DEMO_ELBOW);
  store.change(label, (doc) => ({ ...doc, camera }), label);
  store.seal();
}

/** Storage can be forbidden; the hint then shows on every visit. */
function wasSeen() {
  try {
    return localStorage.getItem(SEEN) !== null;
  } catch {
    return false;
  }
}

function remember() {
  try {
    localStorage.setItem(SEEN, "1");
  } catch {
    // See `wasSeen`.
  }
}

function mark() {
  return svg(
    "svg",
    { viewBox: "0 0 20 20", width: 18, height: 18, "aria-hidden": "true" },
    svg("path", { d: "M3 16C3 9 6 4 10 4s7 5 7 12", class: "limb" }),
    svg("path", { d: "M6.500 16C6.500 11.500 8 8.500 10 8.500s3.500 3 3.500 7.500", class: "added" }),
  );
}
