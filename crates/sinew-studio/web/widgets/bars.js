// Volume change by joint: bars to both sides of zero, largest first. A click selects the joint.

import { change, element, write } from "./dom.js";
import { signed } from "../numbers.js";

/** @typedef {{name: string, change: number}} Bar `change` is a share of the whole, signed */

const MOST = 8;
/** Bars are full at this share at the least, so that nothing looks like much. */
const SMALLEST_SCALE = 0.0005;

/** Bars shorter than this share of the longest are left out. */
const NOTHING = 0.01;

/** The widget; `set` takes all joints and shows the largest. */
export class JointBars {
  /** @param {{label: string, onSelect: (name: string) => void}} options */
  constructor({ label, onSelect }) {
    this.rows = Array.from({ length: MOST }, () => {
      const name = element("span", { class: "name" });
      const fill = element("span", { class: "fill" });
      const value = element("span", { class: "number" });
      const row = element(
        "button",
        { type: "button", class: "bar-row", hidden: true },
        name,
        element("span", { class: "track" }, fill),
        value,
      );
      row.addEventListener("click", () => onSelect(name.textContent ?? ""));
      return { row, name, fill, value };
    });
    this.note = element("p", { class: "note" });
    this.element = element(
      "div",
      { class: "bars", role: "group", "aria-label": label },
      this.note,
      ...this.rows.map(({ row }) => row),
    );
  }

  /** @param {Bar[]} bars @param {string | null} selected @param {string} empty the text without bars */
  set(bars, selected, empty) {
    const sorted = [...bars].sort((a, b) => Math.abs(b.change) - Math.abs(a.change)).slice(0, MOST);
    const largest = sorted.filter(({ change: share }) => Math.abs(share) >= NOTHING * Math.abs(sorted[0].change));
    const scale = Math.max(SMALLEST_SCALE, Math.abs(largest[0]?.change ?? 0));
    const decimals = scale > SMALLEST_SCALE ? 2 : 4;
    write(this.note, largest.length > 0 ? "" : empty);
    this.rows.forEach(({ row, name, fill, value }, k) => {
      const bar = largest[k];
      row.hidden = !bar;
      if (!bar) return;
      write(name, bar.name);
      write(value, `${signed(100 * bar.change, decimals)} %`);
      const width = (50 * Math.abs(bar.change)) / scale;
      fill.style.left = `${bar.change < 0 ? 50 - width : 50}%`;
      fill.style.width = `${width}%`;
      fill.classList.toggle("loss", bar.change < 0);
      row.classList.toggle("selected", bar.name === selected);
      change(row, "title", `The skin ${bar.change < 0 ? "loses" : "gains"} volume at ${bar.name}. Click to select it.`);
    });
  }
}
