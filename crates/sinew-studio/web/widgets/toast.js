// Short messages at the edge of the page. An error stays until it is closed; other messages disappear.

import { element } from "./dom.js";

/** The duration of a message, in milliseconds. */
const STAYS = { info: 5000, warning: 12000, error: Infinity };
const MOST = 4;

/**
 * Shows a message in a host; the same text twice is one message.
 *
 * @param {HTMLElement} host a live region
 * @param {"info" | "warning" | "error"} kind
 * @param {string} text
 */
export function toast(host, kind, text) {
  for (const old of [...host.children]) if (old.getAttribute("data-text") === text) old.remove();
  while (host.childElementCount >= MOST) host.firstElementChild?.remove();
  const close = element(
    "button",
    { type: "button", class: "icon", title: "Close this message", "aria-label": "Close" },
    "×",
  );
  const made = element(
    "div",
    { class: `toast ${kind}`, role: kind === "error" ? "alert" : null, "data-text": text },
    element("p", {}, text),
    close,
  );
  close.addEventListener("click", () => made.remove());
  host.append(made);
  if (Number.isFinite(STAYS[kind])) leaveLater(made, STAYS[kind]);
}

/** Removes a message after a time during which nobody points at it. @param {HTMLElement} made @param {number} after */
function leaveLater(made, after) {
  let timer = setTimeout(() => made.remove(), after);
  made.addEventListener("pointerenter", () => clearTimeout(timer));
  made.addEventListener("pointerleave", () => {
    timer = setTimeout(() => made.remove(), after);
  });
}
