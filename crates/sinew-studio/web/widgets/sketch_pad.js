// A sheet for drawing an outline in one stroke, which is closed at the end of the drag. `show` draws an outline, and a
// line over it, scaled to the sheet.

import { change, svg } from "./dom.js";

/** @typedef {[number, number]} Corner */

const WIDTH = 240;
const HEIGHT = 120;
const MARGIN = 8;
/** Corners of a stroke are so far apart at least, and there are so many at least. */
const STEP = 2;
const FEWEST = 8;

/**
 * @param {{label: string, title: string, onDrawn: (outline: Corner[]) => void}} options
 */
export function sketchPad({ label, title, onDrawn }) {
  const outline = svg("path", { class: "outline" });
  const fitted = svg("path", { class: "fitted" });
  const stroke = svg("path", { class: "stroke" });
  const sheet = svg("svg", { class: "sketch-pad", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label }, svg("title", {}, title), outline, fitted, stroke);
  /** @type {Corner[] | null} */
  let inHand = null;
  /** @param {PointerEvent} event @returns {Corner} */
  const corner = (event) => {
    const { left, top, width, height } = sheet.getBoundingClientRect();
    return [((event.clientX - left) / width) * WIDTH, ((event.clientY - top) / height) * HEIGHT];
  };
  sheet.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    sheet.setPointerCapture(event.pointerId);
    inHand = [corner(event)];
  });
  sheet.addEventListener("pointermove", (event) => {
    if (!inHand) return;
    inHand = extended(inHand, corner(event));
    change(stroke, "d", pathOf(inHand, false));
  });
  const letGo = (/** @type {boolean} */ isDrawn) => {
    const drawn = inHand;
    inHand = null;
    change(stroke, "d", null);
    if (isDrawn && drawn && drawn.length >= FEWEST) onDrawn(drawn);
  };
  sheet.addEventListener("pointerup", () => letGo(true));
  sheet.addEventListener("pointercancel", () => letGo(false));
  return {
    element: sheet,
    /** @param {Corner[]} drawn @param {Corner[]} over */
    show: (drawn, over) => {
      const place = fit([...drawn, ...over]);
      change(outline, "d", pathOf(drawn.map(place), true));
      change(fitted, "d", pathOf(over.map(place), true));
    },
  };
}

/**
 * A stroke with one more corner, unless that is where the last one is.
 *
 * @param {Corner[]} stroke
 * @param {Corner} to
 * @returns {Corner[]}
 */
export function extended(stroke, to) {
  const [x, y] = stroke[stroke.length - 1];
  return Math.hypot(to[0] - x, to[1] - y) < STEP ? stroke : [...stroke, to];
}

/**
 * What takes corners to the sheet: as they are where they lie on it, as strokes do; otherwise moved and scaled to fit.
 *
 * @param {Corner[]} corners
 * @returns {(corner: Corner) => Corner}
 */
export function fit(corners) {
  const [xs, ys] = [0, 1].map((axis) => corners.map((corner) => corner[axis]));
  const bounds = (/** @type {number[]} */ values) => values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
  const [[left, right], [top, bottom]] = [bounds(xs), bounds(ys)];
  const isOnSheet = left >= 0 && right <= WIDTH && top >= 0 && bottom <= HEIGHT && right - left > WIDTH / 3;
  if (isOnSheet || corners.length === 0) return (corner) => corner;
  const scale = Math.min((WIDTH - 2 * MARGIN) / Math.max(right - left, 1e-9), (HEIGHT - 2 * MARGIN) / Math.max(bottom - top, 1e-9));
  return ([x, y]) => [WIDTH / 2 + scale * (x - (left + right) / 2), HEIGHT / 2 + scale * (y - (top + bottom) / 2)];
}

/** @param {Corner[]} corners @param {boolean} isClosed */
function pathOf(corners, isClosed) {
  if (corners.length === 0) return null;
  const places = corners.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`);
  return `M${places.join("L")}${isClosed ? "Z" : ""}`;
}
