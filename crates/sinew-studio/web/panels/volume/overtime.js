// The volume over the clip: a job of the engine, started only while it is in view, and not during a drag.

import { isCancelled, sentence } from "../../errors.js";
import { debounce } from "../../timing.js";
import { element, show, write } from "../../widgets/dom.js";
import { group } from "../../widgets/form.js";
import { TimePlot } from "../../widgets/plot.js";
import { isUnfolded, watch } from "../common.js";

/** @import { Job, Plotted, Studio } from "../../types" */

const PAUSE_MS = 400;

/** @param {Studio} studio */
export function overTime(studio) {
  const { store, engine } = studio;
  const plot = new TimePlot({
    label: "Volume over the clip",
    unit: "%",
    about: 100,
    onSeek: (time) => studio.playback.seek(time),
  });
  const progress = element("progress", { max: 1, value: 0, "aria-label": "Measuring the clip" });
  const note = element("p", { class: "note" });
  const section = group(
    "Volume over the clip",
    { hint: "The volume at every frame: skin alone, and finished" },
    legend(),
    plot.element,
    progress,
    note,
  );
  /** @type {Job<Plotted> | null} */
  let job = null;
  /** What the shown lines are of; another of any of them asks again. @type {unknown[]} */
  let measured = [];
  progress.hidden = true;

  const inputs = () => {
    const { character, recipe, clip, turns } = store.state;
    return [character?.key ?? null, recipe, clip, turns];
  };
  const isMeasured = () => inputs().every((input, k) => input === measured[k]);
  const stop = () => {
    job?.cancel();
    job = null;
    measured = [];
    progress.hidden = true;
  };
  const measure = async () => {
    const { character, recipe, clip, turns } = store.state;
    if (!isUnfolded(plot.element) || isMeasured()) return;
    measured = inputs();
    const nothing = !character || clip === null;
    show(plot.element, !nothing);
    write(note, nothing ? "Choose a clip to see its volume over time." : "");
    if (nothing) return;
    const mine = engine.start("plot", { key: character.key, recipe, clip, turns });
    job = mine;
    progress.hidden = false;
    mine.onProgress((done) => {
      if (job === mine) progress.value = done;
    });
    try {
      const plotted = await mine.done;
      if (job === mine) draw(plotted);
    } catch (error) {
      if (job === mine && !isCancelled(error)) write(note, sentence(error));
    }
    if (job === mine) {
      job = null;
      progress.hidden = true;
    }
  };
  const draw = (/** @type {Plotted} */ { times, rest, base, final }) => {
    const shares = (/** @type {(number | null)[]} */ values) =>
      values.map((value, k) => (value === null || !rest[k] ? null : (100 * value) / rest[k]));
    plot.set(times, [
      { name: "skin", className: "base", values: shares(base) },
      { name: "finished", className: "final", values: shares(final) },
    ]);
    plot.cursor(store.state.time);
    if (final.every((value) => value === null)) write(note, "This surface has no inside that could be measured.");
  };
  const measureLater = debounce(PAUSE_MS, () => void measure());
  const later = () => {
    if (job && (!isMeasured() || !isUnfolded(plot.element))) stop();
    measureLater();
  };
  watch(studio, (doc) => doc.recipe, later);
  watch(studio, (doc) => doc.clip, later);
  watch(studio, (doc) => doc.turns, later);
  watch(studio, (doc) => doc.character, later);
  watch(
    studio,
    (doc) => doc.time,
    (time) => {
      if (section.open) plot.cursor(time);
    },
  );
  document.addEventListener("toggle", later, { capture: true });
  return section;
}

function legend() {
  const entry = (/** @type {string} */ className, /** @type {string} */ name) =>
    element("span", { class: `key ${className}` }, name);
  return element(
    "div",
    { class: "plot-legend", "aria-hidden": "true" },
    entry("base", "skin alone"),
    entry("final", "finished"),
  );
}
