// Volume over a clip: lines over seconds, a cursor at the current time, numbers under the pointer. A click goes there.

import { change, element, svg, write } from "./dom.js";
import { Frame } from "./plot_frame.js";
import { clamp, fixed, seconds } from "../numbers.js";

/** @typedef {{name: string, className: string, values: (number | null)[]}} Series `values` in per cent */

/** The widget; `set` gives it lines, `cursor` the time. */
export class TimePlot {
  /**
   * @param {object} options
   * @param {string} options.label
   * @param {string} options.unit
   * @param {number} options.about the value that is always in sight
   * @param {(seconds: number) => void} options.onSeek
   */
  constructor({ label, unit, about, onSeek }) {
    this.about = about;
    this.unit = unit;
    this.onSeek = onSeek;
    /** @type {number[]} */
    this.times = [];
    /** @type {Series[]} */
    this.series = [];
    this.time = 0;
    /** @type {number | null} the time under the pointer */
    this.pointed = null;
    this.frame = new Frame({ height: 130, left: 46, unit: "s", redraw: () => this.draw() });
    this.lines = svg("g");
    this.mark = svg("line", { class: "cursor" });
    this.hover = svg("line", { class: "hover" });
    this.frame.plot.append(this.lines, this.hover, this.mark);
    this.readout = element("div", { class: "plot-readout", "aria-live": "off" });
    const surface = this.frame.svg;
    change(surface, "role", "slider");
    change(surface, "tabindex", 0);
    change(surface, "aria-label", label);
    surface.addEventListener("pointermove", (event) => this.point(event));
    surface.addEventListener("pointerleave", () => {
      this.pointed = null;
      this.read();
    });
    surface.addEventListener("pointerdown", (event) => {
      surface.setPointerCapture(event.pointerId);
      this.seek(this.frame.place(event)[0]);
    });
    surface.addEventListener("keydown", (event) => this.key(event));
    this.element = element("div", { class: "plot" }, surface, this.readout);
  }

  /** @param {number[]} times @param {Series[]} series */
  set(times, series) {
    this.times = times;
    this.series = series;
    const values = series.flatMap((line) => line.values.filter((value) => value !== null));
    const [low, high] = [Math.min(this.about, ...values), Math.max(this.about, ...values)];
    const margin = Math.max(0.15 * (high - low), 0.05);
    this.frame.view(
      [times[0] ?? 0, Math.max(times[times.length - 1] ?? 1, (times[0] ?? 0) + 1e-3)],
      [low - margin, high + margin],
    );
    change(this.frame.svg, "aria-valuemin", this.frame.xRange[0]);
    change(this.frame.svg, "aria-valuemax", this.frame.xRange[1]);
    this.draw();
  }

  /** @param {number} time */
  cursor(time) {
    this.time = time;
    const x = this.frame.x(clamp(time, ...this.frame.xRange));
    change(this.mark, "transform", `translate(${x.toFixed(2)} 0)`);
    change(this.frame.svg, "aria-valuenow", time.toFixed(3));
    change(this.frame.svg, "aria-valuetext", seconds(time));
    this.read();
  }

  draw() {
    const { frame } = this;
    this.lines.replaceChildren(
      ...this.series.map((line) => svg("path", { class: `series ${line.className}`, d: this.path(line.values) })),
    );
    const [top, bottom] = [frame.y(frame.yRange[1]), frame.y(frame.yRange[0])];
    for (const line of [this.mark, this.hover]) {
      change(line, "y1", top);
      change(line, "y2", bottom);
    }
    this.cursor(this.time);
  }

  /** @param {(number | null)[]} values */
  path(values) {
    let pen = "M";
    return values
      .map((value, k) => {
        if (value === null) {
          pen = "M";
          return "";
        }
        const step = `${pen}${this.frame.x(this.times[k]).toFixed(2)} ${this.frame.y(value).toFixed(2)}`;
        pen = "L";
        return step;
      })
      .join("");
  }

  /** @param {PointerEvent} event */
  point(event) {
    const time = this.frame.place(event)[0];
    this.pointed = time;
    if (event.buttons & 1) this.seek(time);
    this.read();
  }

  /** The numbers under the pointer, or else at the cursor. */
  read() {
    change(this.hover, "visibility", this.pointed === null ? "hidden" : null);
    if (this.times.length === 0) return;
    const at = clamp(this.pointed ?? this.time, ...this.frame.xRange);
    change(this.hover, "transform", `translate(${this.frame.x(at).toFixed(2)} 0)`);
    const after = this.times.findIndex((t) => t >= at);
    const last = this.times.length - 1;
    const next = after < 0 ? last : after;
    const nearest = next > 0 && at - this.times[next - 1] < this.times[next] - at ? next - 1 : next;
    const parts = this.series.map((line) => `${line.name} ${numberOr(line.values[nearest])} ${this.unit}`);
    write(this.readout, [seconds(this.times[nearest]), ...parts].join("   "));
  }

  /** @param {number} time */
  seek(time) {
    if (this.times.length > 0) this.onSeek(clamp(time, ...this.frame.xRange));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const [low, high] = this.frame.xRange;
    const step = ((high - low) / 100) * (event.shiftKey ? 10 : 1);
    const to = { ArrowLeft: this.time - step, ArrowRight: this.time + step, Home: low, End: high }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.seek(to);
  }
}

/** @type {(value: number | null) => string} */
function numberOr(value) {
  return value === null ? "–" : fixed(value, 2);
}
