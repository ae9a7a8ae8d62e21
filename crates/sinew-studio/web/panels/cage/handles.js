// The handles of the cage and their positions. Markers are always handles; a joint is a handle once it is fixed or
// dragged.

import { handleInHand, heldPlace, isByHandles, limbEnds, withCage, withHeld, withoutHeld } from "../../state/cage.js";
import { element, show, write } from "../../widgets/dom.js";
import { button, buttonRow } from "../../widgets/form.js";
import { watch } from "../common.js";
import { positionFields } from "../position_fields.js";

/** @import { Doc, Studio, Vector3 } from "../../types" */
/** @import { Handle } from "../../state/cage.js" */

/** @param {Studio} studio */
export function handles(studio) {
  const { store } = studio;
  const about = element("p", { class: "note" });
  const heading = element("h4", {});
  /** The target of the selected handle or, if it was not dragged, its position. */
  const placeNow = () => {
    const handle = handleInHand(store.state);
    return handle && (heldPlace(store.state, handle) ?? studio.viewer.placeOf(handle.kind, handle.name));
  };
  const move = (/** @type {number} */ axis, /** @type {number} */ value) => {
    const [handle, place] = [handleInHand(store.state), placeNow()];
    if (!handle || !place || place[axis] === value) return;
    const moved = /** @type {Vector3} */ (place.map((old, k) => (k === axis ? value : old)));
    const label = `drag ${handle.name}`;
    store.change(label, (doc) => withHeld(doc, handle, moved), label);
  };
  const fields = positionFields(studio, { label: "Handle", what: "The target of the handle", move });
  const hold = button({
    label: "Hold it here",
    title: "Keep the selected joint where it is now",
    onClick: () => {
      const [handle, place] = [handleInHand(store.state), placeNow()];
      if (handle && place) store.change(`hold ${handle.name}`, (doc) => withHeld(doc, handle, place));
    },
  });
  const inHand = element("section", { class: "stack", "aria-label": "Handle in hand" }, heading, fields.element, buttonRow(hold));
  const ends = button({
    label: "Hold the ends of all limbs",
    title: "The body stays where it is, and one limb can be dragged",
    onClick: () => store.change("hold the ends of all limbs", (doc) => withEnds(studio, doc)),
  });
  const reset = button({
    label: "Let everything go",
    look: "quiet",
    title: "Release all joints and markers; the mesh returns to rest",
    onClick: () => store.change("let all handles go", (doc) => withCage(doc, { joints: {}, markers: {} })),
  });
  const list = element("ul", { class: "pins", "aria-label": "Held" });
  const item = (/** @type {Handle} */ handle) => {
    const what = handle.kind === "joints" ? "joint" : "marker";
    return element(
      "li",
      {},
      button({
        label: handle.name,
        name: `Go to ${what} ${handle.name}`,
        title: "Select this handle",
        look: "quiet",
        onClick: () => store.change(`take ${handle.name}`, (doc) => taken(doc, handle)),
      }),
      element("output", {}, what),
      button({
        label: "×",
        name: `Let ${what} ${handle.name} go`,
        title: handle.kind === "joints" ? "The joint is free again" : "The marker goes back to where it is at rest",
        look: "icon",
        onClick: () => store.change(`let ${handle.name} go`, (doc) => withoutHeld(doc, handle)),
      }),
    );
  };
  let listed = "";
  const render = () => {
    const doc = store.state;
    const held = allHeld(doc);
    const key = JSON.stringify(held);
    if (key !== listed) list.replaceChildren(...held.map(item));
    listed = key;
    show(list, held.length > 0);
    write(about, describe(doc));
    const handle = handleInHand(doc);
    const place = placeNow();
    show(inHand, isByHandles(doc) && place !== null);
    ends.disabled = !isByHandles(doc);
    reset.disabled = held.length === 0;
    if (!handle || !place) return;
    write(heading, `${handle.kind === "joints" ? "Joint" : "Marker"} ${handle.name}`);
    show(hold, heldPlace(doc, handle) === undefined);
    fields.set(place);
  };
  watch(studio, (doc) => doc, render);
  studio.on("frame", render);
  return element("div", { class: "stack" }, about, inHand, list, buttonRow(ends, reset));
}

/** The fixed and the dragged handles. @param {Doc} doc @returns {Handle[]} */
function allHeld({ cage }) {
  const of = (/** @type {Handle["kind"]} */ kind) => Object.keys(cage[kind]).map((name) => ({ kind, name }));
  return [...of("joints"), ...of("markers")];
}

/** @param {Doc} doc @param {Handle} handle */
function taken(doc, { kind, name }) {
  return kind === "markers" ? withCage(doc, { marker: name }) : { ...withCage(doc, { marker: null }), selected: name };
}

/** Holds the ends of limbs where they are now. @param {Studio} studio @param {Doc} doc */
function withEnds({ character, viewer }, doc) {
  const ends = limbEnds(character?.joints ?? []).map((joint) => character?.joints[joint].name ?? "");
  /** @type {Doc["cage"]["joints"]} */
  const joints = {};
  for (const name of ends) {
    const place = viewer.placeOf("joints", name);
    if (place) joints[name] = place;
  }
  return withCage(doc, { joints: { ...joints, ...doc.cage.joints } });
}

/** @param {Doc} doc */
export function describe(doc) {
  if (!isByHandles(doc)) return "Choose “handles” above to drag joints and markers.";
  const handle = handleInHand(doc);
  if (!handle) return "Select a joint or a marker, and drag its arrows.";
  const isAlone = Object.keys(doc.cage.joints).length + Object.keys(doc.recipe.cage.markers).length < 2;
  return isAlone ? "A single handle takes the whole body along: hold something else, too." : "";
}
