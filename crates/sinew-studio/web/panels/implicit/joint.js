// The joining of two limbs at a joint: the operator, the controller and the amount of the selected joint, or of all
// others.

import { jointField, ownField, withJointField, withoutJointField } from "../../state/implicit.js";
import { limits } from "../../state/limits.js";
import { schema } from "../../state/schema.js";
import { element, show, write } from "../../widgets/dom.js";
import { button, numberField, segmented } from "../../widgets/form.js";
import { CurveEditor } from "../../widgets/curve.js";
import { watch, withImplicit } from "../common.js";

/** @import { ControllerKind, JointFieldRecipe, OperatorKind, Point, Studio } from "../../types" */

/** @type {Record<OperatorKind, string>} */
const OPERATORS = {
  contact: "They touch, and a wall stays between them",
  bulge: "They touch, and swell around the wall between them",
  union: "They are one where they meet, with a crease",
  blend: "They are one where they meet, smoothly",
};
/** @type {Record<ControllerKind, string>} */
const CONTROLLERS = {
  always: "At all angles",
  sharp: "From 90° between the two limbs on, in full from 120°",
  wide: "From 45° on, in full from 135°",
  late: "From 90° on, in full only at 180°",
  curve: "By a curve of your own",
};

const ANGLES = limits(schema.JointFieldRecipe.curve.places);
const EFFECTS = limits(schema.JointFieldRecipe.curve);

/** @param {Studio} studio */
export function jointEditor(studio) {
  const { store } = studio;
  const { hello } = studio.engine;
  let alone = false;
  /** The joint whose own settings are edited, or null for those of all others. */
  const edited = () => (alone ? store.state.selected : null);
  const set = (/** @type {string} */ label, /** @type {JointFieldRecipe} */ patch) =>
    store.change(label, (doc) => withImplicit(doc, (implicit) => withJointField(implicit, edited(), patch)));

  const scope = segmented({
    label: "Limbs that meet at",
    title: "Choose for every joint, or for the selected one alone",
    choices: [
      { value: "all", label: "all other joints", title: "Every joint without settings of its own" },
      { value: "one", label: "selected joint", title: "The selected joint alone" },
    ],
    onChange: (value) => {
      alone = value === "one";
      render();
    },
  });
  const about = element("p", { class: "note" });
  const clear = button({
    label: "As all others",
    look: "quiet",
    title: "The joint has no settings of its own any more",
    onClick: () => {
      const name = store.state.selected;
      if (name !== null) store.change(`${name} as all others`, (doc) => withImplicit(doc, (implicit) => withoutJointField(implicit, name)));
    },
  });
  const operator = segmented({
    label: "Operator",
    title: "The operator that combines the fields of two limbs",
    choices: hello.operators.map((kind) => ({ value: kind, label: kind, title: OPERATORS[kind] })),
    onChange: (kind) => set(`operator: ${kind}`, { operator: /** @type {OperatorKind} */ (kind) }),
  });
  const controller = segmented({
    label: "Controller",
    title: "The angle between the limbs from which the operator acts",
    choices: hello.controllers.map((kind) => ({ value: kind, label: kind, title: CONTROLLERS[kind] })),
    onChange: (kind) => set(`controller: ${kind}`, { controller: /** @type {ControllerKind} */ (kind) }),
  });
  // Every change computes the fields again, which takes longer than a frame: a drag counts at its end.
  const curve = new CurveEditor({
    label: "Effect by angle",
    title: "How much of the operator there is, by the angle between the two limbs: 0° side by side, 180° face to face",
    x: { label: "Angle", unit: "°", limits: [ANGLES.min, ANGLES.max], view: [ANGLES.min, ANGLES.max], step: 1 },
    y: { label: "Effect", unit: "", limits: [EFFECTS.min, EFFECTS.max], view: [EFFECTS.min, EFFECTS.max], step: 0.02 },
    outside: "hold",
    height: 116,
    onInput: () => {},
    onChange: (/** @type {Point[]} */ points) => set("effect by angle", { curve: points }),
  });
  const amount = numberField({
    label: "Amount",
    title: "The strength of the operator: 0 leaves the joint to the skin",
    ...limits(schema.JointFieldRecipe.amount),
    step: 0.01,
    onChange: (value) => set("field amount", { amount: value }),
  });
  const render = () => {
    const { selected, recipe } = store.state;
    const isOwn = selected !== null && ownField(recipe.implicit.joints, selected) !== undefined;
    const field = jointField(recipe.implicit, edited(), hello.joint_field);
    scope.set(edited() === null ? "all" : "one");
    scope.enable(selected !== null);
    write(about, describe(alone, selected, isOwn));
    show(clear, isOwn);
    operator.set(field.operator);
    controller.set(field.controller);
    amount.set(field.amount);
    show(curve.element, field.controller === "curve");
    curve.set(field.curve);
  };
  watch(
    studio,
    (doc) => doc.selected,
    (selected) => {
      alone = selected !== null && ownField(store.state.recipe.implicit.joints, selected) !== undefined;
      render();
    },
  );
  watch(studio, (doc) => doc.recipe.implicit, render);
  return [scope.element, about, clear, operator.element, controller.element, curve.element, amount.element];
}

/** @type {(alone: boolean, selected: string | null, isOwn: boolean) => string} */
export function describe(alone, selected, isOwn) {
  if (selected === null) return "Select a joint to give it settings of its own.";
  if (alone) return isOwn ? `${selected} has settings of its own.` : `What you change now is for ${selected} alone.`;
  return isOwn ? `${selected} has settings of its own and does not follow these.` : "";
}
