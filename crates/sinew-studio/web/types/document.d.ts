// The document: what the page owns, with undo and redo.

import type { Turns } from "./protocol";
import type { Recipe, Vector3 } from "./recipe";

/** A rotation: x, y, z and w. */
export type Quaternion = [number, number, number, number];

export type Coloring = "material" | "clay" | "weight" | "displacement" | "volume";
/** Whether muscles are seen: not, under a skin that is seen through, or without it. */
export type MuscleLook = "hidden" | "under" | "bare";
export type CompareMode = "off" | "side" | "wipe";

export interface ViewSettings {
  wireframe: boolean;
  skeleton: boolean;
  frames: boolean;
  ground: boolean;
  /** The surface of the limbs' fields. */
  field: boolean;
  /** Contour lines of the fields on a plane through the selected joint. */
  contours: boolean;
  /** The samples of the selected joint's limb. */
  samples: boolean;
  muscles: MuscleLook;
  /** Whether a change of a muscle is one of its partner on the other side too. */
  mirror: boolean;
  color: Coloring;
}

/** What a person does with a cage, besides what is in the recipe. */
export interface CageSettings {
  /** Whether there is to be one. */
  on: boolean;
  /** Whether the mesh follows it. */
  follow: boolean;
  by: "pose" | "handles";
  /** Whether joints stay within their limits. */
  limits: boolean;
  /** Where joints are held, and where markers were dragged to, in the world. */
  joints: Record<string, Vector3>;
  markers: Record<string, Vector3>;
  /** The marker in hand. */
  marker: string | null;
  show: {
    surface: boolean;
    tetrahedra: boolean;
    cones: boolean;
    /** Tetrahedra beyond this share of the body along an axis of the file are left out. */
    cut: { axis: "x" | "y" | "z"; share: number };
  };
}

export interface CompareSettings {
  mode: CompareMode;
  /** The name of a skin, "skin" for this recipe's skin alone, or "pinned". */
  with: string;
  pinned: Recipe | null;
  /** Where the divider stands, 0 (left) to 1 (right). */
  wipe: number;
}

/** Immutable: an edit makes a new one that shares what it leaves alone. */
export interface Doc {
  character: { key: string; name: string } | null;
  /** An index into the character's clips; null is the rest pose. */
  clip: number | null;
  /** In seconds. */
  time: number;
  /** By joint name: R_local = R_clip · turn. */
  turns: Turns;
  recipe: Recipe;
  /** A joint's name. */
  selected: string | null;
  /** A muscle's name. */
  muscle: string | null;
  cage: CageSettings;
  view: ViewSettings;
  compare: CompareSettings;
  playing: { loop: boolean; speed: number };
  /** In the scene's axes (y up), in the file's units; null frames the character. */
  camera: { position: Vector3; target: Vector3 } | null;
}
