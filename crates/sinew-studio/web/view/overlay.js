// Text over the picture: labels at positions of the scene, a caption for each pane, and the legend of a colouring.

import { rampGradient } from "./colors.js";

/** @import { Vector3, PerspectiveCamera } from "three" */
/** @import { Pane } from "./panes.js" */
/** @import { ValueColoring } from "./colors.js" */

/**
 * @param {HTMLElement} host
 * @param {string} name
 */
function layer(host, name) {
  const made = document.createElement("div");
  made.className = name;
  made.hidden = true;
  host.append(made);
  return made;
}

/** A short text beside a point of the scene. */
export class Label {
  #element;

  /**
   * @param {HTMLElement} host
   * @param {string} name
   */
  constructor(host, name) {
    this.#element = layer(host, `view-label ${name}`);
  }

  hide() {
    this.#element.hidden = true;
  }

  /**
   * @param {string} text
   * @param {Vector3} point in the world; is changed
   * @param {PerspectiveCamera} camera
   * @param {Pane} pane
   */
  place(text, point, camera, pane) {
    point.project(camera);
    const x = pane.left + ((point.x + 1) / 2) * pane.width;
    const y = ((1 - point.y) / 2) * pane.height;
    this.#element.hidden = point.z > 1;
    if (this.#element.textContent !== text) this.#element.textContent = text;
    this.#element.style.transform = `translate(${Math.round(x) + 14}px, ${Math.round(y) - 14}px) translateY(-50%)`;
  }
}

/** What the colours mean: a title, the ramp, and the values at its ends. */
export class Legend {
  #element;
  #title = document.createElement("span");
  #ramp = document.createElement("div");
  #low = document.createElement("span");
  #high = document.createElement("span");

  /** @param {HTMLElement} host */
  constructor(host) {
    this.#element = layer(host, "view-legend");
    this.#element.setAttribute("role", "img");
    this.#title.className = "title";
    this.#ramp.className = "ramp";
    const ends = document.createElement("div");
    ends.className = "ends";
    ends.append(this.#low, this.#high);
    this.#element.append(this.#title, this.#ramp, ends);
  }

  hide() {
    this.#element.hidden = true;
  }

  /**
   * @param {ValueColoring} coloring
   * @param {string} title
   * @param {string} low
   * @param {string} high
   */
  show(coloring, title, low, high) {
    this.#element.hidden = false;
    if (this.#ramp.dataset.coloring !== coloring) {
      this.#ramp.dataset.coloring = coloring;
      this.#ramp.style.backgroundImage = rampGradient(coloring);
    }
    for (const [where, text] of /** @type {const} */ ([[this.#title, title], [this.#low, low], [this.#high, high]])) {
      if (where.textContent !== text) where.textContent = text;
    }
    this.#element.setAttribute("aria-label", `${title}, from ${low} to ${high}`);
  }
}
