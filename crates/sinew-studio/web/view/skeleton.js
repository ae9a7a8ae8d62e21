// The joints and bones. Bones are octahedra from a joint to the next, joints are dots of constant size on the screen;
// both are drawn over the skin. Everything is written in place from the world matrices of a frame, sixteen numbers for
// a joint, column by column.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  Float32BufferAttribute,
  Group,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Points,
  ShaderMaterial,
  Vector3,
} from "three";

/** @import { JointInfo, OpenedMessage } from "../types" */

/** A bone's width as a share of its length, and at most of the character's size. */
const SLENDER = 0.075;
const WIDEST = 0.012;
/** Where an octahedron is widest. */
const SHOULDER = 0.16;
const BONE = new Color(0xd9dde4);
/** Dots in pixels; the small ones are for joints with only short bones, such as fingers'. */
const DOT = 7.5;
const SMALL_DOT = 5;
const SHORT_BONE = 0.035;

const DOT_VERTEX = `
  attribute float mark;
  attribute float diameter;
  uniform float scale;
  varying float marked;
  void main() {
    marked = mark;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
    gl_PointSize = mark < 0.0 ? 0.0 : scale * (diameter + 2.5 * mark);
  }`;

const DOT_FRAGMENT = `
  uniform vec3 plain;
  uniform vec3 accent;
  varying float marked;
  void main() {
    float radius = 2.0 * length(gl_PointCoord - 0.5);
    float soft = fwidth(radius);
    float inside = 1.0 - smoothstep(1.0 - soft, 1.0, radius);
    if (inside <= 0.0) discard;
    float rim = smoothstep(0.62 - soft, 0.62, radius);
    gl_FragColor = vec4(mix(marked > 1.5 ? accent : plain, vec3(0.02), rim), inside);
    #include <colorspace_fragment>
  }`;

/**
 * @typedef {object} BoneSegment from a joint to another, or to its own tip
 * @property {number} from
 * @property {number} to -1 for the tip
 * @property {Vector3 | null} tip in the joint's own axes
 */

export class SkeletonView {
  object = new Group();
  /** World places of all joints in the file's axes, three numbers each. */
  positions = new Float32Array(0);
  /** @type {BoneSegment[]} */
  bones = [];
  /** @type {JointInfo[]} */
  #joints = [];
  #size = 1;
  #accent;
  /** @type {InstancedMesh | null} */
  #octahedra = null;
  /** @type {Points<BufferGeometry, ShaderMaterial> | null} */
  #dots = null;
  #selected = -1;
  #hovered = -1;

  /** @param {Color} accent */
  constructor(accent) {
    this.#accent = accent;
  }

  /**
   * @param {OpenedMessage} opened
   * @param {number} size
   */
  build({ joints }, size) {
    this.#joints = joints;
    this.#size = size;
    this.bones = boneSegments(joints);
    this.positions = new Float32Array(3 * joints.length);
    this.#octahedra?.dispose();
    this.#dots?.geometry.dispose();
    this.object.clear();

    const material = new MeshBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.46, depthTest: false });
    this.#octahedra = new InstancedMesh(octahedron(), material, this.bones.length);
    this.#octahedra.instanceMatrix.setUsage(DynamicDrawUsage);
    this.#octahedra.renderOrder = 10;

    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(this.positions, 3).setUsage(DynamicDrawUsage));
    geometry.setAttribute("mark", new BufferAttribute(new Float32Array(joints.length), 1));
    geometry.setAttribute("diameter", new BufferAttribute(dotDiameters(joints, size), 1));
    this.#dots = new Points(
      geometry,
      new ShaderMaterial({
        uniforms: {
          scale: { value: 1 },
          plain: { value: new Color(0xf4f6fa) },
          accent: { value: this.#accent },
        },
        vertexShader: DOT_VERTEX,
        fragmentShader: DOT_FRAGMENT,
        transparent: true,
        depthTest: false,
      }),
    );
    this.#dots.renderOrder = 11;
    for (const part of [this.#octahedra, this.#dots]) part.frustumCulled = false;
    this.object.add(this.#octahedra, this.#dots);
    this.mark(-1, -1);
  }

  /** @param {number} index */
  isJoint(index) {
    return this.#joints[index]?.joint ?? false;
  }

  /** @param {number} ratio pixels of the screen for one of the page */
  set pixelRatio(ratio) {
    if (this.#dots) this.#dots.material.uniforms.scale.value = ratio;
  }

  /**
   * @param {number} selected an index, or -1
   * @param {number} hovered
   */
  mark(selected, hovered) {
    this.#selected = selected;
    this.#hovered = hovered;
    const marks = /** @type {BufferAttribute | undefined} */ (this.#dots?.geometry.getAttribute("mark"));
    if (!marks || !this.#octahedra) return;
    this.#joints.forEach(({ joint }, index) => {
      marks.setX(index, !joint ? -1 : index === selected ? 2 : index === hovered ? 1 : 0);
    });
    marks.needsUpdate = true;
    this.bones.forEach(({ from }, index) => {
      const color = from === this.#selected ? this.#accent : from === this.#hovered ? WHITE : BONE;
      this.#octahedra?.setColorAt(index, color);
    });
    if (this.#octahedra.instanceColor) this.#octahedra.instanceColor.needsUpdate = true;
  }

  /** @param {Float32Array} matrices */
  update(matrices) {
    if (!this.#octahedra || !this.#dots || matrices.length !== 16 * this.#joints.length) return;
    for (let joint = 0; joint < this.#joints.length; joint++) {
      this.positions[3 * joint] = matrices[16 * joint + 12];
      this.positions[3 * joint + 1] = matrices[16 * joint + 13];
      this.positions[3 * joint + 2] = matrices[16 * joint + 14];
    }
    this.#dots.geometry.getAttribute("position").needsUpdate = true;
    const target = /** @type {Float32Array} */ (this.#octahedra.instanceMatrix.array);
    this.bones.forEach((bone, index) => {
      head.fromArray(this.positions, 3 * bone.from);
      if (bone.tip) tail.copy(bone.tip).applyMatrix4(matrix.fromArray(matrices, 16 * bone.from));
      else tail.fromArray(this.positions, 3 * bone.to);
      writeBone(target, 16 * index, WIDEST * this.#size);
    });
    this.#octahedra.instanceMatrix.needsUpdate = true;
  }
}

const WHITE = new Color(0xffffff);
const head = new Vector3();
const tail = new Vector3();
const along = new Vector3();
const side = new Vector3();
const across = new Vector3();
const matrix = new Matrix4();

/**
 * The matrix that takes the unit octahedron to the bone from `head` to `tail`.
 * @param {Float32Array} target
 * @param {number} at
 * @param {number} widest
 */
function writeBone(target, at, widest) {
  along.subVectors(tail, head);
  const length = along.length();
  const width = Math.min(SLENDER * length, widest);
  side.set(0, 0, 0).setComponent(Math.abs(along.x) < 0.7 * length ? 0 : 1, 1);
  across.crossVectors(along, side).setLength(width);
  side.crossVectors(across, along).setLength(width);
  matrix.makeBasis(across, along, side).setPosition(head).toArray(target, at);
}

/** @param {JointInfo[]} joints @returns {BoneSegment[]} */
function boneSegments(joints) {
  /** @type {BoneSegment[]} */
  const segments = [];
  const hasChild = new Set();
  joints.forEach(({ joint, parent }, to) => {
    if (!joint || parent < 0 || !joints[parent].joint) return;
    hasChild.add(parent);
    segments.push({ from: parent, to, tip: null });
  });
  joints.forEach(({ joint, tip }, from) => {
    if (joint && tip && !hasChild.has(from)) segments.push({ from, to: -1, tip: new Vector3(...tip) });
  });
  return segments;
}

/**
 * @param {JointInfo[]} joints
 * @param {number} size
 */
function dotDiameters(joints, size) {
  const diameters = new Float32Array(joints.length).fill(SMALL_DOT);
  joints.forEach(({ parent, rest }, index) => {
    if (parent < 0) return;
    const above = joints[parent].rest;
    const length = Math.hypot(rest[12] - above[12], rest[13] - above[13], rest[14] - above[14]);
    if (length > SHORT_BONE * size) diameters[index] = diameters[parent] = DOT;
  });
  return diameters;
}

/** From the origin to (0, 1, 0), with a shade for each side so that it looks solid without light. */
function octahedron() {
  const ring = [0, 1, 2, 3].map((quarter) => {
    const angle = (quarter * Math.PI) / 2 + Math.PI / 4;
    return new Vector3(Math.cos(angle), SHOULDER, Math.sin(angle));
  });
  const start = new Vector3(0, 0, 0);
  const end = new Vector3(0, 1, 0);
  /** @type {number[]} */
  const places = [];
  /** @type {number[]} */
  const shades = [];
  ring.forEach((corner, index) => {
    const next = ring[(index + 1) % 4];
    for (const triangle of [[corner, end, next], [next, start, corner]]) {
      const shade = 0.5 + 0.5 * [1, 0.62, 0.4, 0.75][index];
      for (const point of triangle) {
        places.push(...point.toArray());
        shades.push(shade, shade, shade);
      }
    }
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(places, 3));
  geometry.setAttribute("color", new Float32BufferAttribute(shades, 3));
  return geometry;
}
