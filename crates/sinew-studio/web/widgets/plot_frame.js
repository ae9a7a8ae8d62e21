// The frame of a plot: an SVG of known width, its axes with ticks and units, and the conversion from values to
// positions.

import { svg } from "./dom.js";
import { short, ticks } from "../numbers.js";

const MARGIN = { right: 10, top: 8, bottom: 20 };

/** Axes around whatever is drawn into `plot`. */
export class Frame {
  /**
   * @param {object} options
   * @param {number} options.height
   * @param {number} options.left the room for numbers
   * @param {string} options.unit of the axis across
   * @param {() => void} options.redraw what to do when the width changes
   */
  constructor({ height, left, unit, redraw }) {
    this.left = left;
    this.height = height;
    this.width = 280;
    this.unit = unit;
    /** @type {[number, number]} */
    this.xRange = [0, 1];
    /** @type {[number, number]} */
    this.yRange = [0, 1];
    this.axes = svg("g", { class: "axes", "aria-hidden": "true" });
    this.plot = svg("g");
    this.svg = svg("svg", { class: "frame", height, width: "100%" }, this.axes, this.plot);
    new ResizeObserver(() => {
      const width = this.svg.clientWidth || this.svg.getBoundingClientRect().width;
      if (width < 80 || width === this.width) return;
      this.width = width;
      this.drawAxes();
      redraw();
    }).observe(this.svg);
  }

  /** @param {[number, number]} x @param {[number, number]} y */
  view(x, y) {
    const same =
      this.xRange[0] === x[0] && this.xRange[1] === x[1] && this.yRange[0] === y[0] && this.yRange[1] === y[1];
    if (same && this.axes.childElementCount > 0) return;
    this.xRange = x;
    this.yRange = y;
    this.drawAxes();
  }

  /** @param {number} value */
  x(value) {
    const [low, high] = this.xRange;
    return this.left + ((value - low) / (high - low)) * (this.width - this.left - MARGIN.right);
  }

  /** @param {number} value */
  y(value) {
    const [low, high] = this.yRange;
    return this.height - MARGIN.bottom - ((value - low) / (high - low)) * (this.height - MARGIN.top - MARGIN.bottom);
  }

  /**
   * The values under a pointer.
   *
   * @param {MouseEvent} event
   * @returns {[number, number]}
   */
  place(event) {
    const box = this.svg.getBoundingClientRect();
    const across = (event.clientX - box.left - this.left) / (this.width - this.left - MARGIN.right);
    const up = (this.height - MARGIN.bottom - (event.clientY - box.top)) / (this.height - MARGIN.top - MARGIN.bottom);
    const [x, y] = [this.xRange, this.yRange];
    return [x[0] + across * (x[1] - x[0]), y[0] + up * (y[1] - y[0])];
  }

  drawAxes() {
    const [left, right] = [this.x(this.xRange[0]), this.x(this.xRange[1])];
    const [bottom, top] = [this.y(this.yRange[0]), this.y(this.yRange[1])];
    const columns = ticks(...this.xRange, this.width / 60);
    const rows = ticks(...this.yRange, this.height / 40);
    const room = right - 8 * this.unit.length;
    this.axes.replaceChildren(
      ...columns.map((x) =>
        svg("line", { x1: this.x(x), x2: this.x(x), y1: top, y2: bottom, class: x === 0 ? "zero" : "grid" }),
      ),
      ...rows.map((y) => svg("line", { x1: left, x2: right, y1: this.y(y), y2: this.y(y), class: "grid" })),
      svg("line", { x1: left, x2: right, y1: bottom, y2: bottom, class: "base" }),
      ...columns
        .filter((x) => this.x(x) < room)
        .map((x) => svg("text", { x: this.x(x), y: bottom + 14, "text-anchor": "middle" }, short(x, 3))),
      ...rows.map((y) => svg("text", { x: left - 5, y: this.y(y) + 3.5, "text-anchor": "end" }, short(y, 3))),
      svg("text", { x: right, y: bottom + 14, "text-anchor": "end", class: "unit" }, this.unit),
    );
  }
}
