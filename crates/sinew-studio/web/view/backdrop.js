// The backdrop: a dark, neutral wall, a little lighter in the middle. Weak noise prevents visible steps in the slow
// gradient; it is the same in every picture, so that pictures can be compared.

import { CanvasTexture, SRGBColorSpace } from "three";

const SIZE = 512;
const CENTER = 52;
const EDGE = 24;

/** Numbers from 0 to 1 that look random: the generator of Numerical Recipes, section 7.1. */
function* noise() {
  for (let state = 1; ; state = (1664525 * state + 1013904223) % 2 ** 32) yield state / 2 ** 32;
}

export function backdrop() {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIZE;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = context.createImageData(SIZE, SIZE);
  const trace = noise();
  for (let pixel = 0; pixel < SIZE * SIZE; pixel++) {
    const x = (pixel % SIZE) / SIZE - 0.5;
    const y = Math.floor(pixel / SIZE) / SIZE - 0.42;
    const share = Math.min(Math.hypot(x, y) / 0.72, 1);
    const eased = share * share * (3 - 2 * share);
    const level = CENTER + (EDGE - CENTER) * eased + Number(trace.next().value) - 0.5;
    image.data.set([level, level + 1.5, level + 4, 255], 4 * pixel);
  }
  context.putImageData(image, 0, 0);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return texture;
}
