// The document with undo. A step stores the top-level parts of the document that its edits replaced; undo restores
// those and does not change the rest, such as the time and the camera.

/** @import * as types from "../types" */
/** @import { Doc } from "../types" */

const MOST_STEPS = 200;

/**
 * @typedef {object} Step
 * @property {string} label
 * @property {string | undefined} merge
 * @property {Partial<Doc>} before
 * @property {Partial<Doc>} after
 */

/** @implements {types.Store} */
export class Store {
  /** @type {Step[]} */
  #done = [];
  /** @type {Step[]} */
  #undone = [];
  /** Whether the last step may still grow. */
  #open = false;
  /** @type {Set<(doc: Doc, before: Doc) => void>} */
  #listeners = new Set();

  /** @param {Doc} state */
  constructor(state) {
    this.state = state;
  }

  get canUndo() {
    return this.#done.at(-1)?.label ?? null;
  }

  get canRedo() {
    return this.#undone.at(-1)?.label ?? null;
  }

  /**
   * @param {string} label
   * @param {(doc: Doc) => Doc} edit
   * @param {string} [merge]
   */
  change(label, edit, merge) {
    const before = this.state;
    const after = edit(before);
    const changed = differences(before, after);
    if (!changed) return;
    const last = this.#done.at(-1);
    if (last && this.#open && merge !== undefined && last.merge === merge) {
      last.before = { ...changed.before, ...last.before };
      last.after = { ...last.after, ...changed.after };
      last.label = label;
    } else {
      this.#done.push({ label, merge, ...changed });
      if (this.#done.length > MOST_STEPS) this.#done.shift();
    }
    this.#open = merge !== undefined;
    this.#undone.length = 0;
    this.#replace(after);
  }

  seal() {
    this.#open = false;
  }

  undo() {
    const step = this.#done.pop();
    if (!step) return;
    this.#undone.push(step);
    this.#open = false;
    this.#replace({ ...this.state, ...step.before });
  }

  redo() {
    const step = this.#undone.pop();
    if (!step) return;
    this.#done.push(step);
    this.#open = false;
    this.#replace({ ...this.state, ...step.after });
  }

  /** @param {(doc: Doc) => Doc} edit */
  touch(edit) {
    const after = edit(this.state);
    if (after !== this.state) this.#replace(after);
  }

  /** @param {(doc: Doc, before: Doc) => void} listener */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** @param {Doc} doc */
  #replace(doc) {
    const before = this.state;
    this.state = doc;
    for (const listener of this.#listeners) listener(doc, before);
  }
}

/**
 * The top-level parts that differ, as they were and as they are.
 * @param {Doc} before
 * @param {Doc} after
 * @returns {{before: Partial<Doc>, after: Partial<Doc>} | null}
 */
function differences(before, after) {
  const keys = /** @type {(keyof Doc)[]} */ (Object.keys(after)).filter((key) => before[key] !== after[key]);
  if (keys.length === 0) return null;
  const pick = (/** @type {Doc} */ doc) => Object.fromEntries(keys.map((key) => [key, doc[key]]));
  return { before: pick(before), after: pick(after) };
}
