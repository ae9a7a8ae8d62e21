// Pinning a joint at its current position, so that nothing moves until the pin is dragged.

import { sentence } from "./errors.js";
import { frameAt, pinInHand, pinOf, playedClip, timeOf, withPin } from "./state/motion.js";

/** @import { Studio } from "./types" */

/** @param {Studio} studio */
export async function pinSelected(studio) {
  const { store, engine, playback, character } = studio;
  const { clip, selected, recipe, time } = store.state;
  const played = playedClip(store.state, character);
  if (!character || clip === null || !played || selected === null) {
    return studio.notify("info", "Choose a clip and select a joint, then pin it.");
  }
  const frame = frameAt(played, time);
  playback.seek(timeOf(played, frame));
  if (pinInHand(store.state, character) >= 0) return undefined;
  try {
    const asked = { key: character.key, recipe, clip, joint: selected, frame };
    const { place } = await engine.request("motion", asked);
    store.change(`pin ${selected}`, (doc) => {
      const { motion } = doc.recipe;
      if (!place || doc.clip !== clip || pinOf(motion, selected, frame) >= 0) return doc;
      const pinned = withPin(motion, played, { joint: selected, frame, position: place });
      return { ...doc, recipe: { ...doc.recipe, motion: pinned } };
    });
  } catch (error) {
    studio.notify("error", sentence(error));
  }
  return undefined;
}
