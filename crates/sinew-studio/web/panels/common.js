// How do panels follow the document, and how do they change it?

/** @import { Doc, ImplicitRecipe, MotionRecipe, MuscleRecipe, ProfileRecipe, Recipe, Studio, VolumeRecipe } from "../types" */

/**
 * Renders what is picked from the document, now and whenever it becomes another.
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

/**
 * Runs one request at a time. What is asked meanwhile waits, and only the newest of it is asked next.
 *
 * @template T
 * @param {(value: T) => Promise<void>} run must not fail
 */
export function oneAtATime(run) {
  let busy = false;
  /** @type {{value: T} | null} */
  let waiting = null;
  return async (/** @type {T} */ value) => {
    waiting = { value };
    if (busy) return;
    busy = true;
    while (waiting) {
      const next = waiting;
      waiting = null;
      await run(next.value);
    }
    busy = false;
  };
}

/**
 * Calls a function after so many milliseconds in which it was not asked for again.
 *
 * @param {number} milliseconds
 * @param {() => void} call
 */
export function afterPause(milliseconds, call) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(call, milliseconds);
  };
}

/**
 * Calls a function at most every so many milliseconds, the last time included.
 *
 * @param {number} milliseconds
 * @param {() => void} call
 */
export function atMostEvery(milliseconds, call) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    setTimeout(() => {
      waiting = false;
      call();
    }, milliseconds);
  };
}

/** Whether an element is in no folded section. @param {Element} element */
export function isUnfolded(element) {
  return element.isConnected && element.parentElement?.closest("details:not([open])") === null;
}

/** What went wrong, as a sentence. @param {unknown} error */
export function sentence(error) {
  return error instanceof Error ? error.message : String(error);
}

/** Whether somebody cancelled, which is no failure. @param {unknown} error */
export function isCancelled(error) {
  return error instanceof Error && "cancelled" in error && error.cancelled === true;
}

/** A recipe's name as people read it. @param {string} name */
export function inWords(name) {
  return name.replaceAll("-", " ");
}

/**
 * Saves a text as a file of the person's own.
 *
 * @param {string} name
 * @param {string} text
 */
export function saveText(name, text) {
  saveBlob(name, new Blob([text], { type: "text/plain" }));
}

/** @param {string} name @param {Blob} blob */
export function saveBlob(name, blob) {
  const url = URL.createObjectURL(blob);
  saveLink(url, name);
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** @param {string} url @param {string} name */
export function saveLink(url, name) {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}

/**
 * Asks for files.
 *
 * @param {string} accept
 * @param {(files: File[]) => void} chosen
 */
export function chooseFile(accept, chosen) {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = accept;
  input.addEventListener("change", () => {
    if (input.files?.length) chosen([...input.files]);
  });
  input.click();
}

/** A file's name without its endings. @param {string} name */
export function stem(name) {
  return name.replace(/\.[^.]*$/, "") || "character";
}
