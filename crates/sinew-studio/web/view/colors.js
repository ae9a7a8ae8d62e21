// Colour ramps. They are linear between stops in OKLab (B. Ottosson, "A perceptual color space for image processing",
// 2020), so that equal steps of a value look equally large. Lightness increases in the sequential ramp and decreases
// equally towards both ends of the diverging one; both are readable without distinguishing red from green.

import { clamp } from "../numbers.js";
import { DataTexture, LinearFilter, SRGBColorSpace } from "three";

/** @typedef {[lightness: number, chroma: number, hue: number]} Oklch OKLab in polar form, the hue in degrees */

const STEPS = 256;

/** From slate through red to yellow: weights and displacement. */
const SEQUENTIAL = ramp([
  [0.5, 0.02, 265],
  [0.55, 0.11, 335],
  [0.65, 0.19, 25],
  [0.78, 0.16, 62],
  [0.94, 0.13, 100],
]);

/** Blue where volume is lost, red where it is gained. */
const DIVERGING = ramp([
  [0.42, 0.17, 262],
  [0.68, 0.12, 255],
  [0.95, 0.004, 250],
  [0.69, 0.13, 38],
  [0.46, 0.18, 28],
]);

/** From violet to yellow, light enough for lines on a dark ground: densities of a field. */
const DENSITY = ramp([
  [0.62, 0.2, 300],
  [0.72, 0.15, 230],
  [0.84, 0.17, 155],
  [0.95, 0.16, 105],
]);

/** @type {Record<"weight" | "displacement" | "volume" | "field", Uint8Array>} */
const RAMPS = { weight: SEQUENTIAL, displacement: SEQUENTIAL, volume: DIVERGING, field: DENSITY };

/** @typedef {keyof typeof RAMPS} Ramp */
/** @typedef {Exclude<Ramp, "field">} ValueColoring */

/**
 * A ramp as a texture, one texel high.
 * @param {ValueColoring} coloring
 */
export function rampTexture(coloring) {
  const texture = new DataTexture(RAMPS[coloring], STEPS, 1);
  texture.colorSpace = SRGBColorSpace;
  texture.magFilter = texture.minFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

/**
 * A ramp as a CSS gradient, from left to right.
 * @param {Ramp} coloring
 */
export function rampGradient(coloring) {
  const colors = RAMPS[coloring];
  const stops = [];
  for (let step = 0; step < STEPS; step += 15) {
    stops.push(`rgb(${colors[4 * step]} ${colors[4 * step + 1]} ${colors[4 * step + 2]})`);
  }
  return `linear-gradient(to right, ${stops.join(", ")})`;
}

/**
 * The colour of a value from 0 to 1, for what takes linear colours.
 * @param {Ramp} coloring
 * @param {number} value
 * @returns {[number, number, number]}
 */
export function rampColor(coloring, value) {
  const step = Math.round(clamp(value, 0, 1) * (STEPS - 1));
  const [red, green, blue] = RAMPS[coloring].subarray(4 * step, 4 * step + 3);
  return [decoded(red), decoded(green), decoded(blue)];
}

/**
 * @param {Oklch[]} stops at equal distances
 * @returns {Uint8Array} sRGB with alpha
 */
function ramp(stops) {
  const colors = new Uint8Array(4 * STEPS);
  for (let step = 0; step < STEPS; step++) {
    const place = (step / (STEPS - 1)) * (stops.length - 1);
    const index = Math.min(Math.floor(place), stops.length - 2);
    const share = place - index;
    const [from, to] = [toOklab(stops[index]), toOklab(stops[index + 1])];
    const [lightness, a, b] = from.map((value, axis) => value + share * (to[axis] - value));
    colors.set([...toSrgb(lightness, a, b), 255], 4 * step);
  }
  return colors;
}

/** @param {Oklch} color */
function toOklab([lightness, chroma, hue]) {
  const angle = (hue * Math.PI) / 180;
  return [lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)];
}

/**
 * @param {number} lightness
 * @param {number} a
 * @param {number} b
 */
function toSrgb(lightness, a, b) {
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ].map(encoded);
}

/** @param {number} linear @returns {number} 0 to 255 */
function encoded(linear) {
  const value = clamp(linear, 0, 1);
  return Math.round(255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055));
}

/** @param {number} value 0 to 255 */
function decoded(value) {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
