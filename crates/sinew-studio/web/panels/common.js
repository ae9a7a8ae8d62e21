// Helpers of panels that follow the document and change it.

/** @import { Doc, FleshRecipe, ImplicitRecipe, MotionRecipe, MuscleRecipe, ProfileRecipe, Recipe, Studio, VolumeRecipe } from "../types" */

/**
 * Renders a value that is picked from the document, now and after every change of it.
 *
 * @template T
 * @param {Studio} studio
 * @param {(doc: Doc) => T} pick
 * @param {(value: T, doc: Doc) => void} render
 */
export function watch(studio, pick, render) {
  let shown = pick(studio.store.state);
  render(shown, studio.store.state);
  return studio.store.subscribe((doc) => {
    const next = pick(doc);
    if (Object.is(next, shown)) return;
    shown = next;
    render(next, doc);
  });
}

/**
 * The two reports of a field as one step of undo.
 *
 * @template T
 * @param {Studio} studio
 * @param {string} label
 * @param {(doc: Doc, value: T) => Doc} edit
 */
export function gesture(studio, label, edit) {
  return {
    onInput: (/** @type {T} */ value) => studio.store.change(label, (doc) => edit(doc, value), label),
    onChange: (/** @type {T} */ value) => {
      studio.store.change(label, (doc) => edit(doc, value), label);
      studio.store.seal();
    },
  };
}

/** @type {(doc: Doc, edit: (recipe: Recipe) => Recipe) => Doc} */
export function withRecipe(doc, edit) {
  return { ...doc, recipe: edit(doc.recipe) };
}

/** @type {(doc: Doc, patch: Partial<VolumeRecipe>) => Doc} */
export function withVolume(doc, patch) {
  return withRecipe(doc, (recipe) => ({ ...recipe, volume: { ...recipe.volume, ...patch } }));
}

/** @type {(doc: Doc, edit: (implicit: ImplicitRecipe) => ImplicitRecipe) => Doc} */
export function withImplicit(doc, edit) {
  return withRecipe(doc, (recipe) => ({ ...recipe, implicit: edit(recipe.implicit) }));
}

/** @type {(doc: Doc, edit: (flesh: FleshRecipe) => FleshRecipe) => Doc} */
export function withFlesh(doc, edit) {
  return withRecipe(doc, (recipe) => ({ ...recipe, flesh: edit(recipe.flesh) }));
}

/** @type {(doc: Doc, edit: (muscles: MuscleRecipe) => MuscleRecipe) => Doc} */
export function withMuscles(doc, edit) {
  return withRecipe(doc, (recipe) => ({ ...recipe, muscles: edit(recipe.muscles) }));
}

/** @type {(doc: Doc, edit: (motion: MotionRecipe) => MotionRecipe) => Doc} */
export function withMotion(doc, edit) {
  return withRecipe(doc, (recipe) => ({ ...recipe, motion: edit(recipe.motion) }));
}

/**
 * The document with some keys of a profile set, or left open where they are undefined.
 *
 * @param {Doc} doc
 * @param {string | null} joint null for the profile of all joints
 * @param {ProfileRecipe} patch
 */
export function withProfile(doc, joint, patch) {
  const { volume } = doc.recipe;
  const merged = { ...(joint === null ? volume.profile : volume.joints[joint]), ...patch };
  const profile = /** @type {ProfileRecipe} */ (
    Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined))
  );
  return withVolume(doc, joint === null ? { profile } : { joints: { ...volume.joints, [joint]: profile } });
}

/** Whether an element is in no folded section. @param {Element} element */
export function isUnfolded(element) {
  return element.isConnected && element.parentElement?.closest("details:not([open])") === null;
}

/** A recipe's name as people read it. @param {string} name */
export function inWords(name) {
  return name.replaceAll("-", " ");
}
