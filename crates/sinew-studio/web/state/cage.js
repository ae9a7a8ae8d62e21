// The settings of a cage, and changes of its markers, handles and limits. Markers and limits are part of the recipe, so
// that the command line has them too; the positions of dragged handles are part of the document only.

import { significant } from "../numbers.js";

/** @import { CageDrive, CageRecipe, CageSettings, Doc, JointInfo, RangeRecipe, SkinHit, Vector3 } from "../types" */

/** Stored digits of a position on the mesh, which the engine sends as f32. */
const DIGITS = 7;
/** Bones shorter than this share of the character's size, such as fingers', make no limb of their own. */
const SHORT_BONE = 0.05;
export const FREE = 180;

/** @returns {CageSettings} */
export function newCage() {
  return {
    on: false,
    follow: true,
    by: "pose",
    limits: true,
    joints: {},
    markers: {},
    marker: null,
    show: { surface: true, tetrahedra: false, cones: false, cut: { axis: "z", share: 1 } },
  };
}

/**
 * What a cage is made from: documents with the same text have the same cage.
 * @param {Doc} doc
 * @returns {string | null} null where there is to be none
 */
export function cageKey({ character, cage, recipe }) {
  if (!character || !cage.on) return null;
  const { vertices, offset, joint_detail, markers } = recipe.cage;
  return JSON.stringify([character.key, vertices, offset, joint_detail, markers]);
}

/**
 * What moves the mesh by way of its cage; null where it follows its skin.
 * @param {Doc} doc
 * @returns {CageDrive | null}
 */
export function cageDrive({ cage }) {
  const { on, follow, by, joints, markers, limits } = cage;
  return on && follow ? { by, joints, markers, limits } : null;
}

/** Whether handles are what moves the mesh. @param {Doc} doc */
export function isByHandles({ cage }) {
  return cage.on && cage.follow && cage.by === "handles";
}

/** @type {(doc: Doc, patch: Partial<CageSettings>) => Doc} */
export function withCage(doc, patch) {
  return { ...doc, cage: { ...doc.cage, ...patch } };
}

/** @type {(doc: Doc, patch: Partial<CageRecipe>) => Doc} */
export function withCageRecipe(doc, patch) {
  return { ...doc, recipe: { ...doc.recipe, cage: { ...doc.recipe.cage, ...patch } } };
}

/**
 * Where a place of the skin is at rest: at the same shares of the same triangle.
 * @param {SkinHit} hit
 * @param {Float32Array} rest three numbers for each vertex
 * @returns {Vector3}
 */
export function placeAtRest({ corners, shares }, rest) {
  const along = (/** @type {number} */ axis) =>
    corners.reduce((sum, corner, k) => sum + shares[k] * rest[3 * corner + axis], 0);
  return /** @type {Vector3} */ ([0, 1, 2].map((axis) => significant(along(axis), DIGITS)));
}

/**
 * A label that no marker has yet: M1, M2 and so on.
 * @param {CageRecipe} recipe
 */
export function freshLabel({ markers }) {
  let number = 1;
  while (Object.hasOwn(markers, `M${number}`)) number += 1;
  return `M${number}`;
}

/**
 * With a marker at a position on the mesh at rest, which is then selected.
 * @param {Doc} doc
 * @param {string} label
 * @param {Vector3} position
 */
export function withMarker(doc, label, position) {
  const markers = { ...doc.recipe.cage.markers, [label]: { position } };
  return withCage(withCageRecipe(doc, { markers }), { marker: label });
}

/** @param {Doc} doc @param {string} label */
export function withoutMarker(doc, label) {
  const markers = without(doc.recipe.cage.markers, label);
  const marker = doc.cage.marker === label ? null : doc.cage.marker;
  return withCage(withCageRecipe(doc, { markers }), { markers: without(doc.cage.markers, label), marker });
}

/**
 * With another label for a marker, which a capture may have. Fails with a sentence where that cannot be.
 * @param {Doc} doc
 * @param {string} from
 * @param {string} to
 */
export function withLabel(doc, from, to) {
  if (to === from) return doc;
  if (to === "") throw new RangeError("A marker needs a name.");
  if (Object.hasOwn(doc.recipe.cage.markers, to)) throw new RangeError(`There is a marker ${to} already.`);
  const renamed = (/** @type {string} */ label) => (label === from ? to : label);
  const markers = mapKeys(doc.recipe.cage.markers, renamed);
  const marker = doc.cage.marker === null ? null : renamed(doc.cage.marker);
  return withCage(withCageRecipe(doc, { markers }), { markers: mapKeys(doc.cage.markers, renamed), marker });
}

/** @typedef {{kind: "joints" | "markers", name: string}} Handle what can be dragged */

/**
 * The selected handle: a marker before a joint.
 * @param {Doc} doc
 * @returns {Handle | null}
 */
export function handleInHand({ cage, recipe, selected }) {
  if (cage.marker !== null && Object.hasOwn(recipe.cage.markers, cage.marker)) return { kind: "markers", name: cage.marker };
  return selected === null ? null : { kind: "joints", name: selected };
}

/** Where a handle was dragged to, if it was. @param {Doc} doc @param {Handle} handle @returns {Vector3 | undefined} */
export function heldPlace({ cage }, { kind, name }) {
  return Object.hasOwn(cage[kind], name) ? cage[kind][name] : undefined;
}

/** @param {Doc} doc @param {Handle} handle @param {Vector3} place */
export function withHeld(doc, { kind, name }, place) {
  return withCage(doc, { [kind]: { ...doc.cage[kind], [name]: place } });
}

/** Lets a handle go: a joint is free again, a marker back at rest. @param {Doc} doc @param {Handle} handle */
export function withoutHeld(doc, { kind, name }) {
  return withCage(doc, { [kind]: without(doc.cage[kind], name) });
}

/**
 * The root joint, and the ends of limbs: a hand, not its fingers.
 * @param {JointInfo[]} joints
 * @returns {number[]} their indices
 */
export function limbEnds(joints) {
  const place = (/** @type {number} */ joint) => joints[joint].rest.slice(12, 15);
  const real = joints.map((_, joint) => joint).filter((joint) => joints[joint].joint);
  const extent = (/** @type {number} */ axis) => {
    const along = real.map((joint) => place(joint)[axis]);
    return Math.max(...along) - Math.min(...along);
  };
  const size = real.length === 0 ? 0 : Math.hypot(extent(0), extent(1), extent(2));
  const isRoot = (/** @type {number} */ joint) => joints[joint].parent < 0 || !joints[joints[joint].parent].joint;
  /** Whether a joint is at the end of a long bone, or has one to its tip as a head may. */
  const isLong = (/** @type {number} */ joint) => {
    const { parent, tip } = joints[joint];
    const [a, b] = [place(joint), place(parent)];
    return Math.max(Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]), Math.hypot(...(tip ?? []))) >= SHORT_BONE * size;
  };
  const long = real.filter((joint) => !isRoot(joint) && isLong(joint));
  /** Joints with a long bone, of their own or of a descendant. */
  const carries = new Set();
  for (const joint of long) {
    for (let above = joints[joint].parent; above >= 0; above = joints[above].parent) carries.add(above);
  }
  return [...real.filter(isRoot), ...long.filter((joint) => !carries.has(joint))];
}

/**
 * The limits of a joint, with nothing left open.
 * @param {CageRecipe} recipe
 * @param {string} joint
 * @returns {RangeRecipe}
 */
export function rangeOf({ limits }, joint) {
  return Object.hasOwn(limits, joint) ? limits[joint] : { twist: [-FREE, FREE], bend: [-FREE, FREE], sideways: [-FREE, FREE] };
}

/** @param {RangeRecipe} range */
export function isFree(range) {
  return [range.twist, range.bend, range.sideways].every(([low, high]) => low <= -FREE && high >= FREE);
}

/**
 * With one end of a joint's range set; a joint that may turn as it likes has no limits.
 * @param {Doc} doc
 * @param {string} joint
 * @param {keyof RangeRecipe} part
 * @param {0 | 1} end
 * @param {number} degrees
 */
export function withLimit(doc, joint, part, end, degrees) {
  const before = rangeOf(doc.recipe.cage, joint);
  const [low, high] = before[part];
  const range = { ...before, [part]: end === 0 ? [degrees, high] : [low, degrees] };
  if (isFree(range)) return withoutLimits(doc, joint);
  return withCageRecipe(doc, { limits: { ...doc.recipe.cage.limits, [joint]: range } });
}

/** @param {Doc} doc @param {string} joint */
export function withoutLimits(doc, joint) {
  return withCageRecipe(doc, { limits: without(doc.recipe.cage.limits, joint) });
}

/** The settings for another character: without fixed handles. @param {CageSettings} cage @returns {CageSettings} */
export function forAnotherCharacter(cage) {
  return { ...newCage(), show: cage.show };
}

/** @param {unknown} value @param {number} length */
const isNumbers = (value, length) => Array.isArray(value) && value.length === length && value.every(Number.isFinite);
/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Settings of a link, without what cannot be shown. @param {CageSettings} cage @returns {CageSettings} */
export function soundCage(cage) {
  const places = (/** @type {Record<string, Vector3>} */ all) => filtered(all, (place) => isNumbers(place, 3));
  const { by, joints, markers, marker, show } = cage;
  return {
    ...cage,
    by: by === "handles" ? by : "pose",
    joints: places(joints),
    markers: places(markers),
    marker: typeof marker === "string" ? marker : null,
    show: { ...show, cut: { axis: ["x", "y", "z"].includes(show.cut.axis) ? show.cut.axis : "z", share: show.cut.share } },
  };
}

/** A recipe of a link, without what cannot be shown. @param {CageRecipe} cage @returns {CageRecipe} */
export function soundCageRecipe(cage) {
  const isRange = (/** @type {unknown} */ range) =>
    isRecord(range) && [range.twist, range.bend, range.sideways].every((part) => isNumbers(part, 2));
  return { ...cage, limits: filtered(cage.limits, isRange), markers: filtered(cage.markers, isRecord) };
}

/** @template T @param {Record<string, T>} record @param {string} key @returns {Record<string, T>} */
function without(record, key) {
  const { [key]: _, ...others } = record;
  return others;
}

/** @template T @param {Record<string, T>} record @param {(key: string) => string} rename @returns {Record<string, T>} */
function mapKeys(record, rename) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [rename(key), value]));
}

/** @template T @param {Record<string, T>} record @param {(value: unknown) => boolean} accept @returns {Record<string, T>} */
function filtered(record, accept) {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => accept(value)));
}
