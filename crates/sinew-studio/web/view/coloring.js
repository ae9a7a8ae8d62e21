// The materials of the surfaces, and the legend. Lengths have metric units if the unit of the file is known.

import { length, significant } from "../numbers.js";
import { clayMaterial, fileMaterials, ValueMaterial } from "./materials.js";

/** @import { Material } from "three" */
/** @import { Doc, FrameMessage, OpenedMessage } from "../types" */
/** @import { Legend } from "./overlay.js" */
/** @import { ValueColoring } from "./colors.js" */

export class Coloring {
  #clay = clayMaterial();
  #values = {
    weight: new ValueMaterial("weight"),
    displacement: new ValueMaterial("displacement"),
    volume: new ValueMaterial("volume"),
  };
  /** @type {Material[]} */
  #file = [this.#clay];
  /** Metres per unit. @type {number | null} */
  #units = null;
  #legend;

  /** @param {Legend} legend */
  constructor(legend) {
    this.#legend = legend;
  }

  /**
   * @param {OpenedMessage} opened
   * @param {() => void} changed
   */
  setCharacter(opened, changed) {
    this.#units = opened.units;
    this.#file = fileMaterials(opened, changed);
  }

  /**
   * The material for the document; also writes the legend.
   * @param {Doc} doc
   * @param {FrameMessage | null} frame
   * @returns {Material | Material[]}
   */
  update(doc, frame) {
    const { color } = doc.view;
    if (color === "material" || color === "clay" || (color === "weight" && doc.selected === null)) {
      if (color === "weight") this.#legend.show("weight", "Weight: select a joint", "0", "1");
      else this.#legend.hide();
      return color === "material" ? this.#file : this.#clay;
    }
    const [low, high] = color === "weight" ? [0, 1] : (frame?.range ?? [0, 1]);
    this.#values[color].range.set(low, high);
    this.#legend.show(color, this.#title(color, doc), this.#words(color, low), this.#words(color, high));
    return this.#values[color];
  }

  /** @param {ValueColoring} color @param {Doc} doc */
  #title(color, doc) {
    if (color === "weight") return `Weight of ${doc.selected}`;
    return color === "volume" ? "Local volume change" : "Moved by the volume stage";
  }

  /** @param {ValueColoring} color @param {number} value */
  #words(color, value) {
    if (color === "weight") return String(value);
    if (color === "volume") return `${value > 0 ? "+" : value < 0 ? "−" : ""}${significant(Math.abs(100 * value), 2)} %`;
    return length(value, this.#units);
  }
}
