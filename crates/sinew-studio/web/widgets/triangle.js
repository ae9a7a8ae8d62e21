// Three shares of a whole, as barycentric coordinates in a triangle: each corner is all of one, the middle is a third of each.

import { change, eachFrame, element, svg } from "./dom.js";
import { numberField } from "./form.js";
import { clamp, rounded } from "../numbers.js";

/** @import { Vector3 } from "../types" */

const WIDTH = 220;
const HEIGHT = 190;
const TOP = 26;
/** Corners in the order of the shares: the first at the top, then left, then right. */
const CORNERS = /** @type {const} */ ([
  [WIDTH / 2, TOP],
  [WIDTH / 2 - 78, TOP + 135],
  [WIDTH / 2 + 78, TOP + 135],
]);
/** How an arrow key moves: up is to the first corner, the others along the base. */
const KEYS = { ArrowUp: [1, -0.5, -0.5], ArrowDown: [-1, 0.5, 0.5], ArrowLeft: [0, 1, -1], ArrowRight: [0, -1, 1] };

/**
 * @typedef {object} TriangleOptions
 * @property {string} label
 * @property {string} [title]
 * @property {[string, string, string]} corners
 * @property {[string, string, string]} hints
 * @property {(shares: Vector3) => void} onInput
 * @property {(shares: Vector3) => void} onChange
 */

/** The widget; `set` takes shares that sum to anything above zero. */
export class ShareTriangle {
  /** @param {TriangleOptions} options */
  constructor(options) {
    this.options = options;
    /** @type {Vector3} */
    this.shares = [1 / 3, 1 / 3, 1 / 3];
    this.held = false;
    this.emit = eachFrame(options.onInput);
    this.handle = svg(
      "g",
      {
        class: "handle",
        role: "slider",
        tabindex: 0,
        "aria-label": options.label,
        "aria-valuemin": 0,
        "aria-valuemax": 100,
      },
      svg("circle", { r: 14, class: "reach" }),
      svg("circle", { r: 6, class: "dot" }),
    );
    this.rays = CORNERS.map(() => svg("line", { class: "ray" }));
    const labels = CORNERS.map(([x, y], k) =>
      svg("text", { x, y: k === 0 ? y - 10 : y + 18, "text-anchor": "middle" }, options.corners[k]),
    );
    const third = (/** @type {number} */ share) =>
      CORNERS.map((_, k) =>
        at(/** @type {Vector3} */ ([0, 1, 2].map((j) => (j === k ? share : (1 - share) / 2)))).join(","),
      ).join(" ");
    this.svg = svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "triangle" },
      svg("polygon", { points: CORNERS.map((corner) => corner.join(",")).join(" "), class: "ground" }),
      svg("polygon", { points: third(2 / 3), class: "grid" }),
      svg("polygon", { points: third(0), class: "grid" }),
      ...this.rays,
      ...labels,
      this.handle,
    );
    this.svg.addEventListener("pointerdown", (event) => this.grab(event));
    this.keyed = false;
    this.handle.addEventListener("keydown", (event) => this.key(event));
    this.handle.addEventListener("keyup", () => this.releaseKey());
    this.handle.addEventListener("blur", () => this.releaseKey());
    this.fields = options.corners.map((corner, k) =>
      numberField({
        label: corner,
        unit: "%",
        title: options.hints[k],
        min: 0,
        max: 100,
        step: 1,
        decimals: 1,
        slider: null,
        onChange: (percent) => this.type(k, percent / 100),
      }),
    );
    this.element = element(
      "div",
      { class: "shares", role: "group", "aria-label": options.label, title: options.title },
      this.svg,
      element("div", { class: "share-fields" }, ...this.fields.map((field) => field.element)),
    );
  }

  /** @param {readonly [number, number, number]} shares */
  set(shares) {
    if (this.held) return;
    this.shares = normalized(shares);
    this.draw();
  }

  draw() {
    const [x, y] = at(this.shares);
    this.handle.setAttribute("transform", `translate(${x} ${y})`);
    this.rays.forEach((ray, k) => {
      const [cx, cy] = CORNERS[k];
      for (const [name, value] of Object.entries({ x1: x, y1: y, x2: cx, y2: cy }))
        ray.setAttribute(name, value.toFixed(2));
      ray.style.opacity = String(0.15 + 0.85 * this.shares[k]);
    });
    this.fields.forEach((field, k) => field.set(100 * this.shares[k]));
    const text = this.shares.map((share, k) => `${this.options.corners[k]} ${Math.round(100 * share)} %`).join(", ");
    change(this.handle, "aria-valuenow", Math.round(100 * this.shares[0]));
    change(this.handle, "aria-valuetext", text);
  }

  /** @param {PointerEvent} event */
  grab(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    this.handle.focus({ preventScroll: true });
    this.svg.setPointerCapture(event.pointerId);
    this.held = true;
    const move = (/** @type {PointerEvent} */ to) => {
      const box = this.svg.getBoundingClientRect();
      const scale = Math.min(box.width / WIDTH, box.height / HEIGHT);
      const x = (to.clientX - box.left - (box.width - scale * WIDTH) / 2) / scale;
      const y = (to.clientY - box.top - (box.height - scale * HEIGHT) / 2) / scale;
      this.shares = sharesAt(x, y);
      this.draw();
      this.emit(this.shares);
    };
    move(event);
    this.svg.addEventListener("pointermove", move);
    const drop = () => {
      this.svg.removeEventListener("pointermove", move);
      this.held = false;
      this.emit.drop();
      this.options.onChange(this.shares);
    };
    this.svg.addEventListener("lostpointercapture", drop, { once: true });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const direction = KEYS[/** @type {keyof typeof KEYS} */ (event.key)];
    if (!direction) return;
    event.preventDefault();
    event.stopPropagation();
    const step = event.shiftKey ? 0.1 : 0.01;
    this.shares = normalized(
      /** @type {Vector3} */ (this.shares.map((share, k) => Math.max(share + step * direction[k], 0))),
    );
    this.keyed = true;
    this.draw();
    this.emit(this.shares);
  }

  releaseKey() {
    if (!this.keyed) return;
    this.keyed = false;
    this.emit.drop();
    this.options.onChange(this.shares);
  }

  /** One share typed: the other two keep their ratio. @param {number} index @param {number} share */
  type(index, share) {
    const others = 1 - this.shares[index];
    const scaled = this.shares.map((other, k) =>
      k === index ? share : others > 0 ? (other * (1 - share)) / others : (1 - share) / 2,
    );
    this.finish(/** @type {Vector3} */ (scaled));
  }

  /** @param {Vector3} shares */
  finish(shares) {
    this.shares = normalized(shares);
    this.draw();
    this.options.onChange(this.shares);
  }
}

/** @type {(shares: readonly [number, number, number]) => [number, number]} */
function at(shares) {
  const sum = (/** @type {0 | 1} */ axis) => shares.reduce((total, share, k) => total + share * CORNERS[k][axis], 0);
  return [sum(0), sum(1)];
}

/** The shares of the place in the triangle that is nearest. @type {(x: number, y: number) => Vector3} */
function sharesAt(x, y) {
  const [[x0, y0], [x1, y1], [x2, y2]] = CORNERS;
  const area = (y1 - y2) * (x0 - x2) + (x2 - x1) * (y0 - y2);
  const first = ((y1 - y2) * (x - x2) + (x2 - x1) * (y - y2)) / area;
  const second = ((y2 - y0) * (x - x2) + (x0 - x2) * (y - y2)) / area;
  const [a, b, c] = [first, second, 1 - first - second];
  if (a >= 0 && b >= 0 && c >= 0) return roundedShares([a, b, c]);
  const edges = CORNERS.map((corner, k) => nearestOnEdge([x, y], corner, CORNERS[(k + 1) % 3], k));
  return roundedShares(edges.reduce((best, edge) => (edge.distance < best.distance ? edge : best)).shares);
}

/**
 * @param {[number, number]} place
 * @param {readonly [number, number]} from
 * @param {readonly [number, number]} to
 * @param {number} k the corner at `from`
 */
function nearestOnEdge([x, y], from, to, k) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const t = clamp(((x - from[0]) * dx + (y - from[1]) * dy) / (dx * dx + dy * dy), 0, 1);
  const shares = /** @type {Vector3} */ ([0, 0, 0]);
  shares[k] = 1 - t;
  shares[(k + 1) % 3] = t;
  return { distance: Math.hypot(from[0] + t * dx - x, from[1] + t * dy - y), shares };
}

/** @type {(shares: readonly [number, number, number]) => Vector3} */
function normalized(shares) {
  const total = shares[0] + shares[1] + shares[2];
  return total > 0 ? roundedShares(/** @type {Vector3} */ (shares.map((share) => share / total))) : [1 / 3, 1 / 3, 1 / 3];
}

/** To a tenth of a per cent, with the sum kept. @type {(shares: Vector3) => Vector3} */
function roundedShares([a, b]) {
  const [first, second] = [rounded(a, 3), rounded(b, 3)];
  return [first, second, rounded(Math.max(1 - first - second, 0), 3)];
}
