// The volume in the current frame: at rest, of the skin alone, and finished; the share of each joint; and the time.

import { throttle } from "../../timing.js";
import { element, write } from "../../widgets/dom.js";
import { NOTHING, READABLE_MS, figure } from "../../widgets/figure.js";
import { JointBars } from "../../widgets/bars.js";
import { fixed } from "../../numbers.js";
import { watch } from "../common.js";

/** @import { Studio } from "../../types" */

/** A change of volume below this share is none that a person would see. */
const SMALL = 0.0005;

/** @param {Studio} studio */
export function readout(studio) {
  const rest = figure("rest", "Rest volume", "The volume of the rest pose");
  const base = figure("skin alone", "Volume of the skin alone", "The volume that the skin leaves in this pose, before it is given back");
  const final = figure("finished", "Finished volume", "The volume of the surface you see");
  const cost = figure("per frame", "Time per frame", "The engine's time for this frame");
  const note = element("p", { class: "note", hidden: true }, "This surface has no inside that could be measured.");
  const bars = new JointBars({
    label: "Change of volume by joint",
    onSelect: (name) => studio.store.change("select a joint", (doc) => ({ ...doc, selected: name })),
  });
  const render = () => {
    const { frame, character } = studio;
    const volume = frame?.volume ?? null;
    note.hidden = !frame || volume !== null;
    write(rest.value, volume ? "100 %" : NOTHING);
    paint(base.value, volume && volume.base / volume.rest);
    paint(final.value, volume && volume.final / volume.rest);
    write(cost.value, frame ? `${fixed(frame.milliseconds, 1)} ms` : NOTHING);
    const joints = character?.joints ?? [];
    const changes =
      frame && volume
        ? frame.changes.map(({ joint, change }) => ({ name: joints[joint]?.name ?? "", change: change / volume.rest }))
        : [];
    const off = studio.store.state.recipe.volume.method === "off";
    const why = off ? "Switch on Keep volume to measure each joint." : "No joint changes the volume in this pose.";
    bars.set(
      changes.filter(({ change }) => Math.abs(change) > 1e-6),
      studio.store.state.selected,
      why,
    );
  };
  studio.on("frame", throttle(READABLE_MS, render));
  watch(studio, (doc) => doc.selected, render);
  return element(
    "div",
    { class: "readout" },
    element(
      "div",
      { class: "figures", role: "group", "aria-label": "Volume" },
      rest.element,
      base.element,
      final.element,
      cost.element,
    ),
    note,
    element(
      "h4",
      {
        title:
          "The skin's change of volume by joint, as a share of the whole. The first are worth a profile of their own.",
      },
      "What each joint does",
    ),
    bars.element,
  );
}

/** @param {HTMLElement} where @param {number | null} share of the rest volume */
function paint(where, share) {
  write(where, share === null ? NOTHING : `${fixed(100 * share, 2)} %`);
  const change = share === null ? 0 : share - 1;
  where.className = share === null ? "" : change < -SMALL ? "loss" : change > SMALL ? "gain" : "kept";
}
