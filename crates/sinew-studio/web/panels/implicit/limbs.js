// The table of limbs, with the fit error of each field.

import { element, show, write } from "../../widgets/dom.js";
import { NOTHING } from "../../widgets/figure.js";
import { fixed } from "../../numbers.js";

/** @import { FieldsMessage, LimbInfo, Studio } from "../../types" */

const COLUMNS = [
  { name: "Limb", title: "The joint that moves it" },
  { name: "samples", title: "Points of its surface that the field goes through" },
  { name: "fit error", title: "Mean distance of its points from the field's surface, in % of the limb's radius" },
  { name: "joint", title: "Whether its joint keeps the limb and the one before it apart" },
];

/** @param {Studio} studio */
export function limbTable(studio) {
  const rows = element("tbody", {});
  const head = COLUMNS.map(({ name, title }) => element("th", { scope: "col", title }, name));
  const table = element(
    "div",
    { class: "scroll", tabindex: 0, role: "group", "aria-label": "Limbs of the implicit skin" },
    element("table", {}, element("thead", {}, element("tr", {}, ...head)), rows),
  );
  const about = element("p", { class: "note" });
  const update = (/** @type {FieldsMessage | null} */ fields) => {
    const limbs = fields?.limbs ?? [];
    show(table, limbs.length > 0);
    write(about, limbs.length > 0 ? "" : "Shown while the implicit skin is on and the pose does not change.");
    const joints = studio.character?.joints ?? [];
    rows.replaceChildren(
      ...limbs.map((limb) =>
        element(
          "tr",
          {},
          element("th", { scope: "row" }, joints[limb.joint]?.name ?? ""),
          ...inCells(limb).map((text) => element("td", {}, text)),
        ),
      ),
    );
  };
  update(null);
  return { element: element("div", {}, table, about), update };
}

/** @param {LimbInfo} limb */
export function inCells({ samples, fit, has_joint }) {
  const joint = has_joint ? "yes" : NOTHING;
  return samples === null ? ["no field", NOTHING, joint] : [String(samples), `${fixed(100 * fit, 1)} %`, joint];
}
