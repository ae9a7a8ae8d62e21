// Quaternions [x, y, z, w] and their three angles for text fields.

import { clamp } from "../numbers.js";

/** @import { Quaternion, Vector3 } from "../types" */

const DEGREES = 180 / Math.PI;

/** @type {Quaternion} */
export const IDENTITY = [0, 0, 0, 1];

/** @type {(a: Quaternion, b: Quaternion) => Quaternion} */
export function multiply([ax, ay, az, aw], [bx, by, bz, bw]) {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

/** @type {(q: Quaternion) => Quaternion} */
export function inverse([x, y, z, w]) {
  return [-x, -y, -z, w];
}

/**
 * The rotation of a column-major 4×4 matrix, without its scale (Shepperd 1978: from the largest of the four).
 *
 * @param {readonly number[]} m
 * @returns {Quaternion}
 */
export function ofMatrix(m) {
  const lengths = [0, 4, 8].map((k) => Math.hypot(m[k], m[k + 1], m[k + 2]) || 1);
  const determinant =
    m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9]) + m[8] * (m[1] * m[6] - m[2] * m[5]);
  const sign = determinant < 0 ? -1 : 1;
  const r = (/** @type {number} */ row, /** @type {number} */ column) => (sign * m[4 * column + row]) / lengths[column];
  const squares = [
    1 + r(0, 0) - r(1, 1) - r(2, 2),
    1 - r(0, 0) + r(1, 1) - r(2, 2),
    1 - r(0, 0) - r(1, 1) + r(2, 2),
    1 + r(0, 0) + r(1, 1) + r(2, 2),
  ];
  const largest = squares.indexOf(Math.max(...squares));
  const twice = Math.sqrt(squares[largest]);
  const [xy, xz, yz] = [r(0, 1) + r(1, 0), r(0, 2) + r(2, 0), r(1, 2) + r(2, 1)];
  const [wx, wy, wz] = [r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)];
  const rows = [
    [squares[0], xy, xz, wx],
    [xy, squares[1], yz, wy],
    [xz, yz, squares[2], wz],
    [wx, wy, wz, squares[3]],
  ];
  return /** @type {Quaternion} */ (rows[largest].map((value) => value / (2 * twice)));
}

/**
 * The turn of three angles in degrees: about x, then about the turned y, then about the turned z.
 *
 * @param {Vector3} degrees
 * @returns {Quaternion}
 */
export function fromEuler(degrees) {
  const [x, y, z] = degrees.map((angle) => angle / DEGREES / 2);
  /** @type {Quaternion} */
  const about = [Math.sin(x), 0, 0, Math.cos(x)];
  return multiply(multiply(about, [0, Math.sin(y), 0, Math.cos(y)]), [0, 0, Math.sin(z), Math.cos(z)]);
}

/**
 * Three angles in degrees that make the turn; the middle one is within ±90°.
 *
 * @param {Quaternion} q
 * @returns {Vector3}
 */
export function toEuler([x, y, z, w]) {
  const sine = clamp(2 * (x * z + y * w), -1, 1);
  if (Math.abs(sine) > 1 - 1e-9) return [2 * Math.atan2(x, w) * DEGREES, Math.asin(sine) * DEGREES, 0];
  return [
    Math.atan2(2 * (x * w - y * z), 1 - 2 * (x * x + y * y)) * DEGREES,
    Math.asin(sine) * DEGREES,
    Math.atan2(2 * (z * w - x * y), 1 - 2 * (y * y + z * z)) * DEGREES,
  ];
}

/** The whole angle of a turn, 0 to 180 degrees. @type {(q: Quaternion) => number} */
export function angle([x, y, z, w]) {
  return 2 * Math.atan2(Math.hypot(x, y, z), Math.abs(w)) * DEGREES;
}

/** Whether two quaternions are the same rotation; q and −q are. @type {(a: Quaternion, b: Quaternion) => boolean} */
export function isSame(a, b) {
  return Math.abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]) > 1 - 1e-9;
}
