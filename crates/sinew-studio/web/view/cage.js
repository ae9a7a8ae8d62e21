// The cage: its wires, its tetrahedra, somewhat shrunken and cut open, markers and fixed joints, and a line from every
// handle to its target. All in the file's axes.

import {
  BufferAttribute,
  BufferGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  Points,
  PointsMaterial,
} from "three";
import { renewed } from "./geometry.js";
import { dotNear } from "./picking.js";

/** @import { Color, Matrix4, PerspectiveCamera } from "three" */
/** @import { CagedMessage, CageSettings, Doc, FrameMessage, Vector3 } from "../types" */
/** @import { Pane } from "./panes.js" */

const WIRE = 0x6fb7e8;
const TETRAHEDRON = 0x8fb3c9;
const MARKER = 0xff7ab8;
/** Dots in pixels. */
const DOT = 9;
const DOT_IN_HAND = 13;
/** The size of a tetrahedron that is drawn, of its own. */
const SHRUNKEN = 0.86;
const AXES = { x: 0, y: 1, z: 2 };
/** The faces of a tetrahedron of positive volume, counterclockwise from outside. */
const FACES = [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2];

export class CageView {
  object = new Group();
  /** Whether tetrahedra are drawn in place of the mesh. */
  hidesMesh = false;
  #wires = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: WIRE, transparent: true, opacity: 0.7 }));
  #tetrahedra = new Mesh(new BufferGeometry(), new MeshStandardMaterial({ color: TETRAHEDRON, roughness: 0.7, flatShading: true }));
  #pulls;
  #dots;
  #held;
  #inHand;
  #placeOfJoint;
  /** @type {Caged | null} */
  #caged = null;
  /** Where the vertices are now. @type {Float32Array} */
  #places = new Float32Array(0);
  /** @type {Doc | null} */
  #doc = null;

  /**
   * @param {Color} accent
   * @param {(name: string) => Vector3 | null} placeOfJoint
   */
  constructor(accent, placeOfJoint) {
    this.#placeOfJoint = placeOfJoint;
    const over = { transparent: true, depthTest: false };
    this.#pulls = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ ...over, color: accent }));
    const dots = (/** @type {Color | number} */ color, /** @type {number} */ size) =>
      new Points(new BufferGeometry(), new PointsMaterial({ ...over, color, size, sizeAttenuation: false, toneMapped: false }));
    this.#inHand = dots(accent, DOT_IN_HAND);
    this.#held = dots(accent, DOT);
    this.#dots = dots(MARKER, DOT);
    [this.#wires, this.#tetrahedra, this.#pulls, this.#inHand, this.#held, this.#dots].forEach((part, order) => {
      part.frustumCulled = false;
      // Over the skeleton, but for what has a depth.
      part.renderOrder = order < 2 ? 3 : 10 + order;
      this.object.add(part);
    });
    this.show(null);
  }

  /** @param {CagedMessage | null} message */
  show(message) {
    this.#caged = message && readCaged(message);
    this.#places = this.#caged?.rest ?? new Float32Array(0);
    renewed(this.#wires).setIndex(this.#caged ? new BufferAttribute(this.#caged.edges, 1) : []);
    this.#draw();
  }

  /** @param {FrameMessage} frame */
  follow({ cage, payload }) {
    const places = cage && payload.floats(cage.places);
    if (this.#caged) this.#places = places?.length === this.#caged.rest.length ? places : this.#caged.rest;
    this.#draw();
  }

  /** @param {Doc} doc */
  update(doc) {
    this.#doc = doc;
    this.#draw();
  }

  /** Where a marker is now. @param {string} label @returns {Vector3 | null} */
  placeOf(label) {
    const marker = this.#caged?.markers.find((known) => known.label === label);
    return marker ? at(this.#places, marker.vertex) : null;
  }

  /**
   * The marker nearest to a place on the screen.
   *
   * @param {Matrix4} world what turns the file's axes to the scene's
   * @param {PerspectiveCamera} camera
   * @param {Pane} pane
   * @param {number} x in the pane's view, in pixels
   * @param {number} y
   * @returns {string | null}
   */
  markerNear(world, camera, pane, x, y) {
    if (!this.object.visible) return null;
    const markers = this.#caged?.markers ?? [];
    const nearest = dotNear(this.#markerPlaces(), () => true, world, camera, pane, x, y);
    return markers[nearest]?.label ?? null;
  }

  #markerPlaces() {
    return Float32Array.from((this.#caged?.markers ?? []).flatMap(({ vertex }) => at(this.#places, vertex)));
  }

  #draw() {
    const caged = this.#caged;
    const cage = this.#doc?.cage;
    this.object.visible = caged !== null && cage !== undefined && cage.on;
    this.hidesMesh = this.object.visible && cage !== undefined && cage.show.tetrahedra;
    if (!caged || !cage || !this.object.visible) return;
    this.#wires.visible = cage.show.surface;
    this.#tetrahedra.visible = cage.show.tetrahedra;
    if (cage.show.surface) this.#wires.geometry.setAttribute("position", new BufferAttribute(this.#places, 3));
    if (cage.show.tetrahedra) {
      const kept = uncut(caged, cage.show.cut);
      const corners = shrunkenTetrahedra(this.#places, kept);
      renewed(this.#tetrahedra).setAttribute("position", new BufferAttribute(corners, 3));
    }
    const inHand = cage.marker === null ? null : this.placeOf(cage.marker);
    setPlaces(this.#dots, this.#markerPlaces());
    setPlaces(this.#inHand, Float32Array.from(inHand ?? []));
    const { joints, markers } = cage.by === "handles" && cage.follow ? cage : { joints: {}, markers: {} };
    setPlaces(this.#held, Float32Array.from(Object.values(joints).flat()));
    const pulls = [
      ...Object.entries(joints).map(([name, to]) => ({ from: this.#placeOfJoint(name), to })),
      ...Object.entries(markers).map(([label, to]) => ({ from: this.placeOf(label), to })),
    ];
    setPlaces(this.#pulls, Float32Array.from(pulls.flatMap(({ from, to }) => (from ? [...from, ...to] : []))));
  }
}

/**
 * @typedef {object} Caged
 * @property {Float32Array} rest
 * @property {Uint32Array} tetrahedra
 * @property {Uint32Array} edges
 * @property {{label: string, vertex: number}[]} markers
 */

/** @param {CagedMessage} message @returns {Caged} */
function readCaged({ payload, places, tetrahedra, surface, markers }) {
  return {
    rest: payload.floats(places),
    tetrahedra: payload.words(tetrahedra),
    edges: edgesOf(payload.words(surface)),
    markers,
  };
}

/** Every edge of triangles once, as pairs of vertices. @param {Uint32Array} triangles */
export function edgesOf(triangles) {
  /** @type {number[]} */
  const edges = [];
  for (let corner = 0; corner < triangles.length; corner++) {
    const next = corner % 3 === 2 ? corner - 2 : corner + 1;
    // Every edge of a closed surface is met in both directions.
    if (triangles[corner] < triangles[next]) edges.push(triangles[corner], triangles[next]);
  }
  return Uint32Array.from(edges);
}

/**
 * The tetrahedra whose middle is not beyond the cut, at rest.
 * @param {Pick<Caged, "rest" | "tetrahedra">} caged
 * @param {CageSettings["show"]["cut"]} cut
 * @returns {Uint32Array}
 */
export function uncut({ rest, tetrahedra }, { axis, share }) {
  if (share >= 1) return tetrahedra;
  const along = AXES[axis];
  let [low, high] = [Infinity, -Infinity];
  for (let k = along; k < rest.length; k += 3) {
    low = Math.min(low, rest[k]);
    high = Math.max(high, rest[k]);
  }
  const most = low + share * (high - low);
  /** @type {number[]} */
  const kept = [];
  for (let k = 0; k < tetrahedra.length; k += 4) {
    const corners = tetrahedra.subarray(k, k + 4);
    const middle = corners.reduce((sum, corner) => sum + rest[3 * corner + along] / 4, 0);
    if (middle <= most) kept.push(...corners);
  }
  return Uint32Array.from(kept);
}

/**
 * The corners of the faces of tetrahedra, drawn towards their middles.
 * @param {Float32Array} places
 * @param {Uint32Array} tetrahedra
 */
export function shrunkenTetrahedra(places, tetrahedra) {
  const corners = new Float32Array((tetrahedra.length / 4) * 3 * FACES.length);
  const drawn = new Float32Array(12);
  for (let k = 0, to = 0; k < tetrahedra.length; k += 4) {
    for (let axis = 0; axis < 3; axis++) {
      let middle = 0;
      for (let corner = 0; corner < 4; corner++) middle += places[3 * tetrahedra[k + corner] + axis] / 4;
      for (let corner = 0; corner < 4; corner++) {
        drawn[3 * corner + axis] = middle + SHRUNKEN * (places[3 * tetrahedra[k + corner] + axis] - middle);
      }
    }
    for (const corner of FACES) {
      corners[to++] = drawn[3 * corner];
      corners[to++] = drawn[3 * corner + 1];
      corners[to++] = drawn[3 * corner + 2];
    }
  }
  return corners;
}

/** @param {Float32Array} places @param {number} vertex @returns {Vector3} */
function at(places, vertex) {
  return [places[3 * vertex], places[3 * vertex + 1], places[3 * vertex + 2]];
}

/** @param {Points | LineSegments} part @param {Float32Array} places */
function setPlaces(part, places) {
  part.visible = places.length > 0;
  renewed(part).setAttribute("position", new BufferAttribute(places, 3));
}
