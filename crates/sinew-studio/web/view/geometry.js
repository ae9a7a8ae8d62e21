// Geometry that parts of the scene share.

import { BufferGeometry } from "three";

/** @import { LineSegments, Mesh, Points } from "three" */

/** An empty geometry in the place of the one before. @param {Mesh | LineSegments | Points} part */
export function renewed(part) {
  part.geometry.dispose();
  part.geometry = new BufferGeometry();
  return part.geometry;
}
