// The list of pins, and the position of the selected joint's pin in the current frame.

import { pinInHand, pinPlace, playedClip, timeOf, withPinAt, withoutPin } from "../state/motion.js";
import { element, show, write } from "../widgets/dom.js";
import { button } from "../widgets/form.js";
import { length } from "../numbers.js";
import { watch, withMotion } from "./common.js";
import { positionFields, extentOf } from "./position_fields.js";

/** @import { MotionMessage, PinRecipe, Studio, Vector3 } from "../types" */

/** What counts as met, as a share of the character's size. */
const MET = 1e-4;

/** The position of the selected pin. @param {Studio} studio */
export function pinFields(studio) {
  const { store } = studio;
  /** @type {MotionMessage | null} */
  let message = null;
  const heading = element("h4", {});
  const current = () => store.state.recipe.motion.pins[pinInHand(store.state, studio.character)];
  /** @param {number} axis @param {number} value */
  const move = (axis, value) => {
    const pin = current();
    const place = pin && pinPlace(pin, message);
    if (!place || place[axis] === value) return;
    const moved = /** @type {Vector3} */ (place.map((old, k) => (k === axis ? value : old)));
    const index = store.state.recipe.motion.pins.indexOf(pin);
    const label = `move the pin of ${pin.joint}`;
    store.change(label, (doc) => withMotion(doc, (motion) => withPinAt(motion, index, moved)), label);
  };
  const fields = positionFields(studio, { label: "Pin", what: "The target of the joint", move });
  const made = element("section", { class: "stack", "aria-label": "Pin in hand" }, heading, fields.element);
  const render = () => {
    const pin = current();
    const place = pin && pinPlace(pin, message);
    show(made, place !== undefined);
    if (!pin || !place) return;
    write(heading, `${pin.joint} in frame ${pin.frame}`);
    fields.set(place);
  };
  studio.on("opened", render);
  watch(studio, (doc) => pinInHand(doc, studio.character), render);
  watch(studio, (doc) => doc.recipe.motion, render);
  watch(studio, (doc) => doc.selected, render);
  return {
    element: made,
    render: (/** @type {MotionMessage | null} */ next) => {
      message = next;
      render();
    },
  };
}

/** All pins, with their errors; a pin can be shown and removed. @param {Studio} studio */
export function pinList(studio) {
  const { store, playback } = studio;
  const list = element("ul", { class: "pins", "aria-label": "Pins" });
  /** @param {PinRecipe} pin */
  const goTo = ({ joint, frame }) => {
    const clip = playedClip(store.state, studio.character);
    if (clip) playback.seek(timeOf(clip, frame));
    store.change(`select ${joint}`, (doc) => (doc.selected === joint ? doc : { ...doc, selected: joint }));
  };
  /** @param {number} index */
  const remove = (index) => {
    const { joint } = store.state.recipe.motion.pins[index];
    store.change(`remove the pin of ${joint}`, (doc) => withMotion(doc, (motion) => withoutPin(motion, index)));
  };
  /** @param {PinRecipe} pin @param {number} index */
  const item = (pin, index) => {
    const name = `${pin.joint} in frame ${pin.frame}`;
    const what = { "aria-label": `Pin of ${name}`, title: "The distance of the joint from its pin" };
    return element(
      "li",
      {},
      button({
        label: `${pin.joint} · ${pin.frame}`,
        name: `Go to ${name}`,
        title: "Go to this pin",
        look: "quiet",
        onClick: () => goTo(pin),
      }),
      element("output", what),
      button({
        label: "×",
        name: `Remove the pin of ${name}`,
        title: "Remove this pin",
        look: "icon",
        onClick: () => remove(index),
      }),
    );
  };
  let listed = "";
  const render = (/** @type {MotionMessage | null} */ message) => {
    const { pins } = store.state.recipe.motion;
    // Buttons stay while a pin is dragged, and with them the focus.
    const key = JSON.stringify(pins.map(({ joint, frame }) => [joint, frame]));
    if (key !== listed) list.replaceChildren(...pins.map(item));
    listed = key;
    show(list, pins.length > 0);
    pins.forEach(({ joint, frame }, index) => {
      const residual = message?.report?.pins.find((pin) => pin.joint === joint && pin.frame === frame)?.residual;
      const text = residual === undefined ? "" : distanceInWords(studio, residual, "met", (by) => `${by} away`);
      const output = list.children[index].querySelector("output");
      if (output) write(output, text);
    });
  };
  return { element: list, render };
}

/**
 * A distance as text, or a text for no distance.
 * @param {Studio} studio
 * @param {number} value
 * @param {string} none
 * @param {(length: string) => string} some
 */
export function distanceInWords(studio, value, none, some) {
  return value < MET * extentOf(studio) ? none : some(length(value, studio.character?.units ?? null));
}
