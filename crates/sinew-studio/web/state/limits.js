// The ranges of numeric settings. They are those of the engine, from the generated schema.

/** @typedef {{min: number, max: number}} Limits */

/**
 * The range of a field that edits a setting. Where the setting may come as near to its lower bound as it likes but not
 * reach it, the field has a smallest value of its own.
 *
 * @overload
 * @param {Limits} setting of the schema
 * @returns {Limits}
 */
/**
 * @overload
 * @param {{above: number, max: number}} setting of the schema
 * @param {number} least
 * @returns {Limits}
 */
/**
 * @param {{min?: number, above?: number, max: number}} setting
 * @param {number} [least]
 */
export function limits({ min, max }, least) {
  return { min: min ?? least, max };
}
