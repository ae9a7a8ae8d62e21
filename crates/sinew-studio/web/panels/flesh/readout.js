// The flesh in the current frame: whether it is shown, what the solver did, and limbs without bones.

import { element, show, write } from "../../widgets/dom.js";
import { NOTHING, figure } from "../../widgets/figure.js";
import { counted, fixed } from "../../numbers.js";
import { watch } from "../common.js";

/** @import { Fineness, FrameMessage, Studio } from "../../types" */

/** @param {Studio} studio */
export function readout(studio) {
  const iterations = figure("iterations", "Iterations of the flesh", "Steps of the solver to this shape, from the rest pose or from the frame before");
  const contacts = figure("contacts", "Contacts of the flesh", "Points of the skin that another part of the body pushes away");
  const residual = figure("residual", "Residual of the flesh", "The largest distance that the flesh still moved in the last step, in edges of its tetrahedra: less is nearer to rest");
  const smallest = figure("min. volume", "Smallest volume of the flesh", "The smallest share of its volume that a tetrahedron has. At 0 % or less it is turned over: the bones leave it no room");
  const volume = figure("volume", "Volume of the flesh", "The volume of all flesh, as a share of that at rest");
  const region = element("p", { class: "note", "aria-label": "The joint whose flesh has the volume farthest from rest" });
  const shown = element("p", { class: "note", role: "status", "aria-label": "What is shown of the flesh" });
  const bar = element("progress", { "aria-label": "Flesh" });
  const warnings = element("ul", { class: "warnings" });
  /** What the engine does for the flesh. @type {string | null} */
  let phase = null;
  const render = () => {
    const report = studio.frame?.flesh ?? null;
    const figures = inFigures(report);
    write(iterations.value, figures.iterations);
    write(contacts.value, figures.contacts);
    write(residual.value, figures.residual);
    write(smallest.value, figures.smallest);
    write(volume.value, figures.volume);
    write(region, describeRegion(report, studio.character?.joints ?? []));
    write(shown, describe(studio.store.state.recipe.flesh.fineness, report, studio.playback.playing, phase));
    show(bar, phase !== null);
    warnings.replaceChildren(...(report?.warnings ?? []).map((warning) => element("li", {}, `${warning}.`)));
  };
  studio.on("frame", render);
  studio.on("settling", (text) => {
    phase = text;
    render();
  });
  studio.playback.onToggle(render);
  watch(studio, (doc) => doc.recipe.flesh, render);
  return [
    shown,
    bar,
    element(
      "div",
      { class: "figures", role: "group", "aria-label": "Flesh" },
      iterations.element,
      contacts.element,
      residual.element,
      smallest.element,
      volume.element,
    ),
    region,
    warnings,
  ];
}

/** @param {FrameMessage["flesh"]} report */
export function inFigures(report) {
  if (!report) return { iterations: NOTHING, contacts: NOTHING, residual: NOTHING, smallest: NOTHING, volume: NOTHING };
  return {
    iterations: counted(report.iterations),
    contacts: counted(report.contacts),
    residual: fixed(report.residual, 4),
    smallest: `${fixed(100 * report.smallest_volume, 0)} %`,
    volume: `${fixed(100 * report.volume, 1)} %`,
  };
}

/**
 * The joint whose flesh has the volume farthest from rest.
 *
 * @type {(report: FrameMessage["flesh"], joints: { name: string }[]) => string}
 */
export function describeRegion(report, joints) {
  const worst = report?.worst_region;
  return worst ? `The flesh of ${joints[worst.joint]?.name ?? ""} has ${fixed(100 * worst.volume, 1)} % of its volume.` : "";
}

/**
 * What is seen, and what comes next.
 *
 * @type {(fineness: Fineness, report: FrameMessage["flesh"], isPlaying: boolean, phase: string | null) => string}
 */
export function describe(fineness, report, isPlaying, phase) {
  if (fineness === "off") return "";
  if (report && !report.live) return "Flesh at rest in this pose.";
  if (phase !== null) return `${report ? "Coarse flesh" : "Plain skin"} for now. ${phase} …`;
  if (report) return `Coarse flesh while moving, ${fineness} at rest.`;
  return isPlaying ? "Plain skin while the clip plays; flesh when you pause." : "Plain skin while you drag; flesh when you let go.";
}
