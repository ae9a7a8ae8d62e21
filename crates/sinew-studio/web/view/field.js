// The limbs' fields: their common surface, translucent over the skin, and contour lines on a plane through a joint,
// from violet far outside to yellow deep inside.

import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
} from "three";
import { rampColor } from "./colors.js";
import { renewed } from "./geometry.js";

/** @import { FieldsMessage } from "../types" */

const SURFACE = 0x6fb7e8;
const PLANE = 0x9aa1ab;
/** The two triangles of a square. */
const SQUARE = [0, 1, 2, 0, 2, 3];

export class FieldView {
  object = new Group();
  #surface = new Mesh(
    new BufferGeometry(),
    new MeshStandardMaterial({ color: SURFACE, roughness: 0.6, transparent: true, opacity: 0.4, depthWrite: false }),
  );
  #plane = new Mesh(
    new BufferGeometry(),
    new MeshBasicMaterial({ color: PLANE, side: DoubleSide, transparent: true, opacity: 0.08, depthWrite: false }),
  );
  #lines = new LineSegments(
    new BufferGeometry(),
    new LineBasicMaterial({ vertexColors: true, transparent: true, depthTest: false }),
  );

  constructor() {
    [this.#surface, this.#plane, this.#lines].forEach((part, order) => {
      part.frustumCulled = false;
      part.renderOrder = 4 + order;
      this.object.add(part);
    });
    this.show(null);
  }

  /** @param {FieldsMessage | null} fields */
  show(fields) {
    const { surface = null, cut = null } = fields ?? {};
    this.#surface.visible = surface !== null;
    this.#plane.visible = this.#lines.visible = cut !== null;
    if (fields && surface) {
      const { payload } = fields;
      const geometry = renewed(this.#surface);
      geometry.setAttribute("position", new BufferAttribute(payload.floats(surface.positions), 3));
      geometry.setAttribute("normal", new BufferAttribute(payload.floats(surface.normals), 3));
      geometry.setIndex(new BufferAttribute(payload.words(surface.indices), 1));
    }
    if (fields && cut) {
      const square = renewed(this.#plane);
      square.setAttribute("position", new BufferAttribute(Float32Array.from(cut.corners.flat()), 3));
      square.setIndex(SQUARE);
      const { places, colors } = coloredLines(cut.lines.map(({ level, segments }) => ({ level, segments: fields.payload.floats(segments) })));
      const lines = renewed(this.#lines);
      lines.setAttribute("position", new BufferAttribute(places, 3));
      lines.setAttribute("color", new BufferAttribute(colors, 3));
    }
  }
}

/**
 * All lines in one piece, with the colour of its level at each end of a segment.
 * @param {{level: number, segments: Float32Array}[]} lines
 */
export function coloredLines(lines) {
  const count = lines.reduce((sum, { segments }) => sum + segments.length, 0);
  const places = new Float32Array(count);
  const colors = new Float32Array(count);
  let at = 0;
  for (const { level, segments } of lines) {
    places.set(segments, at);
    const color = rampColor("field", level);
    for (let end = 0; end < segments.length; end += 3) colors.set(color, at + end);
    at += segments.length;
  }
  return { places, colors };
}
