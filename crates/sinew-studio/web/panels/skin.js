// The first stage: the skinning method.

import { segmented } from "../widgets/form.js";
import { inWords, watch, withRecipe } from "./common.js";

/** @import { Panel, SkinMethod, Studio } from "../types" */

/** @type {Record<string, string>} */
const HINTS = {
  rigid: "Each vertex follows the joint of largest weight alone",
  linear: "The weighted mean of matrices, as most engines do: bends cave in, twists pinch",
  "dual-quaternion": "The weighted mean of rigid motions: keeps twists round, bends swell a little",
  centers: "Rotation about centres found from the weights: round twists without the swelling",
  "direct-delta-mush": "A smoothed linear skin, with each vertex where it is beside it at rest: smooth bends of any weights",
};

/** Names that the row of buttons has no room for. @type {Record<string, string>} */
const SHORT = { "dual-quaternion": "dual quat.", "direct-delta-mush": "delta mush" };

/** @type {Panel} */
export const skin = { id: "skin", title: "Skin", place: "right", open: true, mount };

/** @param {HTMLElement} body @param {Studio} studio */
function mount(body, studio) {
  const method = segmented({
    label: "Skin method",
    choices: studio.engine.hello.skins.map((name) => ({
      value: name,
      label: SHORT[name] ?? inWords(name),
      title: HINTS[name] ?? name,
    })),
    onChange: (name) =>
      studio.store.change(`skin: ${inWords(name)}`, (doc) =>
        withRecipe(doc, (recipe) => ({ ...recipe, skin: { method: /** @type {SkinMethod} */ (name) } })),
      ),
  });
  body.append(method.element);
  watch(
    studio,
    (doc) => doc.recipe.skin.method,
    (name) => method.set(name),
  );
}
