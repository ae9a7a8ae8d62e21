// Creation of elements in one expression, with attributes, listeners and children.

const SVG = "http://www.w3.org/2000/svg";
let made = 0;

/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */
/** @typedef {Node | string | null | false | undefined} Child */

/**
 * An HTML element. Functions become listeners (`onclick`), `true` an empty attribute; false, null and undefined none.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

/**
 * An SVG element, as `element`.
 *
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {Child[]} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes = {}, ...children) {
  const made = /** @type {SVGElementTagNameMap[K]} */ (document.createElementNS(SVG, tag));
  return furnish(made, attributes, children);
}

/**
 * @template {Element} E
 * @param {E} made
 * @param {Attributes} attributes
 * @param {Child[]} children
 * @returns {E}
 */
function furnish(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else change(made, name, value);
  }
  for (const child of children) if (child) made.append(child);
  return made;
}

/**
 * Sets or removes one attribute, and touches nothing when it already is so.
 *
 * @param {Element} of
 * @param {string} name
 * @param {string | number | boolean | null | undefined} value
 */
export function change(of, name, value) {
  if (value === false || value === null || value === undefined) of.removeAttribute(name);
  else {
    const text = value === true ? "" : String(value);
    if (of.getAttribute(name) !== text) of.setAttribute(name, text);
  }
}

/**
 * Shows or hides, without moving what is already so.
 *
 * @param {HTMLElement} what
 * @param {boolean} shown
 */
export function show(what, shown) {
  if (what.hidden === shown) what.hidden = !shown;
}

/**
 * Sets a text only where it differs: live regions and layouts stay quiet.
 *
 * @param {Element} where
 * @param {string} text
 */
export function write(where, text) {
  if (where.textContent !== text) where.textContent = text;
}

/** An id that no other element of the page has. */
export function freshId() {
  made += 1;
  return `w${made}`;
}

/**
 * Calls a function with the newest value, at most once per animation frame.
 *
 * @template T
 * @param {(value: T) => void} call
 * @returns {((value: T) => void) & {flush(): void, drop(): void}}
 */
export function eachFrame(call) {
  /** @type {{value: T} | null} */
  let waiting = null;
  const flush = () => {
    if (!waiting) return;
    const { value } = waiting;
    waiting = null;
    call(value);
  };
  /** @param {T} value */
  const later = (value) => {
    if (!waiting) requestAnimationFrame(flush);
    waiting = { value };
  };
  const drop = () => {
    waiting = null;
  };
  return Object.assign(later, { flush, drop });
}
