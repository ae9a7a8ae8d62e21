// Keyboard shortcuts: the keys of the actions, except during typing or in a control that needs the key itself.

/** @import { Action, Studio } from "./types" */

/** Keys as the actions name them. @type {Record<string, string>} */
const NAMES = { " ": "Space", ArrowLeft: "←", ArrowRight: "→" };

/** Keys that a control uses for itself when it has the focus. */
const WORKED_BY_KEYS = "input:not([type=checkbox], [type=radio]), textarea, select, [role=slider], [role=tree], [contenteditable]";
const PRESSED_BY_SPACE = "button, summary, input, [role=button]";

/** @param {Studio} studio */
export function listenToKeys(studio) {
  /** @type {Map<string, Action>} */
  const byKeys = new Map();
  for (const action of Object.values(studio.actions)) {
    for (const keys of action.keys?.split(" / ") ?? []) byKeys.set(keys, action);
  }
  window.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey) return;
    const keys = named(event);
    const action = byKeys.get(keys);
    if (!action || isTaken(event, keys)) return;
    event.preventDefault();
    action.run();
  });
}

/** @param {KeyboardEvent} event */
function named({ key, ctrlKey, metaKey, shiftKey }) {
  const name = NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);
  const isLetter = /^[A-Z]$/.test(name);
  return `${ctrlKey || metaKey ? "Ctrl+" : ""}${shiftKey && isLetter ? "Shift+" : ""}${name}`;
}

/**
 * @param {KeyboardEvent} event
 * @param {string} keys
 */
function isTaken({ target }, keys) {
  if (!(target instanceof Element)) return false;
  if (target.closest("dialog")) return true;
  if (keys === "Space" && target.matches(PRESSED_BY_SPACE)) return true;
  if (!target.matches(WORKED_BY_KEYS)) return false;
  const isText = target.matches("textarea, [contenteditable], input:not([type=range])");
  const isMove = /^(←|→|Home|End|Space)$/.test(keys);
  return isText || isMove || target.matches("select");
}
