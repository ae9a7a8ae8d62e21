// Rounded numbers, numbers as people read them, and the ticks of an axis.

const MINUS = "−";

/** A number rounded to so many decimals. @param {number} value @param {number} decimals */
export function rounded(value, decimals) {
  return Number(value.toFixed(decimals));
}

/** A number rounded to so many significant digits. @param {number} value @param {number} digits */
export function significant(value, digits) {
  return Number(value.toPrecision(digits));
}

/**
 * A number with at most so many decimals, without trailing zeros, with a true minus.
 *
 * @param {number} value
 * @param {number} decimals
 */
export function short(value, decimals = 2) {
  const text = String(rounded(value, decimals));
  return (text === "-0" ? "0" : text).replace("-", MINUS);
}

/**
 * A number with exactly so many decimals: figures that change in place do not jump.
 *
 * @param {number} value
 * @param {number} decimals
 */
export function fixed(value, decimals) {
  const text = value.toFixed(decimals);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", MINUS);
}

/**
 * As `fixed`, with a sign in front of what is above zero too.
 *
 * @param {number} value
 * @param {number} decimals
 */
export function signed(value, decimals) {
  return (Number(value.toFixed(decimals)) > 0 ? "+" : "") + fixed(value, decimals);
}

/**
 * A count with thin spaces between its thousands.
 *
 * @param {number} count
 */
export function counted(count) {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/**
 * A length of a file with two digits: in centimetres where its units are known.
 *
 * @param {number} value
 * @param {number | null} units metres per unit
 */
export function length(value, units) {
  return units === null ? `${significant(value, 2)} units` : `${significant(value * units * 100, 2)} cm`;
}

/**
 * Seconds of a clip.
 *
 * @param {number} value
 */
export function seconds(value) {
  return `${fixed(value, 2)} s`;
}

/** @param {number} value @param {number} low @param {number} high */
export function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}

/**
 * Round places (1, 2 or 5 times a power of ten apart) in a range, about so many of them.
 *
 * @param {number} low
 * @param {number} high
 * @param {number} about
 */
export function ticks(low, high, about) {
  const rough = (high - low) / Math.max(about, 1);
  if (!(rough > 0) || !Number.isFinite(rough)) return [];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough * 0.999) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, k) => Number(((first + k) * step).toPrecision(12)));
}
