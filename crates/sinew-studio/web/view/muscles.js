// The muscles under the skin, as one surface: the more active, the brighter, and the selected one in the accent colour.

import { BufferAttribute, BufferGeometry, Color, Mesh, MeshStandardMaterial } from "three";
import { rayThrough } from "./picking.js";
import { EVERYWHERE, dynamicAttribute } from "./surface.js";

/** @import { PerspectiveCamera } from "three" */
/** @import { MusculatureMessage, FrameMessage, MuscleInfo } from "../types" */
/** @import { Pane } from "./panes.js" */

/** How much of the accent the selected muscle has. */
const ACCENT_SHARE = 0.65;

const color = new Color();
const active = new Color();

export class MusclesView {
  object = new Mesh(new BufferGeometry(), new MeshStandardMaterial({ vertexColors: true, roughness: 0.6, metalness: 0 }));
  /** @type {MusculatureMessage | null} */
  #musculature = null;
  /** What the geometry is made for. @type {MusculatureMessage | null} */
  #built = null;
  /** @type {Float32Array} */
  #activations = new Float32Array(0);
  /** @type {string | null} */
  #selected = null;
  #isShown = false;
  #accent;

  /** @param {Color} accent */
  constructor(accent) {
    this.#accent = accent;
    this.object.frustumCulled = false;
    this.object.castShadow = true;
  }

  /** Whether the last frame has muscles to draw. */
  get isShown() {
    return this.#isShown;
  }

  /** The muscles of the last frame. */
  get musculature() {
    return this.#built;
  }

  /** What the muscles of the next frames are. @param {MusculatureMessage | null} musculature */
  know(musculature) {
    this.#musculature = musculature;
  }

  /** The data of a visible muscle. @param {string | null} name @returns {MuscleInfo | undefined} */
  find(name) {
    return this.isShown ? this.#built?.muscles.find((muscle) => muscle.name === name) : undefined;
  }

  /** @param {FrameMessage | null} frame */
  show(frame) {
    const seen = frame?.muscles ?? null;
    const musculature = this.#musculature;
    this.#isShown = false;
    if (!frame || !seen?.shape || seen.musculature !== musculature?.musculature) return;
    this.#isShown = true;
    const { payload } = frame;
    this.#activations = payload.floats(seen.activations);
    if (musculature !== this.#built) this.#build(musculature, this.#activations.length);
    for (const name of /** @type {const} */ (["position", "normal"])) {
      const values = payload.floats(seen.shape[`${name}s`]);
      const attribute = /** @type {BufferAttribute} */ (this.object.geometry.getAttribute(name));
      attribute.array.set(values);
      attribute.needsUpdate = true;
    }
    this.#paint();
  }

  /** @param {string | null} name */
  mark(name) {
    if (name === this.#selected) return;
    this.#selected = name;
    if (this.isShown) this.#paint();
  }

  /**
   * The muscle that a person points at.
   *
   * @param {PerspectiveCamera} camera
   * @param {Pane} pane
   * @param {number} x in the pane's view, in pixels
   * @param {number} y
   * @returns {string | null}
   */
  at(camera, pane, x, y) {
    const musculature = this.#built;
    if (!this.isShown || !musculature) return null;
    const [hit] = rayThrough(camera, pane, x, y).intersectObject(this.object, false);
    if (!hit) return null;
    const mesh = Math.floor((3 * (hit.faceIndex ?? 0)) / musculature.indices.count);
    return musculature.muscles.find(({ meshes }) => meshes.includes(mesh))?.name ?? null;
  }

  /**
   * All meshes have the same triangles.
   * @param {MusculatureMessage} musculature
   * @param {number} count
   */
  #build(musculature, count) {
    const { vertices, payload } = musculature;
    const geometry = new BufferGeometry();
    for (const name of ["position", "normal", "color"]) geometry.setAttribute(name, dynamicAttribute(vertices * count, 3));
    geometry.setIndex(new BufferAttribute(repeated(payload.words(musculature.indices), vertices, count), 1));
    geometry.boundingSphere = EVERYWHERE;
    this.object.geometry.dispose();
    this.object.geometry = geometry;
    this.#built = musculature;
  }

  #paint() {
    const musculature = this.#built;
    if (!musculature) return;
    const { vertices, colors, muscles } = musculature;
    const selected = new Set(muscles.find(({ name }) => name === this.#selected)?.meshes);
    const attribute = /** @type {BufferAttribute} */ (this.object.geometry.getAttribute("color"));
    active.setRGB(...colors.active);
    this.#activations.forEach((activation, mesh) => {
      color.setRGB(...colors.relaxed).lerp(active, activation);
      if (selected.has(mesh)) color.lerp(this.#accent, ACCENT_SHARE);
      for (let k = 0; k < vertices; k += 1) color.toArray(attribute.array, 3 * (mesh * vertices + k));
    });
    attribute.needsUpdate = true;
  }
}

/**
 * The triangles of one mesh for so many of them, one after another.
 *
 * @param {Uint32Array} indices
 * @param {number} vertices of each
 * @param {number} count
 */
export function repeated(indices, vertices, count) {
  const all = new Uint32Array(indices.length * count);
  for (let mesh = 0; mesh < count; mesh += 1) {
    for (let k = 0; k < indices.length; k += 1) all[mesh * indices.length + k] = indices[k] + mesh * vertices;
  }
  return all;
}
