// The fields in the current pose, requested only while they are in view and the pose does not change.

import { debounce, latestOnly } from "../../timing.js";
import { isUnfolded, watch } from "../common.js";

/** @import { Doc, FieldsMessage, FieldsRequest, Studio } from "../../types" */

const PAUSE_MS = 300;

/**
 * Calls `update` with the fields after every change, and with null while they are unknown.
 *
 * @param {Studio} studio
 * @param {HTMLElement} body the panel that shows them
 * @param {(fields: FieldsMessage | null, request: FieldsRequest | null) => void} update called with the fields and their request
 */
export function followFields(studio, body, update) {
  const { store, playback } = studio;
  /** The request of the fields that are shown. @type {FieldsRequest | null} */
  let shown = null;
  const wanted = () => {
    const { view } = store.state;
    const isLookedAt = isUnfolded(body) || view.field || view.contours || view.samples;
    return isLookedAt && studio.character?.key === store.state.character?.key ? fieldsRequest(store.state) : null;
  };
  const isCurrent = () => isSame(shown, wanted());
  const ask = latestOnly(async () => {
    const request = wanted();
    if (!request || playback.playing || isSame(shown, request)) return;
    try {
      const fields = await studio.engine.request("fields", request);
      if (!isSame(request, wanted())) return;
      shown = request;
      update(fields, request);
    } catch {
      // A frame with the same recipe reports the error, and the next change requests the fields again.
    }
  });
  const askLater = debounce(PAUSE_MS, () => void ask(undefined));
  const refresh = () => {
    if (isCurrent()) return;
    if (shown) update(null, null);
    shown = null;
    askLater();
  };
  watch(studio, (doc) => doc, refresh);
  playback.onToggle(refresh);
  studio.on("opened", refresh);
  document.addEventListener("toggle", refresh, { capture: true });
}

/**
 * The request for a document; null if it has no fields.
 *
 * @param {Doc} doc
 * @returns {FieldsRequest | null}
 */
export function fieldsRequest({ character, recipe, clip, time, turns, view, selected }) {
  if (!character || !recipe.implicit.on) return null;
  const [cut, samples] = [view.contours, view.samples].map((isSeen) => (isSeen ? selected : null));
  return { key: character.key, recipe, clip, time, turns, surface: view.field, cut, samples };
}

/** @type {(a: FieldsRequest | null, b: FieldsRequest | null) => boolean} */
export function isSame(a, b) {
  if (!a || !b) return a === b;
  const keys = /** @type {(keyof FieldsRequest)[]} */ (Object.keys(a));
  return keys.every((key) => a[key] === b[key]);
}
