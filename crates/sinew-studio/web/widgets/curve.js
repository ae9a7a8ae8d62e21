// An editable curve: points that are dragged, typed or moved by arrow keys, and the engine's curve through them.
//
// Double-click or Insert adds a point, Delete or right click removes one, Shift makes arrow keys coarse, and Alt moves
// the point's image on the other side of zero along.

import { eachFrame, element, svg } from "./dom.js";
import { CurveDrawing } from "./drawing.js";
import { button, numberField } from "./form.js";
import { valueAt } from "./monotone.js";
import { clamp, rounded } from "../numbers.js";
import { addBeside, addPoint, movePoint, removePoint } from "./points.js";

/** @import { Point } from "./monotone.js" */
/** @import { Moved } from "./points.js" */

/** @typedef {{label: string, unit: string, limits: [number, number], view: [number, number], step: number}} Axis */
/**
 * @typedef {object} CurveOptions
 * @property {string} label
 * @property {string} [title]
 * @property {Axis} x `view` is the least that is in sight
 * @property {Axis} y
 * @property {"zero" | "hold"} outside what the curve is beyond its ends
 * @property {number} [height]
 * @property {(points: Point[]) => void} onInput while a point moves, at most once per animation frame
 * @property {(points: Point[]) => void} onChange when it is let go
 */

/** Neighbours stay this share of the view apart. */
const GAP = 0.004;
/** A new point this many pixels from the curve is put on it. */
const SNAP = 10;
const COARSE = 10;

/** One curve; `set` gives it points, `ghost` the samples that are drawn faintly behind. */
export class CurveEditor {
  /** @param {CurveOptions} options */
  constructor(options) {
    this.options = options;
    /** @type {Point[]} */
    this.points = [];
    /** @type {readonly Point[]} */
    this.samples = [];
    /** The point in hand. */
    this.index = 0;
    /** The points as they were when the drag began. @type {Moved | null} */
    this.grasp = null;
    /** Whether a key is held that moves a point. */
    this.keyed = false;
    this.emit = eachFrame(options.onInput);
    this.drawing = new CurveDrawing(options, { redraw: () => this.draw(), makeHandle: () => this.makeHandle() });
    this.drawing.frame.svg.addEventListener("dblclick", (event) => this.addAt(event));
    this.fields = /** @type {const} */ ([options.x, options.y]).map(({ label, unit, limits: [min, max], step }, axis) =>
      numberField({ label, unit, min, max, step, decimals: 2, slider: null, onChange: (to) => this.type(axis, to) }),
    );
    const adder = button({
      label: "+",
      name: `Add a point to ${options.label}`,
      look: "icon",
      title: "Add a point beside this one (Insert, or double-click in the plot)",
      onClick: () => this.finish(addBeside(this.points, this.index, this.limits())),
    });
    this.remover = button({
      label: "−",
      name: `Remove a point of ${options.label}`,
      look: "icon",
      title: "Remove this point (Delete, or right click on it)",
      onClick: () => this.finish(removePoint(this.points, this.index)),
    });
    const [place, value] = this.fields;
    this.element = element(
      "div",
      { class: "curve", role: "group", "aria-label": options.label, title: options.title },
      element("span", { class: "caption" }, options.label),
      this.drawing.frame.svg,
      element("div", { class: "curve-tools" }, place.element, value.element, adder, this.remover),
    );
  }

  /** @param {readonly Point[]} points */
  set(points) {
    if (this.grasp) return;
    this.points = points.map(([x, y]) => [x, y]);
    this.index = clamp(this.index, 0, Math.max(points.length - 1, 0));
    this.show();
  }

  /** @param {readonly Point[]} samples */
  ghost(samples) {
    this.samples = samples;
    if (this.grasp) this.draw();
    else this.show();
  }

  limits() {
    const [low, high] = this.drawing.frame.xRange;
    return { x: this.options.x.limits, y: this.options.y.limits, gap: GAP * (high - low) };
  }

  /** Draws with everything in sight; during a drag the view stands still. */
  show() {
    this.drawing.fit(this.points, this.samples);
    this.draw();
  }

  draw() {
    this.drawing.draw(this.points, this.samples, this.index);
    this.element.classList.toggle("empty", this.points.length === 0);
    this.remover.disabled = this.points.length <= 2;
    const point = this.points[this.index] ?? [0, 0];
    this.fields.forEach((field, axis) => field.set(point[axis]));
  }

  makeHandle() {
    const reach = svg("circle", { r: 11, class: "reach" });
    const handle = svg("g", { role: "slider", class: "handle" }, reach, svg("circle", { r: 4.5, class: "dot" }));
    const own = () => [...this.drawing.handles.children].indexOf(handle);
    handle.addEventListener("pointerdown", (event) => this.grab(event, own(), handle));
    handle.addEventListener("keydown", (event) => this.key(event, own()));
    handle.addEventListener("keyup", () => this.releaseKey());
    handle.addEventListener("blur", () => this.releaseKey());
    handle.addEventListener("focus", () => {
      this.index = own();
      this.draw();
    });
    handle.addEventListener("dblclick", (event) => event.stopPropagation());
    handle.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      if (!this.grasp) this.finish(removePoint(this.points, own()));
    });
    return handle;
  }

  /** @param {PointerEvent} event @param {number} index @param {SVGElement} handle */
  grab(event, index, handle) {
    if (event.button !== 0) return;
    event.preventDefault();
    handle.focus({ preventScroll: true });
    handle.setPointerCapture(event.pointerId);
    const { frame } = this.drawing;
    const grasp = { points: this.points, index };
    const limits = this.limits();
    const inView = { ...limits, x: common(limits.x, frame.xRange), y: common(limits.y, frame.yRange) };
    let moved = false;
    this.grasp = grasp;
    const move = (/** @type {PointerEvent} */ at) => {
      moved = true;
      this.take(movePoint(grasp.points, grasp.index, frame.place(at), inView, at.altKey));
      this.draw();
      this.emit(this.points);
    };
    const drop = () => {
      handle.removeEventListener("pointermove", move);
      this.grasp = null;
      this.emit.drop();
      this.focusPoint(this.index);
      this.show();
      if (moved) this.options.onChange(this.points);
    };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("lostpointercapture", drop, { once: true });
  }

  /** @param {KeyboardEvent} event @param {number} index */
  key(event, index) {
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] ?? [
      0, 0,
    ];
    const jump = { Home: 0, End: this.points.length - 1, PageUp: index - 1, PageDown: index + 1 }[event.key];
    if (dx || dy) this.nudge(index, event.shiftKey ? [COARSE * dx, COARSE * dy] : [dx, dy], event.altKey);
    else if (jump !== undefined) this.focusPoint(jump);
    else if (event.key === "Insert") this.finish(addBeside(this.points, index, this.limits()));
    else if (event.key === "Delete" || event.key === "Backspace") this.finish(removePoint(this.points, index));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} index @param {[number, number]} steps @param {boolean} symmetric */
  nudge(index, steps, symmetric) {
    const { x, y } = this.options;
    const [px, py] = this.points[index];
    const to = /** @type {Point} */ ([px + steps[0] * x.step, py + steps[1] * y.step]);
    this.take(movePoint(this.points, index, to, this.limits(), symmetric));
    this.keyed = true;
    this.show();
    this.focusPoint(this.index);
    this.emit(this.points);
  }

  releaseKey() {
    if (!this.keyed) return;
    this.keyed = false;
    this.emit.drop();
    this.options.onChange(this.points);
  }

  /** @param {MouseEvent} event */
  addAt(event) {
    const { frame } = this.drawing;
    const [x, y] = frame.place(event);
    const near = this.points.length > 0 ? valueAt(this.points, x) : y;
    this.finish(addPoint(this.points, [x, Math.abs(frame.y(near) - frame.y(y)) < SNAP ? near : y], this.limits()));
  }

  /** @param {number} axis @param {number} to */
  type(axis, to) {
    const [x, y] = this.points[this.index];
    this.finish(movePoint(this.points, this.index, axis === 0 ? [to, y] : [x, to], this.limits()));
  }

  /** @param {Moved} next */
  take(next) {
    this.points = next.points.map(([x, y]) => [rounded(x, 4), rounded(y, 4)]);
    this.index = next.index;
  }

  /** @param {Moved | null} next */
  finish(next) {
    if (!next) return;
    const inside = this.drawing.handles.contains(document.activeElement);
    this.take(next);
    this.show();
    if (inside) this.focusPoint(this.index);
    this.options.onChange(this.points);
  }

  /** @param {number} index */
  focusPoint(index) {
    this.index = clamp(index, 0, this.points.length - 1);
    const handle = /** @type {SVGElement | undefined} */ (this.drawing.handles.children[this.index]);
    if (handle !== document.activeElement) handle?.focus({ preventScroll: true });
    this.draw();
  }
}

/** @type {(a: [number, number], b: [number, number]) => [number, number]} */
function common(a, b) {
  return [Math.max(a[0], b[0]), Math.min(a[1], b[1])];
}
