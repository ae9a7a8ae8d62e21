// The binding of a mesh without weights, or with bad ones: the skeleton to bind to, and the report of the binding.

import { chooseFiles } from "../files.js";
import { attach } from "../engine/message.js";
import { limits } from "../state/limits.js";
import { schema } from "../state/schema.js";
import { element, show, write } from "../widgets/dom.js";
import { buttonRow, button, numberField, segmented, selectField } from "../widgets/form.js";
import { counted, fixed, short } from "../numbers.js";
import { jobButton } from "./job.js";

/** @import { BindReport, BindRequest, Panel, Studio } from "../types" */

/** @type {Panel} */
export const bind = { id: "bind", title: "Bind", place: "right", mount };

/** @type {{value: BindRequest["skeleton"], label: string}[]} */
const SKELETONS = [
  { value: "own", label: "the character's own" },
  { value: "humanoid", label: "fit a humanoid" },
  { value: "quadruped", label: "fit a quadruped" },
  { value: "file", label: "from a skeleton file…" },
  { value: "from", label: "weights of another character…" },
];
const FILES = ["file", "from"];
/** In the field of influences: the engine's default. */
const DEFAULT = 0;
const { max: MOST_INFLUENCES } = limits(schema.BindSettings.influences);

/** @param {HTMLElement} body @param {Studio} studio */
function mount(body, studio) {
  if (!studio.engine.hello.can.bind) {
    body.append(element("p", { class: "note" }, "Binding needs the native engine: start `sinew studio`."));
    return;
  }
  /** The settings of the next binding: a request, not a part of the document. */
  const asked = {
    skeleton: /** @type {BindRequest["skeleton"]} */ ("own"),
    method: /** @type {BindRequest["method"]} */ ("geodesic"),
    influences: 4,
    files: /** @type {File[]} */ ([]),
  };
  const skeleton = selectField({
    label: "Skeleton",
    title: "The source of the skeleton",
    choices: SKELETONS,
    onChange: (value) => {
      asked.skeleton = /** @type {BindRequest["skeleton"]} */ (value);
      asked.files = [];
      renderFiles();
    },
  });
  const chosen = element("span", { class: "note" });
  const choose = button({
    label: "Choose file…",
    title: "A skeleton (.toml, .bvh, .asf) or a rigged character to take weights from",
    onClick: () =>
      chooseFiles("", (files) => {
        asked.files = files;
        renderFiles();
      }),
  });
  const files = element("div", { class: "buttons" }, choose, chosen);
  const renderFiles = () => {
    show(files, FILES.includes(asked.skeleton));
    write(chosen, asked.files.map((file) => file.name).join(", ") || "no file yet");
  };
  const method = segmented({
    label: "Method",
    choices: [
      {
        value: "geodesic",
        label: "geodesic",
        title: "Distances through the inside of the body: fingers and legs stay apart",
      },
      { value: "distance", label: "distance", title: "Straight distances to the bones: fast, for simple shapes" },
    ],
    onChange: (value) => {
      asked.method = /** @type {BindRequest["method"]} */ (value);
    },
  });
  const influences = numberField({
    label: "Influences",
    title: `Joints per vertex, ${MOST_INFLUENCES} at most; 0 for the default: 4, or as many as the character has`,
    min: DEFAULT,
    max: MOST_INFLUENCES,
    slider: [DEFAULT, 12],
    step: 1,
    decimals: 0,
    onChange: (value) => {
      asked.influences = Math.round(value);
    },
  });
  const report = element("div", { class: "report" });
  const job = jobButton({
    studio,
    label: "Bind",
    title: "Compute weights; the result opens by itself and can be undone",
    look: "primary",
    start: async () => {
      const key = studio.character?.key;
      if (!key) return null;
      const needed = FILES.includes(asked.skeleton);
      if (needed && asked.files.length === 0) {
        studio.notify("info", "Choose the file with the skeleton first.");
        return null;
      }
      const sent = attach(
        await Promise.all(asked.files.map(async (file) => ({ name: file.name, bytes: await file.arrayBuffer() }))),
      );
      const request = {
        key,
        skeleton: asked.skeleton,
        method: asked.method,
        influences: asked.influences === DEFAULT ? null : asked.influences,
      };
      return needed
        ? studio.engine.start("bind", { ...request, files: sent.files }, sent.payload)
        : studio.engine.start("bind", request);
    },
    finish: async (bound) => {
      report.replaceChildren(...reportOf(bound.report));
      await studio.reopen(bound.key, "bind");
      report.scrollIntoView({ block: "nearest" });
    },
  });
  skeleton.set(asked.skeleton);
  method.set(asked.method);
  influences.set(asked.influences);
  renderFiles();
  body.append(skeleton.element, files, method.element, influences.element, buttonRow(job.button), job.status, report);
}

/** @param {BindReport} report */
function reportOf(report) {
  const share = report.vertices > 0 ? (100 * report.weighted) / report.vertices : 0;
    const facts = [
    ["Covered", `${short(share, 2)} % of ${counted(report.vertices)} vertices`],
    ["Islands", report.islands === 0 ? "none" : counted(report.islands)],
    ["Lost by pruning", short(report.pruning_error, 4)],
    ["Time", `${fixed(report.milliseconds.total / 1000, 1)} s`],
  ];
  const rows = report.joints.map(({ name, vertices, mean_weight }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, name),
      element("td", {}, counted(vertices)),
      element("td", {}, fixed(mean_weight, 3)),
    ),
  );
  const head = ["Joint", "vertices", "mean weight"].map((title) => element("th", { scope: "col" }, title));
  return [
    element(
      "dl",
      { class: "facts" },
      ...facts.flatMap(([term, value]) => [element("dt", {}, term), element("dd", {}, value)]),
    ),
    element("ul", { class: "warnings" }, ...report.repairs.map((repair) => element("li", {}, repair))),
    element(
      "div",
      { class: "scroll", tabindex: 0, role: "group", "aria-label": "Joints of the binding" },
      element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows)),
    ),
  ];
}
