// A document in a link: its difference from a new one, as JSON, deflated, in base64url, after the "#". A link may be
// malicious: only values of the expected kind are accepted, and the engine checks recipes.

import { soundCage, soundCageRecipe } from "./cage.js";

/** @import { Doc, ImplicitRecipe, MotionRecipe, Store } from "../types" */

const PREFIX = "#v1=";
const PAUSE_MS = 400;
/** Far more than any document; a link that inflates to more is refused. */
const MOST_CHARACTERS = 1 << 20;
/** Keys whose values may be of another kind than the default's, or that have none. */
const OF_ANY_KIND = new Set(["target", "range", "stiffness"]);

/**
 * @param {Doc} doc
 * @param {Doc} defaults
 * @returns {Promise<string>} "" for a document that is new
 */
export async function toHash(doc, defaults) {
  const changes = difference(doc, defaults);
  if (changes === undefined) return "";
  const bytes = await through(new Blob([JSON.stringify(changes)]), new CompressionStream("deflate-raw"));
  const binary = Array.from(new Uint8Array(await bytes.arrayBuffer()), (byte) => String.fromCharCode(byte)).join("");
  return PREFIX + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * Fails when the hash is not one of ours.
 * @param {string} hash
 * @param {Doc} defaults
 * @returns {Promise<Doc | null>} null for an address without a document
 */
export async function fromHash(hash, defaults) {
  if (!hash.startsWith(PREFIX)) return null;
  const binary = atob(hash.slice(PREFIX.length).replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const text = await (await through(new Blob([bytes]), new DecompressionStream("deflate-raw"))).text();
  if (text.length > MOST_CHARACTERS) throw new RangeError("The address is too long.");
  return sound(patched(defaults, JSON.parse(text)), defaults);
}

/**
 * Keeps the address up to date, some time after the last change.
 * @param {Store} store
 * @param {Doc} defaults
 */
export function keepAddress(store, defaults) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  store.subscribe(() => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const hash = await toHash(store.state, defaults);
      history.replaceState(null, "", hash || location.pathname + location.search);
    }, PAUSE_MS);
  });
}

/**
 * @param {Blob} blob
 * @param {CompressionStream | DecompressionStream} stream
 */
const through = (blob, stream) => new Response(blob.stream().pipeThrough(stream)).blob();

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * What `value` has that `other` has not, in the same tree; undefined for nothing.
 * @param {unknown} value
 * @param {unknown} other
 * @returns {unknown}
 */
function difference(value, other) {
  if (isRecord(value) && isRecord(other)) {
    const changes = Object.entries(value)
      .map(([key, part]) => /** @type {const} */ ([key, difference(part, other[key])]))
      .filter(([, part]) => part !== undefined);
    return changes.length === 0 ? undefined : Object.fromEntries(changes);
  }
  return JSON.stringify(value) === JSON.stringify(other) ? undefined : value;
}

/**
 * `defaults` with the values of `changes` that have the same type. Where the default is an empty record or null,
 * any value is taken.
 * @template T
 * @param {T} defaults
 * @param {unknown} changes
 * @returns {T}
 */
function patched(defaults, changes) {
  if (!isRecord(defaults) || !isRecord(changes)) return defaults;
  const open = Object.keys(defaults).length === 0;
  /** @type {Record<string, unknown>} */
  const result = { ...defaults };
  for (const [key, change] of Object.entries(changes)) {
    const before = defaults[key];
    if (open || before === null) result[key] = change;
    else if (isRecord(before)) result[key] = patched(before, change);
    else if (typeof before === typeof change || OF_ANY_KIND.has(key)) result[key] = change;
  }
  return /** @type {T} */ (result);
}

/** @param {unknown} value @param {number} length */
const isVector = (value, length) =>
  Array.isArray(value) && value.length === length && value.every((number) => Number.isFinite(number));

/** @param {MotionRecipe} motion @returns {MotionRecipe} */
function soundMotion({ range, ...motion }) {
  const isFrame = (/** @type {unknown} */ frame) => Number.isInteger(frame) && Number(frame) >= 0;
  const isPin = (/** @type {unknown} */ pin) =>
    isRecord(pin) && typeof pin.joint === "string" && isFrame(pin.frame) && isVector(pin.position ?? pin.offset, 3);
  const pins = Array.isArray(motion.pins) ? motion.pins.filter(isPin) : [];
  const isRange = Array.isArray(range) && range.length === 2 && range.every(isFrame);
  return { ...motion, pins, ...(isRange ? { range } : {}) };
}

/** @param {ImplicitRecipe} implicit @returns {ImplicitRecipe} */
function soundImplicit(implicit) {
  const isLimb = (/** @type {unknown} */ limb) =>
    isRecord(limb) && Array.isArray(limb.samples) && limb.samples.every((sample) => isVector(sample, 6));
  const limbs = Object.fromEntries(Object.entries(implicit.limbs).filter(([, limb]) => isLimb(limb)));
  return { ...implicit, limbs };
}

/**
 * The document without what cannot be shown.
 * @param {Doc} doc
 * @param {Doc} defaults
 * @returns {Doc}
 */
function sound(doc, defaults) {
  const { character, camera, clip, selected, muscle, turns, compare } = doc;
  const known = character && typeof character.key === "string" && typeof character.name === "string";
  const looks = camera && isVector(camera.position, 3) && isVector(camera.target, 3);
  return {
    ...doc,
    character: known ? character : null,
    camera: looks ? camera : null,
    clip: Number.isInteger(clip) ? clip : null,
    selected: typeof selected === "string" ? selected : null,
    muscle: typeof muscle === "string" ? muscle : null,
    turns: Object.fromEntries(Object.entries(turns).filter(([, turn]) => isVector(turn, 4))),
    recipe: {
      ...doc.recipe,
      implicit: soundImplicit(doc.recipe.implicit),
      motion: soundMotion(doc.recipe.motion),
      cage: soundCageRecipe(doc.recipe.cage),
    },
    cage: soundCage(doc.cage),
    compare: isRecord(compare.pinned) ? { ...compare, pinned: patched(defaults.recipe, compare.pinned) } : compare,
  };
}
