// The curve through dragged points, exactly as in the engine: cubic Hermite segments with the slopes of
// Fritsch and Carlson (1980), zero where the data turn and a weighted harmonic mean of the neighbouring slopes
// elsewhere. It never swings beyond its points.

/** @typedef {[number, number]} Point a place and a value */

/**
 * The slope of the curve at each of its points, which are in increasing order of place.
 *
 * @param {readonly Point[]} points
 */
export function slopes(points) {
  const last = points.length - 1;
  const width = (/** @type {number} */ k) => points[k + 1][0] - points[k][0];
  const secant = (/** @type {number} */ k) => (points[k + 1][1] - points[k][1]) / width(k);
  return points.map((_, k) => {
    if (last === 0) return 0;
    if (k === 0) return secant(0);
    if (k === last) return secant(last - 1);
    const [before, after] = [secant(k - 1), secant(k)];
    if (before * after <= 0) return 0;
    const [a, b] = [2 * width(k) + width(k - 1), width(k) + 2 * width(k - 1)];
    return (a + b) / (a / before + b / after);
  });
}

/**
 * The value at a place; beyond the ends that of the end.
 *
 * @param {readonly Point[]} points
 * @param {number} x
 */
export function valueAt(points, x) {
  const after = points.findIndex((point) => point[0] > x);
  if (after === 0) return points[0][1];
  if (after < 0) return points[points.length - 1][1];
  const around = slopes(points);
  const [[x0, y0], [x1, y1]] = [points[after - 1], points[after]];
  const [m0, m1] = [around[after - 1], around[after]];
  const h = x1 - x0;
  const t = (x - x0) / h;
  const [t2, t3] = [t * t, t * t * t];
  return y0 * (2 * t3 - 3 * t2 + 1) + h * m0 * (t3 - 2 * t2 + t) + y1 * (3 * t2 - 2 * t3) + h * m1 * (t3 - t2);
}

/**
 * The same curve as an SVG path: a Hermite segment is a Bézier segment whose handles are a third of its width away.
 *
 * @param {readonly Point[]} points
 * @param {(x: number) => number} toX
 * @param {(y: number) => number} toY
 */
export function path(points, toX, toY) {
  const at = (/** @type {number} */ x, /** @type {number} */ y) => `${toX(x).toFixed(2)} ${toY(y).toFixed(2)}`;
  const around = slopes(points);
  return points
    .map(([x, y], k) => {
      if (k === 0) return `M${at(x, y)}`;
      const [x0, y0] = points[k - 1];
      const third = (x - x0) / 3;
      return `C${at(x0 + third, y0 + third * around[k - 1])} ${at(x - third, y - third * around[k])} ${at(x, y)}`;
    })
    .join("");
}
