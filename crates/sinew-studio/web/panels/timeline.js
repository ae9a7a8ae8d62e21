// The clip, its current time, and the speed of playback.

import { forAnotherClip, timeOf } from "../state/motion.js";
import { change, element, svg } from "../widgets/dom.js";
import { checkbox, numberField, selectField } from "../widgets/form.js";
import { seconds, ticks, short } from "../numbers.js";
import { gesture, watch, withRecipe } from "./common.js";

/** @import { ActionName, ClipInfo, Doc, MotionRecipe, Panel, Studio } from "../types" */

/** @type {Panel} */
export const timeline = { id: "timeline", title: "Timeline", place: "bottom", mount };

const REST = "rest";
const SPEEDS = [0.1, 0.25, 0.5, 1, 2];
/** Half the width of the scrubber's thumb: its centre never leaves this margin. */
const THUMB = 7;

/** @param {HTMLElement} body @param {Studio} studio */
function mount(body, studio) {
  const clips = clipField(studio);
  const scrubber = makeScrubber(studio);
  const time = numberField({
    label: "Time",
    unit: "s",
    title: "Seconds of the clip",
    min: -1e6,
    max: 1e6,
    step: 0.01,
    decimals: 3,
    slider: null,
    onChange: (value) => studio.playback.seek(value),
  });
  const frame = numberField({
    label: "Frame",
    title: "Frames from the clip's start, counted from 0",
    min: 0,
    max: 1e6,
    step: 1,
    decimals: 0,
    slider: null,
    onChange: (value) => seekFrame(studio, value),
  });
  const rate = gesture(studio, "frames per second", (doc, /** @type {number} */ fps) =>
    withRecipe(doc, (recipe) => ({ ...recipe, bake: { ...recipe.bake, fps } })),
  );
  const fps = numberField({
    label: "Rate",
    unit: "fps",
    title: "Frames per second: the steps of the timeline and of a bake",
    min: 1,
    max: 1000,
    step: 1,
    decimals: 2,
    slider: null,
    ...rate,
  });
  const speed = selectField({
    label: "Speed",
    title: "How fast the clip plays",
    choices: SPEEDS.map((value) => ({ value: String(value), label: `${short(value)} ×` })),
    onChange: (value) =>
      studio.store.change("speed", (doc) => ({ ...doc, playing: { ...doc.playing, speed: Number(value) } })),
  });
  const loop = checkbox({
    label: "Loop",
    title: "Start again at the end",
    onChange: (on) =>
      studio.store.change(on ? "loop" : "play once", (doc) => ({ ...doc, playing: { ...doc.playing, loop: on } })),
  });
  const play = transport(studio);
  body.append(
    element(
      "div",
      { class: "timeline-row" },
      clips.element,
      play.element,
      time.element,
      frame.element,
      fps.element,
      speed.element,
      loop.element,
    ),
    scrubber.element,
  );

  const renderClip = () => {
    const { clip } = studio.playback;
    for (const field of [time, frame]) field.enable(clip !== null);
    play.enable(clip !== null);
    scrubber.set(clip, studio.store.state.recipe.bake.fps);
    renderTime(studio.store.state);
  };
  const renderTime = (/** @type {Doc} */ doc) => {
    const { clip } = studio.playback;
    time.set(clip ? doc.time : 0);
    frame.set(clip ? Math.round((doc.time - clip.start) * doc.recipe.bake.fps) : 0);
    scrubber.time(clip ? doc.time : 0);
  };
  watch(
    studio,
    (doc) => doc.playing,
    (playing) => {
      loop.set(playing.loop);
      speed.set(String(playing.speed));
    },
  );
  watch(
    studio,
    (doc) => doc.recipe.bake.fps,
    (value) => {
      fps.set(value);
      renderClip();
    },
  );
  watch(
    studio,
    (doc) => doc.clip,
    (clip) => {
      clips.set(clip === null ? REST : String(clip));
      renderClip();
    },
  );
  watch(
    studio,
    (doc) => doc.time,
    (_, doc) => renderTime(doc),
  );
  watch(
    studio,
    (doc) => doc.recipe.motion,
    (motion) => scrubber.edit(motion),
  );
  const renderList = () => {
    clips.choices([
      { value: REST, label: "rest pose" },
      ...(studio.character?.clips ?? []).map((clip, k) => ({ value: String(k), label: clip.name || `clip ${k + 1}` })),
    ]);
    renderClip();
  };
  renderList();
  studio.on("opened", renderList);
}

/** @param {Studio} studio */
function clipField(studio) {
  return selectField({
    label: "Clip",
    title: "The motion to play; drop a motion file on the page to add one",
    choices: [],
    onChange: (value) => {
      const clip = value === REST ? null : Number(value);
      const start = clip === null ? 0 : (studio.character?.clips[clip]?.start ?? 0);
      studio.store.change("choose a clip", (doc) => ({ ...doc, clip, time: start, recipe: forAnotherClip(doc.recipe) }));
    },
  });
}

/** @param {Studio} studio @param {number} frame */
function seekFrame(studio, frame) {
  const start = studio.playback.clip?.start ?? 0;
  studio.playback.seek(start + Math.round(frame) / studio.store.state.recipe.bake.fps);
}

/** @param {Studio} studio */
function transport(studio) {
  const make = (/** @type {ActionName} */ name, /** @type {string} */ icon) => {
    const { label, keys, run } = studio.actions[name];
    return element(
      "button",
      {
        type: "button",
        class: "icon",
        title: keys ? `${label} (${keys})` : label,
        "aria-label": label,
        onclick: () => run(),
      },
      shape(icon),
    );
  };
  const play = make("play", PLAY);
  play.classList.add("play");
  const buttons = [
    make("go-to-start", START),
    make("step-back", BACK),
    play,
    make("step-forward", FORWARD),
    make("go-to-end", END),
  ];
  studio.playback.onToggle((playing) => {
    play.replaceChildren(shape(playing ? PAUSE : PLAY));
    change(play, "aria-label", playing ? "Pause" : "Play");
  });
  change(play, "aria-label", "Play");
  return {
    element: element("div", { class: "transport", role: "group", "aria-label": "Playback" }, ...buttons),
    enable: (/** @type {boolean} */ enabled) => {
      for (const button of buttons) button.disabled = !enabled;
    },
  };
}

const PLAY = "M4 2.5 13 8 4 13.5Z";
const PAUSE = "M4 3h3v10H4zM9 3h3v10H9z";
const FORWARD = "M4 3 10 8 4 13ZM11 3h2v10h-2z";
const BACK = "M12 3 6 8 12 13ZM3 3h2v10H3z";
const END = "M3 3 8 8 3 13ZM8 3 13 8 8 13ZM13 3h1.5v10H13z";
const START = "M13 3 8 8 13 13ZM8 3 3 8 8 13ZM1.5 3H3v10H1.5z";

/** @param {string} outline */
function shape(outline) {
  return svg(
    "svg",
    { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" },
    svg("path", { d: outline, fill: "currentColor" }),
  );
}

/** A slider over the clip with a mark per frame where they fit. @param {Studio} studio */
function makeScrubber(studio) {
  const input = element("input", {
    type: "range",
    class: "scrubber",
    step: "any",
    "aria-label": "Time of the clip",
    title: "Drag to another moment",
  });
  const marks = svg("svg", { class: "marks", "aria-hidden": "true" });
  const host = element("div", { class: "scrub" }, marks, input);
  /** @type {ClipInfo | null} */
  let clip = null;
  let fps = 30;
  /** @type {MotionRecipe | null} */
  let edit = null;
  input.addEventListener("input", () => studio.playback.seek(input.valueAsNumber));
  input.addEventListener("keydown", (event) => {
    const frames = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
    if (frames === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    studio.playback.step(event.shiftKey ? 10 * frames : frames);
  });
  const draw = () => {
    const width = host.clientWidth;
    if (!clip || width === 0) return marks.replaceChildren();
    const { start, end } = clip;
    const at = (/** @type {number} */ t) => THUMB + ((t - start) / (end - start || 1)) * (width - 2 * THUMB);
    const frames = Math.floor((end - start) * fps + 1e-6);
    const every = Math.max(1, Math.ceil((5 * frames) / width));
    const small = Array.from(
      { length: Math.floor(frames / every) + 1 },
      (_, k) => `M${at(start + (k * every) / fps).toFixed(1)} 4v4`,
    ).join("");
    const labels = ticks(start, end, width / 90).filter((t) => at(t) < width - 30);
    marks.replaceChildren(
      ...(edit && edit.pins.length > 0 ? editMarks(edit, clip, at) : []),
      svg("path", { d: small, class: "small" }),
      ...labels.map((t) => svg("path", { d: `M${at(t).toFixed(1)} 0v8`, class: "large" })),
      ...labels.map((t) => svg("text", { x: Math.max(at(t), 10), y: 20, "text-anchor": "middle" }, `${short(t)} s`)),
    );
    return undefined;
  };
  new ResizeObserver(draw).observe(host);
  return {
    element: host,
    set: (/** @type {ClipInfo | null} */ next, /** @type {number} */ rate) => {
      clip = next;
      fps = rate;
      input.disabled = !next;
      input.min = String(next?.start ?? 0);
      input.max = String(next?.end ?? 1);
      draw();
    },
    edit: (/** @type {MotionRecipe} */ next) => {
      edit = next;
      draw();
    },
    time: (/** @type {number} */ value) => {
      input.value = String(value);
      change(input, "aria-valuetext", seconds(value));
      const filled = clip && clip.end > clip.start ? (value - clip.start) / (clip.end - clip.start) : 0;
      input.style.setProperty("--to", `${100 * filled}%`);
    },
  };
}

/**
 * The frames that an edit may change, and its pins.
 * @param {MotionRecipe} edit
 * @param {ClipInfo} clip
 * @param {(seconds: number) => number} at
 */
function editMarks({ range, pins }, clip, at) {
  const [first, last] = (range ?? [0, clip.last]).map((frame) => at(timeOf(clip, frame)));
  return [
    svg("rect", { class: "range", x: first, y: 0, width: Math.max(last - first, 0), height: 8 }),
    ...pins.map(({ frame }) => svg("path", { class: "pin", d: `M${at(timeOf(clip, frame)).toFixed(1)} -1l5 5-5 5-5-5Z` })),
  ];
}
