// The edit of a motion: the original skeleton, thin and grey; the trajectory of a joint before and after, with a dot
// for each frame; pins; and discs at foot contacts. All in the file's axes, drawn over the skin.

import {
  BufferAttribute,
  BufferGeometry,
  CircleGeometry,
  Group,
  Line,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Points,
  PointsMaterial,
  Quaternion,
  Vector3,
} from "three";
import { frameAt, pinPlace, playedClip } from "../state/motion.js";

/** @import { Color } from "three" */
/** @import { Doc, MotionMessage, OpenedMessage, PinRecipe } from "../types" */
/** @import { BoneSegment } from "./skeleton.js" */

const GREY = 0x9aa1ab;
const PIN = 0xeabf6c;
/** Dots in pixels. */
const FRAME_DOT = 4;
const PIN_DOT = 11;
/** A disc as a share of the character's size. */
const DISC = 0.028;
const AXES = { x: new Vector3(1, 0, 0), y: new Vector3(0, 1, 0), z: new Vector3(0, 0, 1) };

const head = new Vector3();
const matrix = new Matrix4();
const forward = new Vector3(0, 0, 1);

export class MotionView {
  object = new Group();
  #ghost;
  #before;
  #after;
  #pins;
  #discs = new Group();
  #standing;
  #lifted = new MeshBasicMaterial({ color: GREY, transparent: true, opacity: 0.5, depthTest: false });
  #disc = new CircleGeometry(1, 24);
  #facing = new Quaternion();
  #radius = 1;
  /** @type {MotionMessage | null} */
  #motion = null;

  /** @param {Color} accent */
  constructor(accent) {
    const line = (/** @type {Color | number} */ color, /** @type {number} */ opacity) =>
      new LineBasicMaterial({ color, transparent: true, opacity, depthTest: false });
    this.#ghost = new LineSegments(new BufferGeometry(), line(GREY, 0.8));
    this.#before = trail(line(GREY, 0.8));
    this.#after = trail(line(accent, 1));
    this.#pins = new Points(new BufferGeometry(), dots(PIN, PIN_DOT));
    this.#standing = new MeshBasicMaterial({ color: accent, transparent: true, opacity: 0.6, depthTest: false });
    this.object.add(this.#ghost, this.#discs, this.#before, this.#after, this.#pins);
    [this.#discs, this.#ghost, this.#before, this.#after, this.#pins].forEach((part, order) => {
      part.traverse((each) => {
        each.renderOrder = 8 + order;
        each.frustumCulled = false;
      });
    });
  }

  /** @param {OpenedMessage} opened @param {number} size */
  build({ up }, size) {
    this.#facing.setFromUnitVectors(forward, AXES[up]);
    this.#radius = DISC * size;
    this.show(null);
    this.ghost(null, []);
  }

  /**
   * The skeleton without the edit.
   * @param {Float32Array | null} matrices
   * @param {BoneSegment[]} bones
   */
  ghost(matrices, bones) {
    const places = new Float32Array(matrices ? 6 * bones.length : 0);
    if (matrices) {
      bones.forEach(({ from, to, tip }, index) => {
        head.fromArray(matrices, 16 * from + 12).toArray(places, 6 * index);
        if (tip) head.copy(tip).applyMatrix4(matrix.fromArray(matrices, 16 * from));
        else head.fromArray(matrices, 16 * to + 12);
        head.toArray(places, 6 * index + 3);
      });
    }
    put(this.#ghost, places);
  }

  /** @param {MotionMessage | null} motion */
  show(motion) {
    const { trail: way, payload, stands = [] } = motion ?? {};
    const floats = (/** @type {import("../types").ArrayRange | null | undefined} */ range) =>
      range && payload ? payload.floats(range).slice() : new Float32Array(0);
    for (const [part, range] of /** @type {const} */ ([[this.#before, way?.source], [this.#after, way?.edited]])) {
      put(part, floats(range));
    }
    this.#motion = motion;
    this.#discs.clear();
    for (const place of stands) {
      const disc = new Mesh(this.#disc, this.#lifted);
      disc.position.set(...place);
      disc.quaternion.copy(this.#facing);
      disc.scale.setScalar(this.#radius);
      disc.renderOrder = 8;
      this.#discs.add(disc);
    }
  }

  /**
   * Marks the pins and the present foot contacts.
   * @param {Doc} doc
   * @param {OpenedMessage | null} character
   */
  follow(doc, character) {
    const clip = playedClip(doc, character);
    const pins = clip ? doc.recipe.motion.pins : [];
    const places = pins.map((pin) => pinPlace(pin, this.#motion) ?? []);
    put(this.#pins, Float32Array.from(places.flat()));
    const frame = clip ? frameAt(clip, doc.time) : -1;
    this.#motion?.report?.contacts.forEach(({ first, last }, index) => {
      const disc = /** @type {Mesh | undefined} */ (this.#discs.children[index]);
      if (disc) disc.material = frame >= first && frame <= last ? this.#standing : this.#lifted;
    });
  }

  /** Where a pin is. @param {PinRecipe | undefined} pin */
  placeOf(pin) {
    return pin && pinPlace(pin, this.#motion);
  }
}

/** A line with a dot at each of its points. @param {LineBasicMaterial} material */
function trail(material) {
  const line = new Line(new BufferGeometry(), material);
  line.add(new Points(line.geometry, dots(material.color, FRAME_DOT)));
  return line;
}

/** @param {Color | number} color @param {number} size */
function dots(color, size) {
  return new PointsMaterial({ color, size, sizeAttenuation: false, transparent: true, depthTest: false });
}

/**
 * @param {{geometry: BufferGeometry, visible: boolean}} part
 * @param {Float32Array} places
 */
function put(part, places) {
  part.visible = places.length > 0;
  const known = part.geometry.getAttribute("position");
  if (known?.array.length === places.length) {
    known.array.set(places);
    known.needsUpdate = true;
  } else {
    part.geometry.dispose();
    part.geometry.setAttribute("position", new BufferAttribute(places, 3));
  }
}
