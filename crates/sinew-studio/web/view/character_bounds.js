// The bounding box of the character and the positions of its joints, in the scene's axes.

import { Box3, Vector3 } from "three";

/** @import { Object3D } from "three" */
/** @import { OpenedMessage } from "../types" */
/** @import { SkeletonView } from "./skeleton.js" */

const point = new Vector3();

export class CharacterBounds {
  /** At rest. */
  box = new Box3(new Vector3(-1, 0, -1), new Vector3(1, 2, 1));
  size = 2;
  #world;
  #skeleton;
  /** The root joint. */
  #root = 0;
  /** Where that is at rest; null without joints. @type {Vector3 | null} */
  #rest = null;

  /**
   * @param {Object3D} world what turns the file's axes to the scene's
   * @param {SkeletonView} skeleton
   */
  constructor(world, skeleton) {
    this.#world = world;
    this.#skeleton = skeleton;
  }

  /** @param {OpenedMessage} opened for which the world is turned already */
  build({ bounds, joints }) {
    const { matrixWorld } = this.#world;
    this.box.set(new Vector3(...bounds.min), new Vector3(...bounds.max)).applyMatrix4(matrixWorld);
    this.size = this.box.getSize(point).length() || 1;
    this.#root = Math.max(joints.findIndex(({ joint, weighted }) => joint && weighted), 0);
    const rest = joints[this.#root]?.rest;
    this.#rest = rest ? new Vector3().fromArray(rest, 12).applyMatrix4(matrixWorld) : null;
  }

  /** @param {number} joint @returns {Vector3} the same object for every call */
  placeOf(joint) {
    return point.fromArray(this.#skeleton.positions, 3 * joint).applyMatrix4(this.#world.matrixWorld);
  }

  /** The position of the root joint. @returns {Vector3} the same object for every call */
  get center() {
    return this.placeOf(this.#root);
  }

  /** @param {number} joint @param {number} share of the character's size */
  around(joint, share) {
    const side = share * this.size;
    return new Box3().setFromCenterAndSize(this.placeOf(joint), new Vector3(side, side, side));
  }

  /** The box at rest, moved with the root joint. */
  get posedBox() {
    return this.#rest ? this.box.clone().translate(this.center.clone().sub(this.#rest)) : this.box;
  }
}
