// A number with its name that follows the frame that is seen.

import { element } from "./dom.js";

/** Numbers that change faster cannot be read. */
export const READABLE_MS = 100;
/** What stands where there is no number. */
export const NOTHING = "–";

/** @param {string} name @param {string} spoken What a screen reader says @param {string} title */
export function figure(name, spoken, title) {
  const value = element("output", { "aria-label": spoken, "aria-live": "off" }, NOTHING);
  return { value, element: element("div", { class: "figure", title }, element("span", { class: "name" }, name), value) };
}
