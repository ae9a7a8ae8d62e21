// What are the fields in the pose that is seen? Asked of the engine only while somebody looks, once the pose stands still.

import { debounce, latestOnly } from "../../timing.js";
import { isUnfolded, watch } from "../common.js";

/** @import { Doc, FieldsMessage, FieldsRequest, Studio } from "../../types" */

const PAUSE_MS = 300;

/**
 * Tells the fields whenever they are others, and null while they are not known.
 *
 * @param {Studio} studio
 * @param {HTMLElement} body where they are told
 * @param {(fields: FieldsMessage | null, request: FieldsRequest | null) => void} tell with what they were asked with
 */
export function followFields(studio, body, tell) {
  const { store, playback } = studio;
  /** What the fields that are told were asked with. @type {FieldsRequest | null} */
  let told = null;
  const wanted = () => {
    const { view } = store.state;
    const isLookedAt = isUnfolded(body) || view.field || view.contours || view.samples;
    return isLookedAt && studio.character?.key === store.state.character?.key ? fieldsRequest(store.state) : null;
  };
  const isTold = () => isSame(told, wanted());
  const ask = latestOnly(async () => {
    const request = wanted();
    if (!request || playback.playing || isSame(told, request)) return;
    try {
      const fields = await studio.engine.request("fields", request);
      if (!isSame(request, wanted())) return;
      told = request;
      tell(fields, request);
    } catch {
      // A frame with the same recipe says what is wrong, and the next change asks again.
    }
  });
  const askLater = debounce(PAUSE_MS, () => void ask(undefined));
  const refresh = () => {
    if (isTold()) return;
    if (told) tell(null, null);
    told = null;
    askLater();
  };
  watch(studio, (doc) => doc, refresh);
  playback.onToggle(refresh);
  studio.on("opened", refresh);
  document.addEventListener("toggle", refresh, { capture: true });
}

/**
 * What is asked for a document; null where nothing has fields.
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
