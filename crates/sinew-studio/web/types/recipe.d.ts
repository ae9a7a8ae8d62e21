// Generated from the settings' declarations in Rust: SINEW_BLESS=1 cargo test -p sinew --lib recipe

export type Vector3 = [number, number, number];
/** A point of a curve: place (or seconds) and value. */
export type Point = [number, number];
/** One value, or values at moments of a clip. */
export type Keys = number | Point[];

/** How the transforms of several joints become one for a vertex. The centres are those of Le and Hodgins 2016. */
export type SkinMethod = "rigid" | "linear" | "dual-quaternion" | "centers" | "direct-delta-mush";

/** How two limbs at a joint become one [R18 §2.3]. */
export type OperatorKind = "contact" | "bulge" | "union" | "blend";

/** From which angle between two limbs' gradients on an operator has its effect [R18 fig. 3.5]. */
export type ControllerKind = "always" | "sharp" | "wide" | "late" | "curve";

/** How fine the tetrahedra are. */
export type Fineness = "off" | "coarse" | "interactive" | "fine";

/** The bones of a body. */
export type BonePreset = "reference" | "anatomical";

/** A part of the body that muscles are attached to. */
export type Segment = "pelvis" | "lumbar" | "chest" | "neck" | "head" | "scapula" | "upper_arm" | "forearm" | "hand" | "thigh" | "shank" | "foot";

/** How volume is restored [R07 §4.3, §4.4, §4.7, §4.8; R09 §2.2]. */
export type VolumeMethod = "off" | "linear" | "exact" | "normal" | "laplacian";

/** Where volume is restored: the source of γ [R07 §4.5]. */
export type GammaSource = "profile" | "weights" | "weights-max";

/** A ready-made shape of the correction [R09 §3.3, fig. 5]. */
export type ProfileKind = "isotropic" | "rubber" | "muscle" | "folds" | "blend" | "curves";

/** How a vertex follows the control mesh. */
export type EmbeddingMethod = "continuous" | "green" | "tetrahedra" | "barycentric";

/** Where rigidity is released. */
export type ReleaseKind = "nowhere" | "near-joints" | "by-energy";

/** How weights are found. */
export type BindMethodKind = "geodesic" | "distance";

/** The `[skin]` table. */
export interface SkinRecipe {
  /** How the skin follows the joints. */
  method: SkinMethod;
}

/** The `[implicit.joint]` table, and those of single joints. */
export interface JointFieldRecipe {
  /** How the two limbs at the joint become one. */
  operator?: OperatorKind;
  /** From which angle between the limbs on the operator has its effect. */
  controller?: ControllerKind;
  /** For "curve": pairs of an angle and the effect there. Angles from 0 to 180 degrees and values from 0 to 1. */
  curve?: Point[];
  /** The share of the effect; 0 leaves a joint as the skin has it. From 0 to 1. */
  amount?: number;
}

/** The `[implicit.limbs.NAME]` tables. */
export interface LimbRecipe {
  /**
   * Points that the limb's field goes through and the normals there, at rest in the file's units and axes: six
   * numbers each. None for those that are found.
   */
  samples: [number, number, number, number, number, number][];
}

/** The `[implicit]` table. */
export interface ImplicitRecipe {
  /**
   * Whether joints that bend keep their shape and their two sides apart, with the fields of their limbs. Before a
   * volume with contacts they do so in any case.
   */
  on: boolean;
  /**
   * Whether limbs that no joint parts keep apart, too, such as a hand and the chest or a thigh and the belly. A
   * frame takes four to five times as long.
   */
  apart: boolean;
  /** Samples of a limb's surface that its field goes through at first. From 10 to 200. */
  samples: number;
  /** Whether the fields, which take a second or two to find, are cached for the next time. */
  keep: boolean;
  /** Names of meshes that are left as they are. */
  leave_out: string[];
  /** The field at every joint that has no table of its own. */
  joint: JointFieldRecipe;
  /** The fields at single joints; a key that is left out is as above. */
  joints: Record<string, JointFieldRecipe>;
  /** Samples of single limbs, by the joint that carries them, in place of those that are found. */
  limbs: Record<string, LimbRecipe>;
}

/** The `[flesh.shake]` table: flesh that lags behind the bones and swings on. */
export interface FleshShakeRecipe {
  /**
   * How often flesh as thick as the widest limb swings after a stop, thinner flesh more often; 0 for not at all.
   * From 0 to 100 swings per second.
   */
  frequency: number;
  /** The share of critical damping: small swings long, 1 does not overshoot. Above 0 and at most 10. */
  damping: number;
}

/** The `[flesh.joints.NAME]` tables. */
export interface JointFleshRecipe {
  /**
   * The radius of the bone that begins at the joint, in radii of the limb; none for that of the preset. From 0.05
   * to 0.9.
   */
  radius?: number;
  /** By how much the bone lies beside the line between its joints, at rest in the file's units and axes. */
  offset: Vector3;
  /** How far the bone yields: 1 as the preset has it, more for cartilage. From 0.1 to 1000. */
  softness: number;
}

/** The `[flesh]` table. */
export interface FleshRecipe {
  /** Whether the skin lies where elastic flesh on bones comes to rest, and in how fine tetrahedra. */
  fineness: Fineness;
  /** Which bones the flesh hangs on. */
  bones: BonePreset;
  /** Names of meshes that are left as the skin has them. */
  leave_out: string[];
  /**
   * Names of closed meshes that are bones, in place of those of the preset: the flesh in each follows its joint as
   * one solid, and the mesh is left as the skin has it.
   */
  bone_meshes: string[];
  /** How stiff muscles are, in stiffnesses of the flesh around them, where `[muscles]` has a set. From 1 to 100. */
  muscle_stiffness: number;
  /** How it swings. */
  shake: FleshShakeRecipe;
  /** The bones of single joints. */
  joints: Record<string, JointFleshRecipe>;
}

/** Changes of a muscle; what is left out stays as the set has it. */
export interface MuscleChange {
  /** Whether it is taken away. */
  off?: boolean;
  /** Its origin: a place, or a curve. From -4 to 4 units of its segment. */
  from?: [Segment, number, number, number][];
  /** Places that it slides through. From -4 to 4 units of its segment. */
  through?: [Segment, number, number, number][];
  /** Its insertion: a place, or a curve. From -4 to 4 units of its segment. */
  to?: [Segment, number, number, number][];
  /** How many fibres are spread along the curves. From 1 to 16. */
  fibres?: number;
  /** The radius of each fibre's belly, as a share of the path's length. Above 0 and at most 1. */
  radius?: number;
  /** α and β of the profile at rest, then when active. From 2 to 9. */
  shape?: [number, number, number, number];
  /** Coefficients of the profile as a sum of sines, at rest and when active, in place of α and β. */
  series?: number[];
  /** The file in which the profile is drawn, in place of both; for the command line alone. */
  sketch?: string;
  /** The part of the skin that it shapes. */
  part?: Segment;
  /** Muscles of one group keep apart. */
  group?: string;
  /** Whether others lie between it and the skin. */
  deep?: boolean;
  /** How tense it is, in place of what follows from the motion. From 0 to 1. */
  activation?: Keys;
  /** How flat it is. From 0 to 0.99. */
  eccentricity?: Keys;
  /** A factor on the width that it has room for. From 0 to 10. */
  width?: Keys;
  /** How stiff it is: below 1 it shakes, the smaller the more; R18's k. Above 0 and at most 1. */
  stiffness?: Keys;
}

/** Fat on one segment: an ellipsoid that swings. */
export interface NamedFat {
  /** Its name. */
  name: string;
  /** Its centre. In the middle of the body there is one, elsewhere one on each side. */
  at: [Segment, number, number, number];
  /**
   * Half its lengths along the segment, to the front and outwards, in shares of the segment's units. Above 0 and
   * at most 2.
   */
  radii: Vector3;
  /** How tightly it hangs: R18's k. Above 0 and at most 1. */
  stiffness: number;
}

/** The `[muscles]` table. */
export interface MuscleRecipe {
  /** Which muscles are under the skin: "off", "humanoid", "quadruped", or the file of a set, seen from this one. */
  set: string;
  /** The share of the muscles' effect that the skin shows. From 0 to 1. */
  amount: number;
  /** How much the motion itself tenses muscles that have no keys. From 0 to 1. */
  auto: number;
  /**
   * How tense all muscles are that have no stiffness of their own: less shakes more. Left out, it is that of the
   * set. Above 0 and at most 1.
   */
  stiffness?: number;
  /** The share of its velocity that a muscle keeps in 1/300 s. Above 0 and at most 1. */
  damping: number;
  /** The share of its sliding over a bone that a muscle loses in 1/300 s. From 0 to 1. */
  friction: number;
  /** Whether the skin is kept from passing through itself where muscles swell. */
  contacts: boolean;
  /** Names of meshes that are left as they are. */
  leave_out: string[];
  /** Names of closed meshes that are bones: muscles slide over them in place of capsules. */
  bones: string[];
  /**
   * Changes of single muscles, on both sides or with "left " or "right " before the name: activation, width (a
   * factor), eccentricity and stiffness as one value or as pairs of seconds and value; off = true, or from,
   * through, to, fibres, radius, shape, series, part, group and deep as in the file of a set; or sketch =
   * "biceps.svg", an SVG or PNG file beside this one in which its profile is drawn.
   */
  muscle: Record<string, MuscleChange>;
  /** Fat beside that of the set: an ellipsoid that swings, with half its lengths along, to the front and out. */
  fat: NamedFat[];
}

/** The `[volume.profile]` table, and those of single joints. What is left out has the default of its kind. */
export interface ProfileRecipe {
  /** Its ready-made shape, or "curves". */
  kind?: ProfileKind;
  /**
   * Shares μ of the correction along the parent bone, along the axis of the bend, and towards its inside: they are
   * divided by their sum. From 0 to 1000000.
   */
  shares?: Vector3;
  /**
   * How far the correction reaches. Left out, it reaches less where the next joint is near. Above 0 and at most
   * 100 limb radii.
   */
  size?: number;
  /** The reach along each of these axes, in multiples of `size`. Above 0 and at most 100. */
  stretch?: Vector3;
  /** How far up the parent bone the middle lies. From -100 to 100 limb radii. */
  center?: number;
  /** For "folds" and "blend": the frequency of the folds. From 0 to 100 waves per limb radius. */
  frequency?: number;
  /** For "blend": the bend at which it has become all folds. Above 0 and at most 180 degrees. */
  largest_bend?: number;
  /** The share of the joint's change of volume that is restored. From 0 to 1. */
  amount?: number;
  /**
   * For "curves": pairs of place from the joint and γ, along the parent bone. For a curve that is left out the
   * size decides. Places from -100 to 100 limb radii and values from 0 to 1000.
   */
  along?: Point[];
  /**
   * For "curves": the same along the axis of the bend. Places from -100 to 100 limb radii and values from 0 to
   * 1000.
   */
  across?: Point[];
  /**
   * For "curves": the same towards the inside of the bend. Places from -100 to 100 limb radii and values from 0 to
   * 1000.
   */
  inward?: Point[];
}

/** The `[volume.refine]` table. */
export interface RefineRecipe {
  /**
   * Steps of subdivision around the joints that bend; 0 leaves the mesh as it is. Every step has four times the
   * faces. From 0 to 4.
   */
  steps: number;
  /** Faces are subdivided where the correction's weight passes this. From 0 to 1. */
  threshold: number;
}

/** The `[volume.shake]` table: a damped oscillation of the correction. */
export interface ShakeRecipe {
  /** How often the correction swings after a stop; 0 for not at all. From 0 to 100 swings per second. */
  frequency: number;
  /** The share of critical damping: small swings long, 1 does not overshoot. Above 0 and at most 10. */
  damping: number;
}

/** The `[volume]` table. */
export interface VolumeRecipe {
  /** How the volume that the skin loses or gains is restored. */
  method: VolumeMethod;
  /** Where it is restored. */
  gamma: GammaSource;
  /** The exponent p of `(1 - w^q)^p`, for skin weights w. Above 0 and at most 100. */
  weights_p: number;
  /** The exponent q of the same. Above 0 and at most 100. */
  weights_q: number;
  /**
   * A painted vertex attribute, such as "_GAMMA" or "COLOR_0": its first number, 0 to 1, multiplies the
   * correction, and where it is 0 the skin stays as it is. Empty for none.
   */
  paint: string;
  /** For "laplacian": how much smoothness weighs against small displacements. From 0 to 1000000. */
  smoothness: number;
  /**
   * Whether the implicit skin comes before the correction, so that the two sides of a bend touch and do not cross.
   * Not at joints whose profile is set.
   */
  contacts: boolean;
  /** Names of meshes that are left as they are. */
  leave_out: string[];
  /**
   * The volume to have, as a share of the rest volume: a number, or pairs of seconds and share, joined by a smooth
   * curve, such as [[0.0, 1.0], [1.5, 1.1], [3.0, 1.0]] for a breath. Times from -1000000 to 1000000 seconds and
   * values above 0 and at most 100 times the rest volume.
   */
  target: Keys;
  /** The joint around which a target other than 1 breathes; empty for the whole surface. */
  target_joint: string;
  /** The shape of the correction at every joint that has no table of its own. */
  profile: ProfileRecipe;
  /**
   * The shape at single joints. A joint that names its own kind takes nothing from `[volume.profile]`; otherwise
   * what it leaves out comes from there.
   */
  joints: Record<string, ProfileRecipe>;
  /** Where the mesh is made finer. */
  refine: RefineRecipe;
  /** How the correction swings. */
  shake: ShakeRecipe;
}

/** The `[bake]` table. */
export interface BakeRecipe {
  /** Frames per second. Above 0 and at most 1000. */
  fps: number;
}

/** A rotation in the world. */
export interface TurnRecipe {
  /** The axis, of any length above zero. */
  axis: Vector3;
  /** The angle. */
  degrees: number;
}

/** A joint that is to be somewhere in a frame: at a place of the world, or moved from where it is. */
export interface PinRecipe {
  /** The joint's name. */
  joint: string;
  /** The frame, counted from 0 in the clip's own frames. */
  frame: number;
  /** Where it is to be in the world, in the file's units and axes; this or an offset. */
  position?: Vector3;
  /** How far from where the source has it. */
  offset?: Vector3;
  /** How it is turned from the source; left out, its turn is free. */
  turn?: TurnRecipe;
}

/** The largest angles of a joint. */
export interface LimitRecipe {
  /** How far its bone may swing from its direction at rest. From 0 to 180 degrees. */
  swing: number;
  /** How far it may twist about its bone, either way. From 0 to 180 degrees. */
  twist: number;
}

/** The `[motion]` table. */
export interface MotionRecipe {
  /**
   * The first and the last frame that may change, counted from 0 in the clip's own frames. Left out, the whole
   * clip may.
   */
  range?: [number, number];
  /** Whether feet that stand stay where they stand. */
  keep_contacts: boolean;
  /** How strongly everything is drawn to the source: larger keeps an edit nearer to its pins. From 0 to 1000000. */
  stay: number;
  /** Whether the first frames may change; only where the range begins with the clip. */
  free_start: boolean;
  /** Whether the last frames may change; only where the range ends with the clip. */
  free_end: boolean;
  /**
   * Joints that are to be somewhere in a frame: at a position of the world, or by an offset from where they are,
   * and turned about an axis of the world if one wants, in the file's units and axes.
   */
  pins: PinRecipe[];
  /** How far joints may turn from their rest, by name: the swing of the bone and the twist about it, in degrees. */
  limits: Record<string, LimitRecipe>;
}

/** How far the bones of a joint may turn against the bone before them, from rest: the least and the most. */
export interface RangeRecipe {
  /** In the plane of the two bones, as a hinge bends; positive is further than at rest. From -180 to 180 degrees. */
  bend: Point;
  /** Out of that plane. From -180 to 180 degrees. */
  sideways: Point;
  /** About the bone itself. From -180 to 180 degrees. */
  twist: Point;
}

/** Where a marker is on the mesh at rest: at a position, at a vertex, or where a ray from a bone leaves the skin. */
export interface MarkerPlace {
  /** A place in the world at rest, in the file's units and axes; this, a vertex or a joint. */
  position?: Vector3;
  /** A vertex of the file, counted from 0. */
  vertex?: number;
  /** The joint of the bone that the ray starts at. */
  joint?: string;
  /** How far along the bone it starts: 0 at the joint, 1 at its end. From 0 to 1. */
  along?: number;
  /** The direction of the ray in the world at rest; left out, it goes to the nearest skin. */
  toward?: Vector3;
}

/** The `[cage]` table. */
export interface CageRecipe {
  /** How many vertices the cage has, about; finer follows more closely and takes longer. From 8 to 100000. */
  vertices: number;
  /**
   * The distance of the cage from the mesh. Parts that are less than two offsets and a half apart, such as
   * fingers, are joined. Above 0 and at most 0.5 of the mesh's diagonal.
   */
  offset: number;
  /** How much shorter its edges are near joints. From 1 to 10. */
  joint_detail: number;
  /** How the mesh follows the cage. */
  embedding: EmbeddingMethod;
  /** How strongly markers and joints draw the body to their places. Above 0 and at most 1000000. */
  pull: number;
  /**
   * How strongly bones hold their lengths and directions while the body follows; their lengths are exact in the
   * end. Above 0 and at most 1000000.
   */
  bones: number;
  /** Where the body gives way first. */
  release: ReleaseKind;
  /** For "by-energy": how sharply. Above 0 and at most 100. */
  release_exponent: number;
  /** How often volumes are restored in every frame. From 0 to 1000. */
  volume_sweeps: number;
  /** Iterations of the solver in every frame, at most. From 1 to 10000. */
  iterations: number;
  /**
   * How far joints may turn against the bone before them, from rest, in degrees: the least and the most. The bend
   * is in the plane of the two bones, sideways out of it, the twist about the bone.
   */
  limits: Record<string, RangeRecipe>;
  /**
   * Where markers are on the mesh at rest, by label: at a position or a vertex of the file, or where a ray from a
   * bone leaves the skin.
   */
  markers: Record<string, MarkerPlace>;
}

/** Everything a person can set. Every key may be left out; what is missing has its default. */
export interface Recipe {
  /** The skin itself, before the other deformers. */
  skin: SkinRecipe;
  /**
   * Where the skin follows the fields of its limbs. The guide, with pictures, is docs/implicit.md in Sinew's
   * source.
   */
  implicit: ImplicitRecipe;
  /** Elastic flesh under the skin. The guide, with pictures, is docs/flesh.md in Sinew's source. */
  flesh: FleshRecipe;
  /** Muscles under the skin. The guide, with pictures, is docs/muscles.md in Sinew's source. */
  muscles: MuscleRecipe;
  /**
   * How the skin keeps its volume. The guide, with pictures and ready-made recipes, is docs/volume.md in Sinew's
   * source.
   */
  volume: VolumeRecipe;
  /** How a clip is sampled. */
  bake: BakeRecipe;
  /** How "sinew motion edit" changes a clip. The guide is docs/motion-editing.md in Sinew's source. */
  motion: MotionRecipe;
  /** How "sinew cage" lets markers or joints move a mesh. The guide is docs/cage.md in Sinew's source. */
  cage: CageRecipe;
}

/** The settings of a binding. */
export interface BindSettings {
  /** How weights are found. */
  method: BindMethodKind;
  /** The most joints that move a vertex. From 1 to 16. */
  influences: number;
  /** How local the weights of "distance" are: the exponent A. Above 0 and at most 100. */
  alpha: number;
}

/** A point at rest and a direction outwards. */
export type Sample = LimbRecipe["samples"][number];
/** A segment of the body, and shares along it, to its front and outwards. */
export type MusclePlace = NonNullable<MuscleChange["from"]>[number];
