// Icons of the kinds of profile on a bent limb: the limb, and the added volume in the accent colour.

import { svg } from "../../widgets/dom.js";

/** From the side: the parent bone lies, the next one hangs down. */
const BENT = "M2 8H20Q27 8 27 15V27H17V20Q17 18 15 18H2Z";
/** From the outside of the bend. */
const FACING = "M13 1V27H23V1Z";

/** @type {Record<string, {limb: string, added: string, isLine?: boolean}>} */
const SHAPES = {
  isotropic: {
    limb: BENT,
    added: "M9 8Q15 4 21 4 31 5 31 15 31 20 27 25V15Q27 8 20 8ZM8 18Q12 21 14 21 15 23 17 26V20Q17 18 15 18Z",
  },
  rubber: { limb: FACING, added: "M13 4Q3 14 13 24ZM23 4Q33 14 23 24Z" },
  muscle: { limb: BENT, added: "M2 18Q8 29 14 18Z" },
  folds: { limb: BENT, added: "M1 8q2.500-7 5 0 2.500-7 5 0 2.500-7 5 0Z" },
  blend: { limb: BENT, added: "M1 18q2 6 4 0 2.500 10 5 0 2 6 4 0Z" },
  curves: { limb: "M3 2V25H34", added: "M3 25C11 25 10 6 17 6S24 20 33 20", isLine: true },
};

/** @param {string} kind */
export function profileIcon(kind) {
  const shape = SHAPES[kind] ?? SHAPES.curves;
  const look = shape.isLine ? " line" : "";
  return svg(
    "svg",
    { viewBox: "0 0 36 28", width: 36, height: 28, "aria-hidden": "true" },
    svg("path", { d: shape.limb, class: `limb${look}` }),
    svg("path", { d: shape.added, class: `added${look}` }),
  );
}
