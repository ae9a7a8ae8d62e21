// The drawing of a curve: the frame, the line through its points and beyond its ends, samples behind, and a handle at
// every point.

import { change, svg } from "./dom.js";
import { Frame } from "./plot_frame.js";
import { path } from "./monotone.js";
import { clamp, short } from "../numbers.js";

/** @import { Point } from "./monotone.js" */
/** @import { CurveOptions } from "./curve.js" */

const HEIGHT = 120;
const ROOM_FOR_NUMBERS = 34;
/** The view goes beyond the points by these shares, so that ends can be dragged outwards. */
const MARGIN = { x: 0.08, y: 0.15 };
/** Samples below this need not be in sight. */
const FAINT = 1e-3;

/** Draws; what is done to it is its owner's business. */
export class CurveDrawing {
  /**
   * @param {CurveOptions} options
   * @param {{redraw: () => void, makeHandle: () => SVGGElement}} owner
   */
  constructor(options, { redraw, makeHandle }) {
    this.options = options;
    this.makeHandle = makeHandle;
    this.frame = new Frame({ height: options.height ?? HEIGHT, left: ROOM_FOR_NUMBERS, unit: options.x.unit, redraw });
    this.ghost = svg("path", { class: "ghost" });
    this.area = svg("path", { class: "area" });
    this.outside = svg("path", { class: "outside" });
    this.line = svg("path", { class: "line" });
    this.handles = svg("g", { class: "handles" });
    this.frame.plot.append(this.ghost, this.area, this.outside, this.line, this.handles);
  }

  /**
   * Has all points and samples in sight.
   *
   * @param {readonly Point[]} points
   * @param {readonly Point[]} samples
   */
  fit(points, samples) {
    const { x, y } = this.options;
    const isSeen = (/** @type {number} */ k) => (samples[k]?.[1] ?? 0) > FAINT;
    const shown = [...points, ...samples.filter((_, k) => isSeen(k - 1) || isSeen(k) || isSeen(k + 1))];
    const margin = MARGIN.x * (x.view[1] - x.view[0]);
    const low = Math.min(x.view[0], ...shown.map((point) => point[0] - margin));
    const high = Math.max(x.view[1], ...shown.map((point) => point[0] + margin));
    const bottom = Math.min(y.view[0], ...shown.map((point) => point[1]));
    const top = Math.max(y.view[1], ...shown.map((point) => point[1] * (1 + MARGIN.y)));
    this.frame.view([clamp(low, ...x.limits), clamp(high, ...x.limits)], [bottom, top]);
  }

  /**
   * @param {readonly Point[]} points
   * @param {readonly Point[]} samples
   * @param {number} current the index of the point in hand
   */
  draw(points, samples, current) {
    const { frame } = this;
    const inView = samples.filter(([x]) => x >= frame.xRange[0] && x <= frame.xRange[1]);
    const steps = inView.map(([x, y], k) => `${k ? "L" : "M"}${frame.x(x).toFixed(2)} ${frame.y(y).toFixed(2)}`);
    this.ghost.setAttribute("d", steps.join(""));
    if (points.length > 0) this.drawLine(points);
    else for (const part of [this.line, this.area, this.outside]) part.removeAttribute("d");
    this.drawHandles(points, current);
  }

  /** @param {readonly Point[]} points */
  drawLine(points) {
    const { frame } = this;
    const [first, last] = [points[0], points[points.length - 1]];
    const place = { x: (/** @type {number} */ x) => frame.x(x), y: (/** @type {number} */ y) => frame.y(y) };
    const curve = path(points, place.x, place.y);
    const [left, right, ground] = [frame.x(first[0]), frame.x(last[0]), frame.y(frame.yRange[0])];
    const [start, end] = [frame.y(first[1]), frame.y(last[1])];
    const [from, to] = [frame.x(frame.xRange[0]), frame.x(frame.xRange[1])];
    const beyond = {
      zero: `M${from} ${ground}H${left}V${start}M${right} ${end}V${ground}H${to}`,
      hold: `M${from} ${start}H${left}M${right} ${end}H${to}`,
    };
    this.line.setAttribute("d", curve);
    this.area.setAttribute("d", `${curve}L${right} ${ground}L${left} ${ground}Z`);
    this.outside.setAttribute("d", beyond[this.options.outside]);
  }

  /** @param {readonly Point[]} points @param {number} current */
  drawHandles(points, current) {
    const { handles, frame } = this;
    const { label, x: across, y: up } = this.options;
    while (handles.childElementCount > points.length) handles.lastElementChild?.remove();
    while (handles.childElementCount < points.length) handles.append(this.makeHandle());
    points.forEach(([x, y], k) => {
      const handle = handles.children[k];
      change(handle, "transform", `translate(${frame.x(x).toFixed(2)} ${frame.y(y).toFixed(2)})`);
      change(handle, "tabindex", k === current ? 0 : -1);
      handle.classList.toggle("current", k === current);
      change(handle, "aria-label", `${label}: point ${k + 1} of ${points.length}`);
      change(handle, "aria-valuenow", y);
      change(handle, "aria-valuemin", up.limits[0]);
      change(handle, "aria-valuemax", up.limits[1]);
      const text = `${across.label} ${short(x)} ${across.unit}, ${up.label} ${short(y)} ${up.unit}`;
      change(handle, "aria-valuetext", text.trim());
    });
  }
}
