// The weight of the selected joint at each vertex, requested once for every joint and shown topology, and only while
// the surfaces are coloured by it.

import { comparedRecipe } from "../state/document.js";

/** @import { Doc, Engine, EngineError, Recipe } from "../types" */
/** @import { Surface } from "./surface.js" */

export class Weights {
  #engine;
  #failed;
  #changed;
  /** @type {Map<Surface, string>} what each surface shows or waits for */
  #asked = new Map();

  /**
   * @param {Engine} engine
   * @param {() => void} changed
   * @param {(message: string) => void} failed
   */
  constructor(engine, changed, failed) {
    this.#engine = engine;
    this.#changed = changed;
    this.#failed = failed;
  }

  /**
   * @param {Doc} doc
   * @param {Surface} own
   * @param {Surface} other
   */
  update(doc, own, other) {
    if (doc.view.color !== "weight" || !doc.character || doc.selected === null) return this.#asked.clear();
    void this.#ask(doc.character.key, doc.selected, doc.recipe, doc.clip, own);
    const compared = comparedRecipe(doc);
    if (compared) void this.#ask(doc.character.key, doc.selected, compared, doc.clip, other);
  }

  /**
   * @param {string} key
   * @param {string} joint
   * @param {Recipe} recipe
   * @param {number | null} clip
   * @param {Surface} surface
   */
  async #ask(key, joint, recipe, clip, surface) {
    const question = `${key} ${surface.topology} ${joint}`;
    if (surface.topology < 0 || this.#asked.get(surface) === question) return;
    this.#asked.set(surface, question);
    try {
      const { topology, values, payload } = await this.#engine.request("weights", { key, recipe, clip, joint });
      if (this.#asked.get(surface) !== question) return;
      if (topology === surface.topology) surface.showValues(payload.floats(values));
      else this.#asked.delete(surface);
      this.#changed();
    } catch (error) {
      this.#asked.delete(surface);
      const { message, cancelled } = /** @type {EngineError} */ (error);
      if (!cancelled) this.#failed(message);
    }
  }
}
