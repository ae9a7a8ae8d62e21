// The outline of a muscle, at rest and when active: the profile of R18 eq. 4.4, which has the same volume for all α and
// β, φ(s) = s^(α−1) (1−s)^(β−1) / √B(2α−1, 2β−1), with B(m, n) = (m−1)! (n−1)! / (m+n−1)!; or a sum of sines cᵢ
// sin(iπs), divided by the root of ½ Σ cᵢ².

import { change, svg } from "../../widgets/dom.js";

/** @import { Quaternion } from "../../types" */

const WIDTH = 240;
const HEIGHT = 56;
/** The largest radius in the picture; the largest of all, that of 2 and 9, is 2.33. */
const LARGEST = 2.4;
const STEPS = 48;

/** A picture of both outlines. */
export function profilePicture() {
  const rest = svg("path", { class: "rest" });
  const active = svg("path", { class: "active" });
  const about = svg("title", {}, "The outline at rest (filled) and when active (line), origin to the left");
  const picture = svg(
    "svg",
    { class: "muscle-profile", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": "Profile at rest and when active" },
    about,
    rest,
    active,
  );
  return {
    element: picture,
    /** @param {Quaternion} shape α and β at rest, then when active @param {number[] | null} series in place of them */
    set: ([alpha, beta, activeAlpha, activeBeta], series) => {
      const profile = (/** @type {number} */ a, /** @type {number} */ b) => (/** @type {number} */ share) => (series ? seriesAt(series, share) : radiusAt(a, b, share));
      change(rest, "d", outline(profile(alpha, beta)));
      change(active, "d", outline(profile(activeAlpha, activeBeta)));
    },
  };
}

/**
 * The radius of a muscle of unit length and width, at a share of its length.
 *
 * @param {number} alpha
 * @param {number} beta
 * @param {number} share
 */
export function radiusAt(alpha, beta, share) {
  return (share ** (alpha - 1) * (1 - share) ** (beta - 1)) / Math.sqrt(euler(2 * alpha - 1, 2 * beta - 1));
}

/**
 * The same of a sum of sines, by its coefficients.
 *
 * @param {number[]} series
 * @param {number} share
 */
export function seriesAt(series, share) {
  const norm = Math.sqrt(series.reduce((sum, c) => sum + c * c, 0) / 2);
  return series.reduce((sum, c, k) => sum + c * Math.sin((k + 1) * Math.PI * share), 0) / norm;
}

/** @param {number} m @param {number} n */
function euler(m, n) {
  let value = 1 / (m + n - 1);
  for (let k = 1; k < n; k += 1) value *= k / (m - 1 + k);
  return value;
}

/** There and back along both sides of the axis. @param {(share: number) => number} profile */
function outline(profile) {
  const shares = Array.from({ length: STEPS + 1 }, (_, k) => k / STEPS);
  const at = (/** @type {number} */ share, /** @type {number} */ side) => {
    const radius = profile(share) / LARGEST;
    return `${(share * WIDTH).toFixed(1)},${((HEIGHT / 2) * (1 - side * radius)).toFixed(1)}`;
  };
  const there = shares.map((share) => at(share, 1));
  const back = shares.toReversed().map((share) => at(share, -1));
  return `M${[...there, ...back].join("L")}Z`;
}
