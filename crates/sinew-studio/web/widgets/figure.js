// A named number of the current frame.

import { element } from "./dom.js";

/** Numbers that change faster cannot be read. */
export const READABLE_MS = 100;
/** The text without a number. */
export const NOTHING = "–";

/** @param {string} name @param {string} spoken the text for a screen reader @param {string} title */
export function figure(name, spoken, title) {
  const value = element("output", { "aria-label": spoken, "aria-live": "off" }, NOTHING);
  return { value, element: element("div", { class: "figure", title }, element("span", { class: "name" }, name), value) };
}
