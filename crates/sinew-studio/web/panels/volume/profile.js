// The distribution of the volume around a joint: the profile of all joints or of one, with its kind, numbers, shares
// and curves.

import { latestOnly } from "../../timing.js";
import { limits } from "../../state/limits.js";
import { schema } from "../../state/schema.js";
import { element, show, write } from "../../widgets/dom.js";
import { button, group, numberField, segmented } from "../../widgets/form.js";
import { ShareTriangle } from "../../widgets/triangle.js";
import { gesture, watch, withProfile, withVolume } from "../common.js";
import { profileCurves } from "./curves.js";
import { profileIcon } from "./icons.js";

/** @import { ProfileKind, ProfileMessage, ProfileRecipe, Recipe, Studio, Vector3 } from "../../types" */
/** @import { Limits } from "../../state/limits.js" */

/** @type {Record<ProfileKind, string>} */
const KINDS = {
  isotropic: "Flesh: the same in all directions",
  rubber: "All of it sideways, along the axis of the bend, as when a hose is bent",
  muscle: "On the inside of the bend, up the parent bone: a biceps",
  folds: "Waves along the parent bone, as on a sleeve",
  blend: "One bulge on the inside that becomes folds at large bends",
  curves: "Anything: the product of three free curves",
};

/** @typedef {"size" | "center" | "frequency" | "largest_bend" | "amount"} NumberKey */
/** @typedef {{label: string, unit: string, slider?: [number, number], step: number} & Limits} Scale */
/** @type {(Scale & {key: NumberKey, kinds: ProfileKind[] | null, title: string})[]} `kinds` are those that use it */
const NUMBERS = [
  {
    key: "amount",
    label: "Amount",
    unit: "",
    ...limits(schema.ProfileRecipe.amount),
    step: 0.01,
    kinds: null,
    title: "How much of the joint's change of volume is undone: below 1 it keeps some of its dent",
  },
  {
    key: "size",
    label: "Size",
    unit: "radii",
    ...limits(schema.ProfileRecipe.size, 0.01),
    slider: [0.2, 4],
    step: 0.05,
    kinds: null,
    title: "How far the correction reaches, in limb radii. Smaller is bonier, larger is softer",
  },
  {
    key: "center",
    label: "Centre",
    unit: "radii",
    ...limits(schema.ProfileRecipe.center),
    slider: [-4, 4],
    step: 0.05,
    kinds: ["isotropic", "rubber", "muscle", "folds", "blend"],
    title: "How far up the parent bone the middle lies, in limb radii",
  },
  {
    key: "frequency",
    label: "Folds",
    unit: "/ radius",
    ...limits(schema.ProfileRecipe.frequency),
    slider: [0, 3],
    step: 0.05,
    kinds: ["folds", "blend"],
    title:
      "Waves per limb radius: 0.7 makes few and wide folds, 2 many and narrow. They need a fine mesh: see Refinement",
  },
  {
    key: "largest_bend",
    label: "Largest bend",
    unit: "°",
    ...limits(schema.ProfileRecipe.largest_bend, 1),
    slider: [5, 180],
    step: 1,
    kinds: ["blend"],
    title: "The bend at which the bulge has become all folds",
  },
];

/** @param {Studio} studio */
export function profileEditor(studio) {
  const { store } = studio;
  let alone = false;
  /** The joint whose own profile is edited, or null for that of all joints. */
  const edited = () => (alone ? store.state.selected : null);
  const set = (/** @type {ProfileRecipe} */ patch) => (/** @type {import("../../types").Doc} */ doc) =>
    withProfile(doc, edited(), patch);

  const scope = segmented({
    label: "Applies to",
    title: "Change the shape at every joint, or give the selected joint one of its own",
    choices: [
      { value: "all", label: "all joints", title: "Every joint that has no profile of its own" },
      { value: "one", label: "this joint only", title: "The selected joint alone" },
    ],
    onChange: (value) => {
      alone = value === "one";
      render();
    },
  });
  const about = element("p", { class: "note" });
  const owners = element("div", { class: "chips" });
  const clear = button({
    label: "Clear its own profile",
    look: "quiet",
    title: "The joint has the profile of all joints again",
    onClick: () => clearOwn(studio),
  });
  const kinds = segmented({
    label: "Kind",
    choices: studio.engine.hello.profiles.map((kind) => ({
      value: kind,
      label: kind,
      title: KINDS[kind],
      icon: profileIcon(kind),
    })),
    onChange: (kind) => store.change(`profile: ${kind}`, set({ kind: /** @type {ProfileKind} */ (kind) })),
  });
  const numbers = NUMBERS.map(({ key, label, kinds: used, ...rest }) => {
    const field = numberField({
      label,
      ...rest,
      ...gesture(studio, label.toLowerCase(), (doc, /** @type {number} */ value) =>
        withProfile(doc, edited(), { [key]: value }),
      ),
      onReset: () => store.change(`reset ${label.toLowerCase()}`, set({ [key]: undefined })),
    });
    return { key, used, ...field };
  });
  const shares = gesture(studio, "shares", (doc, /** @type {Vector3} */ value) =>
    withProfile(doc, edited(), { shares: value }),
  );
  const triangle = new ShareTriangle({
    label: "Shares",
    title: "How much of the correction goes along the bone, across the bend, and inward",
    corners: ["along bone", "across bend", "inward"],
    hints: ["Along the parent bone", "Sideways, along the axis of the bend", "To the inside of the bend"],
    ...shares,
  });
  const resetShares = button({
    label: "Shares of the kind",
    look: "quiet",
    title: "Back to the shares that this kind has by itself",
    onClick: () => store.change("reset shares", set({ shares: undefined })),
  });
  const curves = profileCurves(studio, edited);

  const own = () => {
    const { volume } = store.state.recipe;
    const joint = edited();
    return joint === null ? volume.profile : (volume.joints[joint] ?? {});
  };
  /** σ along the first axis in multiples of the size. A profile that names its kind inherits nothing from the common one. */
  const stretch = () =>
    (own().stretch ?? (own().kind ? undefined : store.state.recipe.volume.profile.stretch))?.[0] ?? 1;
  const display = (/** @type {ProfileMessage} */ profile) => {
    const explicit = own();
    kinds.set(profile.kind);
    for (const { key, used, element: host, set: fill, mark } of numbers) {
      show(host, used === null || used.includes(profile.kind));
      fill(key === "size" ? profile.sizes[0] / stretch() : profile[key]);
      mark(explicit[key] !== undefined);
    }
    triangle.set(profile.shares);
    show(resetShares, explicit.shares !== undefined);
    curves.set(profile);
  };
  const ask = latestOnly(async (/** @type {{recipe: Recipe, joint: string}} */ { recipe, joint }) => {
    try {
      const profile = await studio.engine.request("profile", { recipe, joint });
      if (store.state.recipe === recipe && (edited() ?? "") === joint) display(profile);
    } catch {
      // The next change asks again.
    }
  });
  const render = () => {
    const { selected, recipe } = store.state;
    const owning = Object.keys(recipe.volume.joints);
    scope.set(alone ? "one" : "all");
    write(about, describe(alone, selected, owning));
    show(clear, alone && selected !== null && owning.includes(selected));
    owners.replaceChildren(
      ...owning.map((name) =>
        element(
          "button",
          {
            type: "button",
            class: name === selected ? "chip current" : "chip",
            title: `${name} has a profile of its own`,
            onclick: () => store.change("select a joint", (doc) => ({ ...doc, selected: name })),
          },
          name,
        ),
      ),
    );
    scope.enable(selected !== null);
    curves.outdate();
    void ask({ recipe, joint: edited() ?? "" });
  };
  watch(
    studio,
    (doc) => doc.selected,
    (selected) => {
      alone = selected !== null && store.state.recipe.volume.joints[selected] !== undefined;
      render();
    },
  );
  watch(studio, (doc) => doc.recipe, render);
  return [
    scope.element,
    owners,
    about,
    clear,
    kinds.element,
    ...numbers.map((number) => number.element),
    group(
      "Shares",
      { open: true, hint: "How much of the correction goes in each direction" },
      triangle.element,
      resetShares,
    ),
    group("Curves", { open: true, hint: "Where the volume goes, along each axis of the joint" }, ...curves.elements),
  ];
}

/** @type {(alone: boolean, selected: string | null, owning: string[]) => string} */
function describe(alone, selected, owning) {
  if (alone && selected !== null)
    return owning.includes(selected)
      ? `${selected} has its own profile.`
      : `What you change now is for ${selected} alone.`;
  if (selected !== null && owning.includes(selected))
    return `${selected} has its own profile and does not follow this one.`;
  return selected === null ? "Select a joint to give it a profile of its own." : "";
}

/** @param {Studio} studio */
function clearOwn({ store }) {
  const name = store.state.selected;
  if (name === null) return;
  store.change(`clear the profile of ${name}`, (doc) => {
    const { [name]: _, ...joints } = doc.recipe.volume.joints;
    return withVolume(doc, { joints });
  });
}
