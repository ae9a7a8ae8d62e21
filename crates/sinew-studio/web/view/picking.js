// Picking a joint: the one whose dot is nearest on the screen or, on the skin without a dot nearby, the one whose bone
// is closest to the hit point.

import { clamp } from "../numbers.js";
import { Raycaster, Vector2, Vector3 } from "three";

/** @import { Matrix4, Object3D, PerspectiveCamera } from "three" */
/** @import { SkinHit } from "../types" */
/** @import { SkeletonView } from "./skeleton.js" */
/** @import { Surface } from "./surface.js" */
/** @import { Pane } from "./panes.js" */

const NEAR_PIXELS = 13;
/** A press that moves less is a click. */
const CLICK_PIXELS = 4;

const point = new Vector3();
const head = new Vector3();
const axis = new Vector3();
const raycaster = new Raycaster();

/**
 * @param {SkeletonView} skeleton
 * @param {Object3D} world what turns the file's axes to the scene's
 * @param {PerspectiveCamera} camera
 * @param {Pane} pane
 * @param {number} x in the pane's view, in pixels
 * @param {number} y
 * @returns {number} -1 for none
 */
export function jointNear(skeleton, world, camera, pane, x, y) {
  return dotNear(skeleton.positions, (joint) => skeleton.isJoint(joint), world.matrixWorld, camera, pane, x, y);
}

/**
 * @param {Float32Array} places of dots, three numbers each
 * @param {(index: number) => boolean} isPickable
 * @param {Matrix4} matrix what takes them to the scene
 * @param {PerspectiveCamera} camera
 * @param {Pane} pane
 * @param {number} x in the pane's view, in pixels
 * @param {number} y
 * @returns {number} the index of the nearest, -1 for none
 */
export function dotNear(places, isPickable, matrix, camera, pane, x, y) {
  let nearest = -1;
  let best = Infinity;
  for (let dot = 0; dot < places.length / 3; dot++) {
    if (!isPickable(dot)) continue;
    point.fromArray(places, 3 * dot).applyMatrix4(matrix).project(camera);
    const dx = pane.left + ((point.x + 1) / 2) * pane.width - x;
    const dy = ((1 - point.y) / 2) * pane.height - y;
    const distance = Math.hypot(dx, dy);
    // Of dots that cover each other, the one in front.
    const rank = Math.round(distance / 4) + point.z;
    if (point.z < 1 && distance < NEAR_PIXELS && rank < best) {
      best = rank;
      nearest = dot;
    }
  }
  return nearest;
}

/**
 * The ray from the camera through a place on the screen.
 *
 * @param {PerspectiveCamera} camera
 * @param {Pane} pane
 * @param {number} x in the pane's view, in pixels
 * @param {number} y
 * @returns {Raycaster} the same object for every call
 */
export function rayThrough(camera, pane, x, y) {
  raycaster.setFromCamera(new Vector2(((x - pane.left) / pane.width) * 2 - 1, 1 - (y / pane.height) * 2), camera);
  return raycaster;
}

/**
 * What a person points at on the skin.
 *
 * @param {PerspectiveCamera} camera
 * @param {Pane} pane
 * @param {Surface} surface
 * @param {number} x
 * @param {number} y
 * @returns {SkinHit | null}
 */
export function skinAt(camera, pane, surface, x, y) {
  const [hit] = rayThrough(camera, pane, x, y).intersectObject(surface.mesh, false);
  if (!hit?.normal || !hit.face || !hit.barycoord) return null;
  const { a, b, c } = hit.face;
  return {
    point: surface.mesh.worldToLocal(hit.point).toArray(),
    normal: hit.normal.toArray(),
    corners: [a, b, c],
    shares: hit.barycoord.toArray(),
  };
}

/**
 * @param {SkeletonView} skeleton
 * @param {SkinHit | null} skin what was hit
 * @returns {number} -1 where there is no skin
 */
export function jointUnderSkin(skeleton, skin) {
  if (!skin) return -1;
  const at = new Vector3(...skin.point);
  let nearest = -1;
  let best = Infinity;
  for (const { from, to } of skeleton.bones) {
    head.fromArray(skeleton.positions, 3 * from);
    axis.set(0, 0, 0);
    if (to >= 0) axis.fromArray(skeleton.positions, 3 * to).sub(head);
    const along = clamp(point.subVectors(at, head).dot(axis) / (axis.lengthSq() || 1), 0, 1);
    const distance = point.addScaledVector(axis, -along).lengthSq();
    if (distance < best) {
      best = distance;
      nearest = from;
    }
  }
  return nearest;
}

/**
 * Distinguishes hovering and clicking from orbiting. Positions are in pixels of the view.
 * @param {HTMLElement} element the view; its camera controls capture the pointer
 * @param {HTMLElement} pad the part of it in which joints are picked
 * @param {{onHandle(): boolean, hover(x: number, y: number): void, pick(x: number, y: number): void}} listener
 */
export function listenForPicks(element, pad, listener) {
  /** @type {{x: number, y: number} | null} */
  let pressed = null;
  const place = placesIn(element);
  pad.addEventListener("pointermove", (event) => {
    if (event.buttons === 0) listener.hover(...place(event));
  });
  pad.addEventListener("pointerdown", ({ clientX, clientY, button }) => {
    pressed = button === 0 && !listener.onHandle() ? { x: clientX, y: clientY } : null;
  });
  element.addEventListener("pointerup", (event) => {
    const moved = pressed ? Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) : Infinity;
    pressed = null;
    if (moved < CLICK_PIXELS) listener.pick(...place(event));
  });
}

/**
 * Lets dots be dragged: hears a press before the camera and the other handles do. Places are in pixels of the view.
 * @param {HTMLElement} element the view
 * @param {HTMLElement} pad the part of it in which dots are
 * @param {{grab(x: number, y: number): boolean, move(x: number, y: number): void, release(): void}} listener
 */
export function listenForDrags(element, pad, listener) {
  const place = placesIn(element);
  const move = (/** @type {PointerEvent} */ event) => {
    event.stopImmediatePropagation();
    listener.move(...place(event));
  };
  const press = (/** @type {PointerEvent} */ event) => {
    if (event.button !== 0 || !listener.grab(...place(event))) return;
    event.stopImmediatePropagation();
    pad.setPointerCapture(event.pointerId);
    pad.addEventListener("pointermove", move, { capture: true });
    const release = () => {
      pad.removeEventListener("pointermove", move, { capture: true });
      listener.release();
    };
    pad.addEventListener("lostpointercapture", release, { once: true });
  };
  pad.addEventListener("pointerdown", press, { capture: true });
}

/** Where in an element something happens. @param {HTMLElement} element @returns {(event: MouseEvent) => [number, number]} */
function placesIn(element) {
  return ({ clientX, clientY }) => {
    const { left, top } = element.getBoundingClientRect();
    return [clientX - left, clientY - top];
  };
}
