// Labelled fields: numbers, choices, switches and buttons. Every field is created from its options. `set` shows a value
// without reporting it; the field reports `onInput` during a gesture and `onChange` at its end.

import { change, element, freshId, show } from "./dom.js";
import { clamp, rounded, short } from "../numbers.js";

/** How much farther an arrow key goes with Shift. */
const COARSE = 10;

/**
 * @template T
 * @typedef {object} Field
 * @property {HTMLElement} element
 * @property {(value: T) => void} set
 * @property {(enabled: boolean) => void} enable
 */

/**
 * @typedef {object} NumberOptions
 * @property {string} label
 * @property {string} [unit]
 * @property {string} [title]
 * @property {number} min
 * @property {number} max
 * @property {number} step
 * @property {number} [decimals] how many are shown
 * @property {[number, number] | null} [slider] the slider's range; null for no slider
 * @property {(value: number) => void} [onInput]
 * @property {(value: number) => void} onChange
 * @property {() => void} [onReset] shows a button that goes back to the default, while `mark(true)`
 */

/**
 * A number with a slider. The number takes every value within the limits, the slider those that are usual.
 *
 * @param {NumberOptions} options
 * @returns {Field<number> & {mark(own: boolean): void}}
 */
export function numberField(options) {
  const { label, unit, title, min, max, step, decimals = 3, onReset } = options;
  const [low, high] = options.slider ?? [min, max];
  const id = freshId();
  const input = element("input", { id, type: "number", min, max, step: "any", inputmode: "decimal", title });
  const slider = element("input", {
    type: "range",
    min: low,
    max: high,
    step,
    tabindex: -1,
    "aria-label": `${label}, slider`,
    title,
  });
  const reset = element(
    "button",
    {
      type: "button",
      class: "reset",
      title: `${label}: back to the default`,
      "aria-label": `Reset ${label}`,
      onclick: () => onReset?.(),
    },
    "↺",
  );
  reset.hidden = true;
  let shown = Number.NaN;

  /** @param {number} value */
  const paintSlider = (value) => {
    slider.value = String(value);
    const share = (/** @type {number} */ at) => (100 * (clamp(at, low, high) - low)) / (high - low);
    const [from, to] = [share(0), share(value)];
    slider.style.setProperty("--from", `${Math.min(from, to)}%`);
    slider.style.setProperty("--to", `${Math.max(from, to)}%`);
  };
  /** @param {number} value */
  const display = (value) => {
    shown = value;
    paintSlider(value);
    const typing = document.activeElement === input && Math.abs(input.valueAsNumber - value) <= 0.5 * 10 ** -decimals;
    if (!typing) input.value = short(value, decimals).replace("−", "-");
  };
  slider.addEventListener("input", () => {
    display(slider.valueAsNumber);
    options.onInput?.(slider.valueAsNumber);
  });
  slider.addEventListener("change", () => options.onChange(slider.valueAsNumber));
  input.addEventListener("input", () => {
    const value = input.valueAsNumber;
    const valid = value >= min && value <= max;
    change(input, "aria-invalid", valid ? null : "true");
    if (!valid) return;
    shown = value;
    paintSlider(value);
    options.onInput?.(value);
  });
  input.addEventListener("change", () => {
    const value = Number.isFinite(input.valueAsNumber) ? clamp(input.valueAsNumber, min, max) : shown;
    change(input, "aria-invalid", null);
    input.value = short(value, decimals).replace("−", "-");
    options.onChange(value);
  });
  let keyed = false;
  input.addEventListener("keydown", (event) => {
    const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    const value = clamp(shown + direction * step * (event.shiftKey ? COARSE : 1), min, max);
    keyed = true;
    display(rounded(value, 9));
    options.onInput?.(shown);
  });
  const releaseKey = () => {
    if (keyed) options.onChange(shown);
    keyed = false;
  };
  input.addEventListener("keyup", releaseKey);
  input.addEventListener("blur", releaseKey);

  const made = element(
    "div",
    { class: options.slider === null ? "field number plain" : "field number", title },
    element("label", { for: id }, label),
    options.slider === null ? null : slider,
    element("span", { class: "value" }, input, unit ? element("span", { class: "unit" }, unit) : null),
    onReset ? reset : null,
  );
  return {
    element: made,
    set: display,
    enable: (enabled) => {
      input.disabled = slider.disabled = reset.disabled = !enabled;
    },
    mark: (own) => show(reset, own),
  };
}

/** @typedef {{value: string, label: string, title?: string}} Choice */

/**
 * One of several, in a list that opens.
 *
 * @param {{label: string, title?: string, choices: Choice[], onChange: (value: string) => void}} options
 * @returns {Field<string> & {choices(choices: Choice[]): void}}
 */
export function selectField({ label, title, choices, onChange }) {
  const id = freshId();
  const select = element("select", { id, title, onchange: () => onChange(select.value) });
  let listed = "";
  let value = "";
  /** @param {Choice[]} list */
  const fill = (list) => {
    const key = JSON.stringify(list);
    if (key === listed) return;
    listed = key;
    select.replaceChildren(
      ...list.map((choice) => element("option", { value: choice.value, title: choice.title }, choice.label)),
    );
    select.value = value;
  };
  fill(choices);
  return {
    element: element("div", { class: "field choice", title }, element("label", { for: id }, label), select),
    set: (next) => {
      value = next;
      select.value = next;
    },
    enable: (enabled) => {
      select.disabled = !enabled;
    },
    choices: fill,
  };
}

/**
 * A short text, such as a name.
 *
 * @param {{label: string, title?: string, placeholder?: string, onChange: (text: string) => void}} options
 * @returns {Field<string>}
 */
export function textField({ label, title, placeholder, onChange }) {
  const id = freshId();
  const input = element("input", {
    id,
    type: "text",
    title,
    placeholder,
    spellcheck: "false",
    onchange: () => onChange(input.value.trim()),
  });
  return {
    element: element("div", { class: "field choice", title }, element("label", { for: id }, label), input),
    set: (text) => {
      input.value = text;
    },
    enable: (enabled) => {
      input.disabled = !enabled;
    },
  };
}

/**
 * On or off, as a box to tick or, with `look: "switch"`, as a switch.
 *
 * @param {object} options
 * @param {string} options.label
 * @param {string} [options.name] replaces the label for those who cannot see
 * @param {string} [options.title]
 * @param {"switch"} [options.look]
 * @param {(on: boolean) => void} options.onChange
 * @returns {Field<boolean>}
 */
export function checkbox({ label, name, title, look, onChange }) {
  const box = element("input", {
    type: "checkbox",
    role: look ? "switch" : null,
    "aria-label": name,
    onchange: () => onChange(box.checked),
  });
  return {
    element: element("label", { class: look ? "check switch" : "check", title }, box, element("span", {}, label)),
    set: (on) => {
      box.checked = on;
    },
    enable: (enabled) => {
      box.disabled = !enabled;
    },
  };
}

/**
 * One of a few, all in sight.
 *
 * @param {object} options
 * @param {string} options.label
 * @param {string} [options.title]
 * @param {(Choice & {icon?: Element})[]} options.choices
 * @param {(value: string) => void} options.onChange
 * @returns {Field<string>}
 */
export function segmented({ label, title, choices, onChange }) {
  const name = freshId();
  const radios = choices.map((choice) =>
    element("input", { type: "radio", name, value: choice.value, onchange: () => onChange(choice.value) }),
  );
  const made = element(
    "fieldset",
    { class: choices.some((choice) => choice.icon) ? "segmented icons" : "segmented", title },
    element("legend", {}, label),
    element(
      "div",
      { class: "segments" },
      ...choices.map((choice, k) =>
        element("label", { title: choice.title }, radios[k], choice.icon, element("span", {}, choice.label)),
      ),
    ),
  );
  return {
    element: made,
    set: (value) => {
      for (const radio of radios) radio.checked = radio.value === value;
    },
    enable: (enabled) => {
      made.disabled = !enabled;
    },
  };
}

/**
 * @param {object} options
 * @param {string} options.label
 * @param {string} [options.name] replaces the label for those who cannot see
 * @param {string} [options.title]
 * @param {"primary" | "quiet" | "icon"} [options.look]
 * @param {() => void} options.onClick
 */
export function button({ label, name, title, look, onClick }) {
  return element("button", { type: "button", class: look ?? null, title, "aria-label": name, onclick: onClick }, label);
}

/**
 * Buttons beside each other.
 *
 * @param {Node[]} buttons
 */
export function buttonRow(...buttons) {
  return element("div", { class: "buttons" }, ...buttons);
}

/**
 * A box of fields that belong together and can be folded away.
 *
 * @param {string} title
 * @param {{open?: boolean, hint?: string}} options
 * @param {import("./dom.js").Child[]} children
 */
export function group(title, { open = false, hint } = {}, ...children) {
  return element("details", { class: "group", open }, element("summary", { title: hint }, title), ...children);
}
