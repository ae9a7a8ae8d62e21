// The deformed surface. A geometry is created once for a topology; each frame only writes positions, normals and values
// into its buffers. Normals come from the engine. The wireframe shares the positions.

import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  Sphere,
  Vector3,
} from "three";

/** @import { Material } from "three" */
/** @import { Payload, SurfaceFrame, TopologyMessage } from "../types" */

/** The surface moves every frame: it is never left out for being out of sight. */
export const EVERYWHERE = new Sphere(new Vector3(), Infinity);

export class Surface {
  object = new Group();
  #mesh = new Mesh(new BufferGeometry());
  #wire = new LineSegments(
    new BufferGeometry(),
    new LineBasicMaterial({ color: 0x0c0d0f, transparent: true, opacity: 0.5, depthWrite: false }),
  );
  #topology = -1;

  constructor() {
    for (const part of [this.#mesh, this.#wire]) {
      part.frustumCulled = false;
      this.object.add(part);
    }
    this.#mesh.castShadow = true;
    this.#mesh.receiveShadow = true;
    this.#wire.renderOrder = 1;
    this.object.visible = false;
  }

  /** The topology of the last frame, or -1. */
  get topology() {
    return this.#topology;
  }

  get mesh() {
    return this.#mesh;
  }

  /** @param {boolean} shown */
  set wireframe(shown) {
    this.#wire.visible = shown;
  }

  /** A list is by group, a single material covers everything. @param {Material | Material[]} material */
  set material(material) {
    this.#mesh.material = material;
  }

  /** Discards the surface: every connection numbers topologies again. */
  clear() {
    this.#topology = -1;
    this.object.visible = false;
  }

  /**
   * @param {SurfaceFrame} frame
   * @param {Payload} payload
   * @param {(topology: number) => TopologyMessage | undefined} topologyOf
   */
  show(frame, payload, topologyOf) {
    if (frame.topology !== this.#topology) {
      const topology = topologyOf(frame.topology);
      if (!topology) return;
      this.#build(topology);
    }
    this.#write("position", payload.floats(frame.positions));
    this.#write("normal", payload.floats(frame.normals));
    if (frame.values) this.#write("value", payload.floats(frame.values));
    this.object.visible = true;
  }

  /** @param {Float32Array} values one for every vertex */
  showValues(values) {
    this.#write("value", values);
  }

  /** @param {TopologyMessage} message */
  #build(message) {
    const { vertices, payload, groups, uv } = message;
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", dynamicAttribute(vertices, 3));
    geometry.setAttribute("normal", dynamicAttribute(vertices, 3));
    geometry.setAttribute("value", dynamicAttribute(vertices, 1));
    if (uv) geometry.setAttribute("uv", new BufferAttribute(payload.floats(uv), 2));
    geometry.setIndex(new BufferAttribute(payload.words(message.indices), 1));
    for (const { start, count, material } of groups) geometry.addGroup(start, count, material + 1);
    geometry.boundingSphere = EVERYWHERE;

    const lines = new BufferGeometry();
    lines.setAttribute("position", geometry.getAttribute("position"));
    lines.setIndex(new BufferAttribute(payload.words(message.edges), 1));
    lines.boundingSphere = EVERYWHERE;

    this.#mesh.geometry.dispose();
    this.#wire.geometry.dispose();
    this.#mesh.geometry = geometry;
    this.#wire.geometry = lines;
    this.#topology = message.topology;
  }

  /**
   * @param {"position" | "normal" | "value"} name
   * @param {Float32Array} values
   */
  #write(name, values) {
    const attribute = /** @type {BufferAttribute} */ (this.#mesh.geometry.getAttribute(name));
    if (attribute?.array.length !== values.length) return;
    attribute.array.set(values);
    attribute.needsUpdate = true;
  }
}

/** @param {number} vertices @param {number} size */
export function dynamicAttribute(vertices, size) {
  return new BufferAttribute(new Float32Array(vertices * size), size).setUsage(DynamicDrawUsage);
}
