// The report of a built cage.

import { element } from "../../widgets/dom.js";
import { counted, fixed } from "../../numbers.js";

/** @import { CagedMessage } from "../../types" */

/** @param {CagedMessage["report"]} report */
export function reportOf(report) {
  const row = (/** @type {[string, string, string]} */ [name, value, title]) => [element("dt", { title }, name), element("dd", {}, value)];
  return [
    element("dl", { class: "facts", "aria-label": "The cage" }, ...inRows(report).flatMap(row)),
    element("ul", { class: "warnings" }, ...report.warnings.map((warning) => element("li", {}, warning))),
  ];
}

/** Names, values and what they mean. @param {CagedMessage["report"]} report @returns {[string, string, string][]} */
export function inRows(report) {
  const { cage_vertices, cage_triangles, control_vertices, tetrahedra, mean_quality, least_quality, slivers } = report;
  const { volume_share, milliseconds } = report;
  /** @type {[string, string, string][]} */
  const rows = [
    ["Cage", `${counted(cage_vertices)} vertices, ${counted(cage_triangles)} triangles`, "The closed surface around the mesh"],
    ["Inside", `${counted(tetrahedra)} tetrahedra of ${counted(control_vertices)} vertices`, "Joints, points along bones and markers are vertices"],
    ["Quality", `${fixed(mean_quality, 2)} mean, ${fixed(least_quality, 3)} least`, "Three times the ratio of the inner and the outer radius: 1 for a regular tetrahedron"],
    ["Slivers", counted(slivers), "Tetrahedra with a quality below 0.1"],
  ];
  if (volume_share !== null) rows.push(["Volume", `${fixed(volume_share, 2)} × the mesh's`, "What the cage encloses"]);
  const seconds = (milliseconds[0] + milliseconds[1]) / 1000;
  return [...rows, ["Built in", `${fixed(seconds, 2)} s`, "The cage and its tetrahedra"]];
}
