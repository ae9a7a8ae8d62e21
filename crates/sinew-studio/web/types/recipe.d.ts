// Recipes: every setting of a deformation. What a recipe leaves out has its default.

export type Vector3 = [number, number, number];
export type Quaternion = [number, number, number, number];
/** A point of a curve: position (or seconds) and value. */
export type Point = [number, number];

export type ProfileKind = "isotropic" | "rubber" | "muscle" | "folds" | "blend" | "curves";
export type VolumeMethod = "off" | "linear" | "exact" | "normal" | "laplacian";
export type SkinMethod = "rigid" | "linear" | "dual-quaternion" | "centers";
export type GammaSource = "profile" | "weights" | "weights-max";

/** What is left out has the default of its kind. Lengths are in limb radii. */
export interface ProfileRecipe {
  kind?: ProfileKind;
  shares?: Vector3;
  size?: number;
  stretch?: Vector3;
  center?: number;
  frequency?: number;
  /** In degrees. */
  largest_bend?: number;
  amount?: number;
  along?: Point[];
  across?: Point[];
  inward?: Point[];
}

export interface VolumeRecipe {
  method: VolumeMethod;
  gamma: GammaSource;
  weights_p: number;
  weights_q: number;
  paint: string;
  smoothness: number;
  contacts: boolean;
  leave_out: string[];
  /** A share of the rest volume, or pairs of seconds and share. */
  target: number | Point[];
  target_joint: string;
  profile: ProfileRecipe;
  joints: Record<string, ProfileRecipe>;
  refine: { steps: number; threshold: number };
  shake: { frequency: number; damping: number };
}

export type OperatorKind = "contact" | "bulge" | "union" | "blend";
export type ControllerKind = "sharp" | "wide" | "late" | "curve";

/** How two limbs meet at a joint. What is left out is as at all other joints. */
export interface JointFieldRecipe {
  operator?: OperatorKind;
  controller?: ControllerKind;
  /** Degrees between the limbs, and the effect there from 0 to 1. */
  curve?: Point[];
  amount?: number;
}

export interface ImplicitRecipe {
  on: boolean;
  continues: boolean;
  samples: number;
  keep: boolean;
  leave_out: string[];
  joint: JointFieldRecipe;
  joints: Record<string, JointFieldRecipe>;
  /** Samples that somebody chose, by the joint that carries the limb: a point at rest and the normal there. */
  limbs: Record<string, { samples: Sample[] }>;
}

/** x, y, z and a direction outwards. */
export type Sample = [number, number, number, number, number, number];

/** A joint that is to be somewhere in a frame of the clip: at a place of the world, or moved from where it is. */
export interface PinRecipe {
  joint: string;
  frame: number;
  position?: Vector3;
  offset?: Vector3;
  turn?: { axis: Vector3; degrees: number };
}

export interface MotionRecipe {
  /** The first and the last frame that may change; the whole clip where it is left out. */
  range?: [number, number];
  keep_contacts: boolean;
  stay: number;
  free_start: boolean;
  free_end: boolean;
  pins: PinRecipe[];
  limits: Record<string, { swing: number; twist: number }>;
}

/** One value, or values at moments of a clip. */
export type Keys = number | Point[];

/** A segment of the body, and shares along it, to its front and outwards. */
export type MusclePlace = [string, number, number, number];

/** What is different about a muscle. What is left out is as the set has it. */
export interface MuscleChange {
  off?: boolean;
  from?: MusclePlace[];
  to?: MusclePlace[];
  radius?: number;
  /** α and β of the profile at rest, then when active. */
  shape?: Quaternion;
  /** Coefficients of the profile as a sum of sines, in place of α and β. */
  series?: number[];
  /** A file in which the profile is drawn, for the command line alone. */
  sketch?: string;
  activation?: Keys;
  eccentricity?: Keys;
  width?: Keys;
  stiffness?: Keys;
}

export interface MuscleRecipe {
  /** "off", "humanoid", "quadruped", or a file's name. */
  set: string;
  amount: number;
  auto: number;
  /** As the set has it where it is left out. */
  stiffness?: number;
  damping: number;
  friction: number;
  contacts: boolean;
  leave_out: string[];
  muscle: Record<string, MuscleChange>;
  fat: object[];
}

/** How far the bones of a joint may turn against the one before them, from rest, in degrees. */
export interface RangeRecipe {
  twist: [number, number];
  bend: [number, number];
  sideways: [number, number];
}

/** Where a marker is on the mesh at rest. */
export interface MarkerPlace {
  position?: Vector3;
  vertex?: number;
  joint?: string;
  along?: number;
  toward?: Vector3;
}

/** How markers or joints move the mesh by way of a cage; what the page does not set is passed on. */
export interface CageRecipe {
  vertices: number;
  offset: number;
  joint_detail: number;
  limits: Record<string, RangeRecipe>;
  markers: Record<string, MarkerPlace>;
}

export interface Recipe {
  skin: { method: SkinMethod };
  implicit: ImplicitRecipe;
  muscles: MuscleRecipe;
  volume: VolumeRecipe;
  motion: MotionRecipe;
  cage: CageRecipe;
  bake: { fps: number };
}
