// The markers on the mesh: placed by clicks, named as in the capture, and removed. They are part of the recipe, so
// sinew cage drive --markers finds them by name.

import { sentence } from "../../errors.js";
import { freshLabel, heldPlace, placeAtRest, withCage, withLabel, withMarker, withoutMarker } from "../../state/cage.js";
import { element, show, write } from "../../widgets/dom.js";
import { button, segmented, textField } from "../../widgets/form.js";
import { watch } from "../common.js";

/** @import { CagedMessage, Studio, ViewHit } from "../../types" */

/** @param {Studio} studio */
export function markers(studio) {
  const { store, viewer } = studio;
  let mode = "look";
  /** The mesh of the cage at rest. @type {Float32Array | null} */
  let rest = null;
  const place = (/** @type {ViewHit} */ { place: hit }) => {
    if (!hit || !rest) return;
    const position = placeAtRest(hit, rest);
    const label = freshLabel(store.state.recipe.cage);
    store.change(`place marker ${label}`, (doc) => withMarker(doc, label, position));
  };
  const clicks = segmented({
    label: "A click on the mesh",
    title: "Place markers while the mesh follows its cage",
    choices: [
      { value: "look", label: "Select", title: "Selects joints and markers" },
      { value: "place", label: "Place a marker", title: "Places a marker where the mesh is clicked" },
    ],
    onChange: (value) => {
      mode = value;
      render();
    },
  });
  const name = textField({
    label: "Name",
    title: "As a capture names it",
    onChange: (text) => {
      const { marker } = store.state.cage;
      if (marker === null) return;
      try {
        store.change(`name marker ${text}`, (doc) => withLabel(doc, marker, text));
      } catch (error) {
        studio.notify("warning", sentence(error));
        name.set(marker);
      }
    },
  });
  const about = element("p", { class: "note" });
  const list = element("ul", { class: "pins", "aria-label": "Markers" });
  const item = (/** @type {string} */ label) =>
    element(
      "li",
      {},
      button({
        label,
        name: `Take marker ${label}`,
        title: "Select this marker",
        look: "quiet",
        onClick: () => store.change(`take marker ${label}`, (doc) => withCage(doc, { marker: label })),
      }),
      element("output", { "aria-label": `Marker ${label}` }),
      button({
        label: "×",
        name: `Remove marker ${label}`,
        title: "Delete this marker",
        look: "icon",
        onClick: () => store.change(`remove marker ${label}`, (doc) => withoutMarker(doc, label)),
      }),
    );
  let listed = "";
  let isPlacing = false;
  const render = () => {
    const { recipe, cage } = store.state;
    const labels = Object.keys(recipe.cage.markers);
    const key = JSON.stringify(labels);
    if (key !== listed) list.replaceChildren(...labels.map(item));
    listed = key;
    labels.forEach((label, index) => {
      const output = list.children[index].querySelector("output");
      const isMoved = heldPlace(store.state, { kind: "markers", name: label }) !== undefined;
      if (output) write(output, [label === cage.marker ? "in hand" : "", isMoved ? "dragged" : ""].filter(Boolean).join(", "));
    });
    show(list, labels.length > 0);
    show(name.element, cage.marker !== null);
    if (cage.marker !== null) name.set(cage.marker);
    const canPlace = rest !== null && cage.on && cage.follow;
    write(about, canPlace ? "" : "Markers are placed while the mesh follows its cage.");
    clicks.set(mode);
    clicks.enable(canPlace);
    if (isPlacing !== (canPlace && mode === "place")) {
      isPlacing = !isPlacing;
      viewer.useTool(isPlacing ? place : null);
    }
  };
  watch(studio, (doc) => doc, render);
  // Selecting a joint deselects the marker.
  store.subscribe((doc, before) => {
    if (doc.selected !== before.selected && doc.cage.marker !== null && doc.cage.marker === before.cage.marker) {
      store.touch((now) => withCage(now, { marker: null }));
    }
  });
  return {
    element: element("div", { class: "stack" }, clicks.element, about, list, name.element),
    /** @param {CagedMessage | null} caged */
    update: (caged) => {
      rest = caged && caged.payload.floats(caged.rest);
      render();
    },
  };
}
