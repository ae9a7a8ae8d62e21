// The joints' own axes: red, green and blue for x, y and z, at every joint, over the skin.

import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Float32BufferAttribute, LineBasicMaterial, LineSegments } from "three";

/** @import { JointInfo } from "../types" */

/** An axis as a share of the character's size, and at most of the way to the joint above. */
const LENGTH = 0.035;
const SHARE = 0.45;
const COLORS = [
  [0.87, 0.09, 0.07],
  [0.16, 0.62, 0.08],
  [0.07, 0.26, 1.0],
];

export class AxesView {
  object = new LineSegments(
    new BufferGeometry(),
    new LineBasicMaterial({ vertexColors: true, transparent: true, depthTest: false }),
  );
  /** @type {{index: number, length: number}[]} */
  #joints = [];

  constructor() {
    this.object.frustumCulled = false;
    this.object.renderOrder = 12;
  }

  /**
   * @param {JointInfo[]} joints
   * @param {number} size
   */
  build(joints, size) {
    const placed = joints.map((joint, index) => ({ index, length: axisLength(joint, joints[joint.parent], size) }));
    this.#joints = placed.filter(({ index }) => joints[index].joint);
    const colors = this.#joints.flatMap(() => COLORS.flatMap((color) => [...color, ...color]));
    const geometry = new BufferGeometry();
    const places = new Float32Array(18 * this.#joints.length);
    geometry.setAttribute("position", new BufferAttribute(places, 3).setUsage(DynamicDrawUsage));
    geometry.setAttribute("color", new Float32BufferAttribute(colors, 3));
    this.object.geometry.dispose();
    this.object.geometry = geometry;
  }

  /** @param {Float32Array} matrices */
  update(matrices) {
    const attribute = this.object.geometry.getAttribute("position");
    const places = /** @type {Float32Array} */ (attribute.array);
    this.#joints.forEach(({ index, length }, order) => {
      for (let axis = 0; axis < 3; axis++) {
        const column = 16 * index + 4 * axis;
        const norm = Math.hypot(matrices[column], matrices[column + 1], matrices[column + 2]) || 1;
        for (let coordinate = 0; coordinate < 3; coordinate++) {
          const origin = matrices[16 * index + 12 + coordinate];
          const at = 18 * order + 6 * axis + coordinate;
          places[at] = origin;
          places[at + 3] = origin + (length * matrices[column + coordinate]) / norm;
        }
      }
    });
    attribute.needsUpdate = true;
  }
}

/**
 * @param {JointInfo} joint
 * @param {JointInfo | undefined} parent
 * @param {number} size
 */
function axisLength({ rest }, parent, size) {
  const above = parent?.rest;
  const distance = above ? Math.hypot(rest[12] - above[12], rest[13] - above[13], rest[14] - above[14]) : 0;
  return distance > 0 ? Math.min(LENGTH * size, SHARE * distance) : LENGTH * size;
}
