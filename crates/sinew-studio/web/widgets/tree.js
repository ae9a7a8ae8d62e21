// A tree of names after the WAI-ARIA pattern: one tab stop, arrow keys, Home and End, letters to search.

import { change, element } from "./dom.js";

/** @typedef {{name: string, parent: number, quiet?: boolean}} Leaf parents come by index, -1 for a root */

const SEARCH_PAUSE = 700;

/** The widget; `set` gives it names and parents, `select` and `filter` change what is shown. */
export class Tree {
  /**
   * @param {object} options
   * @param {string} options.label
   * @param {(index: number) => void} options.onSelect
   * @param {(index: number) => void} [options.onReveal] a double click
   */
  constructor({ label, onSelect, onReveal }) {
    this.onSelect = onSelect;
    this.onReveal = onReveal;
    /** @type {Leaf[]} */
    this.leaves = [];
    /** @type {number[][]} */
    this.children = [];
    /** @type {number[]} in the order of the rows */
    this.order = [];
    /** @type {HTMLElement[]} by leaf */
    this.rows = [];
    /** @type {Set<number>} */
    this.folded = new Set();
    this.selected = -1;
    this.current = -1;
    this.query = "";
    this.typed = { text: "", at: 0 };
    /** Whether the keyboard moved the focus here: after a click, letters are the page's keys. */
    this.walked = true;
    this.element = element("div", { class: "tree", role: "tree", "aria-label": label });
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("pointerdown", () => {
      this.walked = false;
    });
    this.element.addEventListener("focusout", (event) => {
      if (!this.element.contains(/** @type {Node | null} */ (event.relatedTarget))) this.walked = true;
    });
  }

  /** @param {Leaf[]} leaves */
  set(leaves) {
    this.leaves = leaves;
    this.children = leaves.map(() => []);
    const roots = leaves.flatMap((leaf, k) => (leaf.parent < 0 ? [k] : (this.children[leaf.parent].push(k), [])));
    this.folded.clear();
    this.order = [];
    const walk = (/** @type {number} */ k, /** @type {number} */ level) => {
      this.order.push(k);
      this.rows[k] = this.makeRow(k, level);
      for (const child of this.children[k]) walk(child, level + 1);
    };
    this.rows = [];
    for (const root of roots) walk(root, 1);
    this.selected = -1;
    this.current = this.order[0] ?? -1;
    this.element.replaceChildren(...this.order.map((k) => this.rows[k]));
    this.draw();
  }

  /** @param {number} k @param {number} level */
  makeRow(k, level) {
    const leaf = this.leaves[k];
    const fold = element("span", { class: this.children[k].length ? "fold" : "fold none", "aria-hidden": "true" });
    const row = element(
      "div",
      { role: "treeitem", "aria-level": level, class: leaf.quiet ? "row quiet" : "row", title: leaf.name },
      fold,
      element("span", { class: "name" }, leaf.name),
      element("span", { class: "mark" }),
    );
    row.style.setProperty("--level", String(level - 1));
    fold.addEventListener("click", (event) => {
      event.stopPropagation();
      this.fold(k, !this.folded.has(k));
    });
    row.addEventListener("click", () => this.choose(k));
    row.addEventListener("dblclick", () => this.onReveal?.(k));
    return row;
  }

  /** Notes at the ends of rows, by index. @param {(string | undefined)[]} marks */
  marks(marks) {
    this.rows.forEach((row, k) => {
      const place = /** @type {HTMLElement} */ (row.lastElementChild);
      if (place.textContent !== (marks[k] ?? "")) place.textContent = marks[k] ?? "";
    });
  }

  /** @param {number} index -1 for none */
  select(index) {
    if (index === this.selected || index >= this.leaves.length) return;
    this.selected = index;
    if (index >= 0) {
      this.current = index;
      for (let k = this.leaves[index].parent; k >= 0; k = this.leaves[k].parent) this.folded.delete(k);
    }
    this.draw();
    if (index >= 0) this.rows[index].scrollIntoView({ block: "nearest" });
  }

  /** @param {string} query */
  filter(query) {
    this.query = query.trim().toLowerCase();
    this.draw();
  }

  /** The visible rows: those that match, and their ancestors; without a query, all that are not collapsed. */
  visible() {
    const matches = (/** @type {number} */ k) => this.leaves[k].name.toLowerCase().includes(this.query);
    if (this.query) {
      const kept = new Set();
      for (const k of this.order.filter(matches)) for (let at = k; at >= 0; at = this.leaves[at].parent) kept.add(at);
      return this.order.filter((k) => kept.has(k));
    }
    const hidden = new Set();
    return this.order.filter((k) => {
      const parent = this.leaves[k].parent;
      if (parent >= 0 && (hidden.has(parent) || this.folded.has(parent))) hidden.add(k);
      return !hidden.has(k);
    });
  }

  draw() {
    const visible = new Set(this.visible());
    if (!visible.has(this.current)) this.current = [...visible][0] ?? -1;
    this.rows.forEach((row, k) => {
      if (row.hidden === visible.has(k)) row.hidden = !visible.has(k);
      change(row, "aria-selected", k === this.selected ? "true" : "false");
      change(row, "aria-expanded", this.children[k].length ? String(!this.folded.has(k) || this.query !== "") : null);
      change(row, "tabindex", k === this.current ? 0 : -1);
      row.classList.toggle("dim", this.query !== "" && !this.leaves[k].name.toLowerCase().includes(this.query));
    });
  }

  /** @param {number} k @param {boolean} folded */
  fold(k, folded) {
    if (this.children[k].length === 0) return;
    if (folded) this.folded.add(k);
    else this.folded.delete(k);
    this.draw();
  }

  /** @param {number} k */
  choose(k) {
    this.go(k);
    this.onSelect(k);
  }

  /** @param {number} k */
  go(k) {
    if (k < 0) return;
    this.current = k;
    this.draw();
    this.rows[k].focus();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const rows = this.visible();
    const here = rows.indexOf(this.current);
    const k = this.current;
    if (k < 0) return;
    const open = this.children[k].length > 0 && !this.folded.has(k);
    const moves = {
      ArrowDown: () => this.go(rows[here + 1] ?? k),
      ArrowUp: () => this.go(rows[here - 1] ?? k),
      ArrowRight: () => (open ? this.go(this.children[k][0]) : this.fold(k, false)),
      ArrowLeft: () => (open ? this.fold(k, true) : this.go(this.leaves[k].parent)),
      Home: () => this.go(rows[0]),
      End: () => this.go(rows[rows.length - 1]),
      Enter: () => this.choose(k),
      " ": () => this.choose(k),
    };
    const move = moves[/** @type {keyof typeof moves} */ (event.key)];
    if (move) {
      this.walked = true;
      move();
    } else if (event.key.length === 1 && /\S/.test(event.key) && this.walked) this.search(event.key, rows, here);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} letter @param {number[]} rows @param {number} here */
  search(letter, rows, here) {
    const now = performance.now();
    const going = now - this.typed.at < SEARCH_PAUSE;
    this.typed = { text: (going ? this.typed.text : "") + letter.toLowerCase(), at: now };
    const from = this.typed.text.length > 1 ? here : here + 1;
    const turned = [...rows.slice(from), ...rows.slice(0, from)];
    const found = turned.find((k) => this.leaves[k].name.toLowerCase().startsWith(this.typed.text));
    if (found !== undefined) this.go(found);
  }
}
