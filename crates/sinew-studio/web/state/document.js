// New documents, and descriptions of recipes.

import { forAnotherCharacter, newCage } from "./cage.js";
import { forAnotherClip } from "./motion.js";

/** @import { Doc, OpenedMessage, Recipe, SkinMethod } from "../types" */

/** The clip that a new visitor sees, stopped where the elbow is bent most. */
export const FIRST_CLIP = "elbow curl";
/** The skin of that clip: the one that most programs have, and that loses the most volume. */
const FIRST_SKIN = "linear";

/**
 * @param {Recipe} recipe
 * @returns {Doc}
 */
export function newDocument(recipe) {
  return {
    character: null,
    clip: null,
    time: 0,
    turns: {},
    recipe,
    selected: null,
    muscle: null,
    view: { wireframe: false, skeleton: true, frames: false, ground: true, field: false, contours: false, samples: false, muscles: "hidden", mirror: false, color: "material" },
    cage: newCage(),
    compare: { mode: "off", with: "skin", pinned: null, wipe: 0.5 },
    playing: { loop: true, speed: 1 },
    camera: null,
  };
}

/**
 * The document for a character that was just opened: its clip and its recipe, everything else as it was set.
 * @param {Doc} doc
 * @param {OpenedMessage} opened
 * @returns {Doc}
 */
export function withCharacter(doc, opened) {
  const first = opened.clips.findIndex(({ name }) => name === FIRST_CLIP);
  const clip = opened.clips.length === 0 ? null : Math.max(first, 0);
  const shown = clip === null ? null : opened.clips[clip];
  return {
    ...doc,
    character: { key: opened.key, name: opened.name },
    clip,
    time: !shown ? 0 : first >= 0 ? (shown.start + shown.end) / 2 : shown.start,
    turns: {},
    recipe: first >= 0 ? { ...opened.recipe, skin: { method: FIRST_SKIN } } : opened.recipe,
    selected: null,
    muscle: null,
    cage: forAnotherCharacter(doc.cage),
    camera: null,
  };
}

/**
 * The document for the same character with a retargeted motion.
 * @param {Doc} doc
 * @param {OpenedMessage} opened
 * @param {number} clip
 * @returns {Doc}
 */
export function withMotion(doc, opened, clip) {
  const character = { key: opened.key, name: opened.name };
  return { ...doc, character, clip, time: opened.clips[clip].start, turns: {}, recipe: forAnotherClip(doc.recipe) };
}

/**
 * What the picture is compared with, or null.
 * @param {Doc} doc
 * @returns {Recipe | null}
 */
export function comparedRecipe({ compare, recipe }) {
  if (compare.mode === "off") return null;
  if (compare.with === "pinned") return compare.pinned;
  const method = compare.with === "skin" ? recipe.skin.method : /** @type {SkinMethod} */ (compare.with);
  const { skin, implicit, flesh, muscles, volume } = recipe;
  return {
    ...recipe,
    skin: { ...skin, method },
    implicit: { ...implicit, on: false },
    flesh: { ...flesh, fineness: "off" },
    muscles: { ...muscles, set: "off" },
    volume: { ...volume, method: "off" },
  };
}

/**
 * A recipe in a few words, for captions.
 * @param {Recipe} recipe
 */
export function recipeInWords({ skin, implicit, flesh, muscles, volume }) {
  const stages = [`${skin.method.replace("-", " ")} skin`];
  if (implicit.on) stages.push("implicit");
  if (flesh.fineness !== "off") stages.push("flesh");
  if (muscles.set !== "off") stages.push("muscles");
  if (volume.method !== "off") stages.push(`${volume.method} volume`);
  return stages.join(" + ");
}
