// Operations on the points of a curve: move, add, remove, and fit to samples.

import { clamp, rounded } from "../numbers.js";
import { valueAt } from "./monotone.js";

/** @typedef {import("./monotone.js").Point} Point */
/** @typedef {{x: [number, number], y: [number, number], gap: number}} Limits neighbours stay a `gap` apart */
/** @typedef {{points: Point[], index: number}} Moved the points, and where the one in hand now is */

/** A point this many gaps from a point's mirror image is its partner. */
const NEAR_IMAGE = 12;

/**
 * A point moved to a place between its neighbours. With `symmetric`, its image at the other side of zero goes along;
 * where there is none, it is made.
 *
 * @param {readonly Point[]} points
 * @param {number} index
 * @param {Point} to
 * @param {Limits} limits
 * @param {boolean} [symmetric]
 * @returns {Moved}
 */
export function movePoint(points, index, to, limits, symmetric = false) {
  if (symmetric && points[index][0] !== 0) return moveBoth(points, index, to, limits);
  const { gap } = limits;
  const low = index > 0 ? points[index - 1][0] + gap : limits.x[0];
  const high = index + 1 < points.length ? points[index + 1][0] - gap : limits.x[1];
  const x = low < high ? clamp(to[0], low, high) : points[index][0];
  return { points: points.map((p, k) => (k === index ? [x, clamp(to[1], ...limits.y)] : p)), index };
}

/** @type {(points: readonly Point[], index: number, to: Point, limits: Limits) => Moved} */
function moveBoth(points, index, to, limits) {
  const from = points[index];
  const { gap } = limits;
  const image = imageOf(points, index, NEAR_IMAGE * gap);
  const rest = points.filter((_, k) => k !== index && k !== image);
  const side = Math.sign(from[0]);
  const free = rest.filter(([x]) => Math.abs(x) >= gap / 2).map(([x]) => Math.abs(x));
  const inner = Math.max(gap, ...free.filter((x) => x <= Math.abs(from[0])).map((x) => x + gap));
  const outer = Math.min(-limits.x[0], limits.x[1], ...free.filter((x) => x > Math.abs(from[0])).map((x) => x - gap));
  const x = inner < outer ? clamp(side * to[0], inner, outer) : Math.abs(from[0]);
  const y = clamp(to[1], ...limits.y);
  /** @type {Point} */
  const moved = [side * x, y];
  /** @type {Point[]} */
  const sorted = [...rest, moved, /** @type {Point} */ ([-side * x, y])].sort((a, b) => a[0] - b[0]);
  return { points: sorted, index: sorted.indexOf(moved) };
}

/** @type {(points: readonly Point[], index: number, within: number) => number} */
function imageOf(points, index, within) {
  const distance = (/** @type {number} */ k) => Math.abs(points[k][0] + points[index][0]);
  const others = points.map((_, k) => k).filter((k) => k !== index && distance(k) <= within);
  return others.sort((a, b) => distance(a) - distance(b))[0] ?? -1;
}

/**
 * A new point, unless one is already there.
 *
 * @param {readonly Point[]} points
 * @param {Point} at
 * @param {Limits} limits
 * @returns {Moved | null}
 */
export function addPoint(points, at, limits) {
  /** @type {Point} */
  const added = [clamp(at[0], ...limits.x), clamp(at[1], ...limits.y)];
  if (points.some(([x]) => Math.abs(x - added[0]) < limits.gap)) return null;
  const sorted = [...points, added].sort((a, b) => a[0] - b[0]);
  return { points: sorted, index: sorted.indexOf(added) };
}

/**
 * A new point on the curve, halfway to the next one (to the one before for the last).
 *
 * @param {readonly Point[]} points
 * @param {number} index
 * @param {Limits} limits
 */
export function addBeside(points, index, limits) {
  const next = points[index + 1] ?? points[index - 1] ?? [limits.x[1], 0];
  const x = (points[index][0] + next[0]) / 2;
  return addPoint(points, [x, valueAt(points, x)], limits);
}

/**
 * The points without one; a curve keeps at least two.
 *
 * @param {readonly Point[]} points
 * @param {number} index
 * @returns {Moved | null}
 */
export function removePoint(points, index) {
  if (points.length <= 2) return null;
  return { points: points.filter((_, k) => k !== index), index: Math.min(index, points.length - 2) };
}

/**
 * So many of the samples that the curve through them stays as near as possible to all: from both ends of what is not
 * zero, always taking the sample that is farthest from the curve so far.
 *
 * @param {readonly Point[]} samples
 * @param {number} count
 * @returns {Point[]}
 */
export function fitPoints(samples, count) {
  const filled = samples.map((_, k) => k).filter((k) => samples[k][1] > 1e-6);
  if (filled.length === 0) return samples.length > 1 ? [samples[0], samples[samples.length - 1]].map(roundedPoint) : [];
  const first = Math.max(filled[0] - 1, 0);
  const last = Math.min(filled[filled.length - 1] + 1, samples.length - 1);
  const chosen = new Set([first, last]);
  while (chosen.size < Math.min(count, last - first + 1)) {
    const curve = [...chosen].sort((a, b) => a - b).map((k) => samples[k]);
    const error = (/** @type {number} */ k) => Math.abs(valueAt(curve, samples[k][0]) - samples[k][1]);
    const open = Array.from({ length: last - first }, (_, k) => first + k).filter((k) => !chosen.has(k));
    chosen.add(open.reduce((worst, k) => (error(k) > error(worst) ? k : worst), open[0]));
  }
  return [...chosen].sort((a, b) => a - b).map((k) => roundedPoint(samples[k]));
}

/** @type {(point: readonly [number, number]) => Point} */
function roundedPoint([x, y]) {
  return [rounded(x, 3), rounded(y, 3)];
}
