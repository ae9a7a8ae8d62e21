// The comparison of two recipes in one picture, and its layout.

import { button, buttonRow, segmented, selectField } from "../widgets/form.js";
import { inWords, watch } from "./common.js";

/** @import { CompareMode, CompareSettings, Doc, Panel, Studio } from "../types" */

/** @type {Panel} */
export const compare = { id: "compare", title: "Compare", place: "right", mount };

/** @type {(doc: Doc, patch: Partial<CompareSettings>) => Doc} */
const withCompare = (doc, patch) => ({ ...doc, compare: { ...doc.compare, ...patch } });

/** @param {HTMLElement} body @param {Studio} studio */
function mount(body, studio) {
  const { store } = studio;
  const mode = segmented({
    label: "Compare",
    title: `Show two results at once (${studio.actions.compare.keys ?? ""})`,
    choices: [
      { value: "off", label: "off", title: "One picture" },
      { value: "side", label: "side by side", title: "Two pictures with linked cameras" },
      { value: "wipe", label: "wipe", title: "One picture with a divider to drag" },
    ],
    onChange: (value) =>
      store.change(`compare: ${value}`, (doc) => withCompare(doc, { mode: /** @type {CompareMode} */ (value) })),
  });
  const other = selectField({
    label: "With",
    title: "What the other half of the picture shows",
    choices: [],
    onChange: (value) =>
      store.change("compare with another", (doc) => withCompare(doc, { with: value, mode: shownMode(doc) })),
  });
  const pin = button({
    label: "Pin what I see",
    title: "Keep the present settings as the other half, and go on changing this one",
    onClick: () =>
      store.change("pin the recipe", (doc) =>
        withCompare(doc, { pinned: doc.recipe, with: "pinned", mode: shownMode(doc) }),
      ),
  });
  body.append(mode.element, other.element, buttonRow(pin));
  watch(
    studio,
    (doc) => doc.compare,
    ({ mode: value, with: name, pinned }) => {
      other.choices([
        { value: "skin", label: "this skin alone" },
        ...studio.engine.hello.skins.map((skin) => ({ value: skin, label: `${inWords(skin)} skin` })),
        ...(pinned ? [{ value: "pinned", label: "what was pinned" }] : []),
      ]);
      mode.set(value);
      other.set(name);
    },
  );
}

/** Choosing what to compare with is asking to see it. @type {(doc: Doc) => CompareMode} */
function shownMode(doc) {
  return doc.compare.mode === "off" ? "side" : doc.compare.mode;
}
