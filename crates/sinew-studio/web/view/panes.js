// The panes of the view: one, two side by side with the same camera, or one picture with a movable divider. The other
// recipe is on the left, this one on the right.

import { clamp } from "../numbers.js";

/** @import { CompareMode, Store } from "../types" */

/**
 * A part of the view, in pixels of the page.
 * @typedef {object} Pane
 * @property {"this" | "other"} shows
 * @property {number} left of the picture, which the camera fills
 * @property {number} width
 * @property {number} height
 * @property {number} clipLeft what is seen of the picture
 * @property {number} clipWidth
 */

const STEP = 0.01;
const LARGE_STEP = 0.1;

export class Panes {
  #host;
  #store;
  #divider = document.createElement("div");
  #captions = { this: document.createElement("div"), other: document.createElement("div") };

  /**
   * @param {HTMLElement} host
   * @param {Store} store
   */
  constructor(host, store) {
    this.#host = host;
    this.#store = store;
    for (const caption of Object.values(this.#captions)) {
      caption.className = "view-caption";
      caption.hidden = true;
    }
    const divider = this.#divider;
    divider.className = "view-divider";
    divider.tabIndex = 0;
    divider.hidden = true;
    divider.title = "Drag to wipe between the two recipes (arrow keys when focused)";
    const described = { role: "slider", "aria-label": "Wipe", "aria-valuemin": "0", "aria-valuemax": "100" };
    for (const [name, value] of Object.entries(described)) divider.setAttribute(name, value);
    divider.addEventListener("keydown", (event) => this.#key(event));
    divider.addEventListener("pointerdown", (event) => this.#press(event));
    host.append(this.#captions.other, this.#captions.this, divider);
  }

  /** @returns {Pane[]} from left to right */
  get list() {
    const { clientWidth: width, clientHeight: height } = this.#host;
    const { mode, wipe } = this.#store.state.compare;
    /**
     * @param {"this" | "other"} shows
     * @param {number} left
     * @param {number} paneWidth
     * @param {number} clipLeft
     * @param {number} clipWidth
     * @returns {Pane}
     */
    const pane = (shows, left, paneWidth, clipLeft, clipWidth) => ({ shows, left, width: paneWidth, height, clipLeft, clipWidth });
    if (mode === "off") return [pane("this", 0, width, 0, width)];
    if (mode === "side") {
      const half = Math.floor(width / 2);
      return [pane("other", 0, half, 0, half), pane("this", width - half, half, width - half, half)];
    }
    const cut = Math.round(wipe * width);
    return [pane("other", 0, width, 0, cut), pane("this", 0, width, cut, width - cut)];
  }

  /**
   * @param {number} x
   * @returns {Pane}
   */
  at(x) {
    const { list } = this;
    return list.find((pane) => x >= pane.clipLeft && x < pane.clipLeft + pane.clipWidth) ?? list[list.length - 1];
  }

  /** The pane in which things are moved. */
  get own() {
    const { list } = this;
    return list[list.length - 1];
  }

  /**
   * @param {CompareMode} mode
   * @param {string} own
   * @param {string} other
   */
  update(mode, own, other) {
    const { this: ownCaption, other: otherCaption } = this.#captions;
    ownCaption.hidden = otherCaption.hidden = mode === "off";
    this.#divider.hidden = mode === "off";
    this.#divider.classList.toggle("fixed", mode === "side");
    this.#divider.tabIndex = mode === "wipe" ? 0 : -1;
    if (mode === "off") return;
    const share = mode === "side" ? 0.5 : this.#store.state.compare.wipe;
    this.#divider.style.left = `${100 * share}%`;
    this.#divider.setAttribute("aria-valuenow", String(Math.round(100 * share)));
    ownCaption.textContent = own;
    otherCaption.textContent = other;
    ownCaption.style.left = `${100 * share}%`;
    otherCaption.style.right = `${100 * (1 - share)}%`;
  }

  /** @param {number} wipe */
  #move(wipe) {
    const within = clamp(wipe, 0, 1);
    this.#store.change("move the wipe", (doc) => ({ ...doc, compare: { ...doc.compare, wipe: within } }), "wipe");
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { wipe } = this.#store.state.compare;
    const step = event.shiftKey ? LARGE_STEP : STEP;
    const targets = new Map([
      ["ArrowLeft", wipe - step],
      ["ArrowRight", wipe + step],
      ["PageDown", wipe - LARGE_STEP],
      ["PageUp", wipe + LARGE_STEP],
      ["Home", 0],
      ["End", 1],
    ]);
    const target = targets.get(event.key);
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#move(target);
  }

  /** @param {PointerEvent} event */
  #press(event) {
    if (event.button !== 0 || this.#store.state.compare.mode !== "wipe") return;
    event.stopPropagation();
    const divider = this.#divider;
    divider.setPointerCapture(event.pointerId);
    const move = (/** @type {PointerEvent} */ { clientX }) => {
      const { left, width } = this.#host.getBoundingClientRect();
      this.#move((clientX - left) / width);
    };
    const release = () => {
      divider.removeEventListener("pointermove", move);
      this.#store.seal();
    };
    divider.addEventListener("pointermove", move);
    divider.addEventListener("lostpointercapture", release, { once: true });
  }
}
