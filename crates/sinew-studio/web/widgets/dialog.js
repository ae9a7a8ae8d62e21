// A dialog over the page: a question, with the answers as buttons. Escape is the answer null.

import { element, freshId } from "./dom.js";

/**
 * Shows a dialog and waits for its answer.
 *
 * @param {object} options
 * @param {string} options.title
 * @param {Node[]} options.body
 * @param {{value: string, label: string, look?: "primary"}[]} options.actions
 * @param {boolean} [options.wide]
 * @returns {Promise<string | null>}
 */
export function ask({ title, body, actions, wide }) {
  const id = freshId();
  const heading = element("h2", { id }, title);
  const buttons = actions.map(({ value, label, look }) => element("button", { value, class: look ?? null }, label));
  const form = element(
    "form",
    { method: "dialog" },
    heading,
    ...body,
    element("div", { class: "buttons end" }, ...buttons),
  );
  const dialog = element("dialog", { "aria-labelledby": id, class: wide ? "wide" : null }, form);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close("");
  });
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  document.body.append(dialog);
  dialog.showModal();
  buttons[buttons.length - 1]?.focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue || null);
    });
  });
}

/**
 * Keys and what they do. "A / B" are two keys that do the same.
 *
 * @param {[string, string][]} rows
 */
export function keyTable(rows) {
  const row = (/** @type {string} */ keys, /** @type {string} */ does) => {
    const caps = keys.split(" / ").map((key) => element("kbd", {}, key));
    return element("div", {}, element("dt", {}, ...caps), element("dd", {}, does));
  };
  return element("dl", { class: "keys" }, ...rows.map(([keys, does]) => row(keys, does)));
}
