// Generated from the Rust types in src/protocol; do not edit. To write it again:
// SINEW_BLESS=1 cargo test -p sinew-studio --lib typescript

import type {
  BindMethodKind,
  ControllerKind,
  GammaSource,
  Keys,
  MusclePlace,
  OperatorKind,
  ProfileKind,
  Recipe,
  SkinMethod,
  VolumeMethod,
} from "./recipe";

/** What works in this engine. */
export type Abilities = {
  /** Clips can be baked into files. */
  bake: boolean;
  /** Characters can be bound. */
  bind: boolean;
  /** FBX files can be read. */
  fbx: boolean;
};

/** The meaning of a material's alpha. */
export type AlphaMode = "opaque" | "mask" | "blend";

/** A message of the engine. [`Hello`], [`Topology`] and [`Musculature`] come unasked; all others answer a request. */
export type Answer =
  | { "type": "hello" } & Hello
  | { "type": "opened" } & Opened
  | { "type": "topology" } & Topology
  | { "type": "musculature" } & Musculature
  | { "type": "frame" } & Frame
  | { "type": "weights" } & Weights
  | { "type": "profile" } & ResolvedProfile
  | { "type": "fields" } & Fields
  | { "type": "motion" } & Motion
  | { "type": "motion_file" } & MotionFile
  | { "type": "plotted" } & Plotted
  | { "type": "bound" } & Bound
  | { "type": "caged" } & Caged
  | { "type": "baked" } & Baked
  | { "type": "sketch" } & FittedSketch
  | { "type": "recipe_text" } & Text
  | { "type": "recipe" } & CheckedRecipe
  | { "type": "pose_text" } & Text
  | { "type": "turns" } & PoseTurns
  | { "type": "progress" } & Progress
  | { "type": "failed" } & Failed;

/** An array in the payload of a message. */
export type ArrayRange = {
  /** Its first byte. */
  at: number;
  /** Number of elements. */
  count: number;
};

/** An axis of the file. */
export type Axis = "x" | "y" | "z";

/** The format of a baked clip. */
export type BakeFormat = "glb" | "usda" | "pc2";

/** A clip as a file. */
export type BakeRequest = {
  /** The extension of the file. */
  format: BakeFormat;
  /** Frames per second. */
  fps: number;
  /** The character. */
  key: string;
  /** The deformation. */
  recipe: UncheckedRecipe;
  /** The clip. */
  clip: number;
  /** Rotations on top of the clip. */
  turns: Turns;
};

/** A clip as a file. */
export type Baked = {
  /** The name of the file. */
  name: string;
  /** Its size. */
  bytes: number;
  /** Its address, which can be fetched once. */
  url: string;
};

/** The result of a binding. */
export type BindReport = {
  /** Vertices of the meshes. */
  vertices: number;
  /** Vertices whose weights sum to one. */
  weighted: number;
  /** Connected components without a bone in reach. */
  islands: number;
  /** Repairs and guesses, a sentence each. */
  repairs: Array<string>;
  /** The joints. */
  joints: Array<BoundJoint>;
  /** The largest share that pruning took from a vertex. */
  pruning_error: number;
  /** Times by phase. */
  milliseconds: BindTimes;
};

/** New weights for a character. */
export type BindRequest = {
  /** The character. */
  key: string;
  /** The source of the skeleton. */
  skeleton: SkeletonSource;
  /** The source of the weights. */
  method: BindMethodKind;
  /** The largest number of joints per vertex; `null` for the engine's default. */
  influences: number | null;
  /** The files of another skeleton. */
  files?: Array<FileSlice>;
};

/** Milliseconds by phase. Phases that a method does not have are zero. */
export type BindTimes = {
  /** The voxel grid. */
  voxels: number;
  /** Distances through it. */
  distances: number;
  /** The factorisation of the heat equation. */
  factorisation: number;
  /** Its solution for every bone. */
  solves: number;
  /** Pruning to the number of influences. */
  pruning: number;
  /** Everything. */
  total: number;
};

/** A character with new weights. */
export type Bound = {
  /** Requests name the character by it. */
  key: string;
  /** The result. */
  report: BindReport;
};

/** The weights of a joint. */
export type BoundJoint = {
  /** Its name. */
  name: string;
  /** Vertices that it moves. */
  vertices: number;
  /** Its mean weight over all vertices. */
  mean_weight: number;
};

/** A box. */
export type Bounds = {
  /** Its lowest corner. */
  min: [number, number, number];
  /** Its highest corner. */
  max: [number, number, number];
};

/** A bone with a parent, with the frame at rest in which its rotation is limited: x along it, z across the bend. */
export type CageBone = {
  /** The index of its joint. */
  joint: number;
  /** The index of its parent's joint. */
  parent: number;
  /** The frame as `x y z w`. */
  frame: [number, number, number, number];
  /** Its length. */
  length: number;
};

/** The handles that move a mesh by its cage. Positions are in world space. */
export type CageDrive = {
  /** The pose or handles. */
  by: DrivenBy;
  /** Targets of the joints that are held, by name. */
  joints: {
    [key in string]: [number, number, number]
  };
  /** Targets of the markers that were dragged, by label; the others stay at rest. */
  markers: {
    [key in string]: [number, number, number]
  };
  /** Whether joints stay within their limits. */
  limits: boolean;
};

/** The cage in a frame. */
export type CageFrame = {
  /** Vertices of the control mesh, three f32 each. */
  places: ArrayRange;
  /** The result of the solver; `null` if no handle is held. */
  outcome: CageOutcome | null;
};

/** A marker. */
export type CageMarker = {
  /** Its label. */
  label: string;
  /** Its vertex of the control mesh. */
  vertex: number;
};

/** How a mesh followed its cage in a frame. */
export type CageOutcome = {
  /** Whether the solver converged: the same request again would not move anything. */
  settled: boolean;
  /** The relative change of the volume of all tetrahedra. */
  volume_error: number;
  /** The root mean square of the weighted stretch of the edges, relative to their lengths. */
  rigidity: number;
  /** The largest relative error of a length along the bones. */
  bone_error: number;
  /** The distance of the farthest handle from its target, in the file's units. */
  handle_error: number;
  /** Inverted tetrahedra. */
  inverted: number;
  /** Iterations of the solver. */
  iterations: number;
};

/** The size and the quality of a cage. */
export type CageReport = {
  /** Vertices of the mesh. */
  vertices: number;
  /** Vertices of the cage. */
  cage_vertices: number;
  /** Triangles of the cage. */
  cage_triangles: number;
  /** Vertices of the tetrahedra, with those of the cage. */
  control_vertices: number;
  /** Number of tetrahedra. */
  tetrahedra: number;
  /** The least quality of a tetrahedron; 1 for a regular one. */
  least_quality: number;
  /** The mean quality. */
  mean_quality: number;
  /** Tetrahedra with a quality below 0.1. */
  slivers: number;
  /** Joints, tips of bones and markers outside the cage, which are only linked to it. */
  linked: number;
  /** The volume of the cage, in volumes of the mesh; `null` for open meshes. */
  volume_share: number | null;
  /** Joints inside. */
  joints: number;
  /** The labels of the markers. */
  markers: Array<string>;
  /** The times of the cage and of the tetrahedra. */
  milliseconds: [number, number];
  /** Problems. */
  warnings: Array<string>;
};

/** A cage that is built. */
export type Caged = {
  /** Its size and quality. */
  report: CageReport;
  /** Vertices of the control mesh at rest, three f32 each. */
  places: ArrayRange;
  /** Triangles of the cage, u32. */
  surface: ArrayRange;
  /** Tetrahedra, u32. */
  tetrahedra: ArrayRange;
  /** The mesh at rest, three f32 per vertex. */
  rest: ArrayRange;
  /** The markers. */
  markers: Array<CageMarker>;
  /** The bones with a parent, whose rotations can be limited. */
  bones: Array<CageBone>;
};

/** A recipe that was read. */
export type CheckedRecipe = {
  /** The recipe with all defaults. */
  recipe: Recipe;
};

/** A clip. Times are in seconds. */
export type ClipInfo = {
  /** Its name. */
  name: string;
  /** Its first time. */
  start: number;
  /** Its last time. */
  end: number;
  /** Its own frames per second. */
  rate: number;
  /** Its last frame, counted from 0. */
  last: number;
};

/** A character through a clip. */
export type ClipRequest = {
  /** The character. */
  key: string;
  /** The deformation. */
  recipe: UncheckedRecipe;
  /** The clip. */
  clip: number;
  /** Rotations on top of the clip. */
  turns: Turns;
};

/** The quantity measured at every vertex of a frame. */
export type Color = "none" | "displacement" | "volume";

/** A foot on the ground. */
export type ContactReport = {
  /** The name of the joint. */
  joint: string;
  /** Whether the tip of its bone is on the ground. */
  tip: boolean;
  /** The first frame. */
  first: number;
  /** The last frame. */
  last: number;
  /** The distance that it slides. */
  slide: number;
};

/** A contour line. */
export type ContourLine = {
  /** The density on it. */
  level: number;
  /** Six f32 per segment. */
  segments: ArrayRange;
};

/** Intersecting pairs of triangles. */
export type Crossings = {
  /** Of the skin alone. */
  base: number;
  /** Of the finished surface. */
  final: number;
};

/** The drawing that the profile of a muscle is fitted to. */
export type Drawn = {
  "outline": Array<[number, number]>
} | { "file": FileSlice };

/** The source of a cage's handles. */
export type DrivenBy = "pose" | "handles";

/** Where the engine runs. */
export type EngineKind = "native" | "browser";

/** A request that cannot be answered. */
export type Failed = {
  /** The reason, for people. */
  message: string;
  /** Whether the page cancelled the job. */
  cancelled: boolean;
};

/** Contour lines of the density on a plane through a joint. */
export type FieldCut = {
  /** The name of the joint. */
  joint: string;
  /** The corners of the plane. */
  corners: [[number, number, number], [number, number, number], [number, number, number], [number, number, number]];
  /** The lines. */
  lines: Array<ContourLine>;
};

/** The samples of a limb. */
export type FieldSamples = {
  /** The name of the joint that carries the limb. */
  joint: string;
  /** Six f32 per sample, at rest: position and normal. */
  rows: ArrayRange;
  /** The matrix from rest to the pose, column-major. */
  motion: Array<number>;
};

/** The surface on which the density is ½. */
export type FieldSurface = {
  /** Three f32 per vertex. */
  positions: ArrayRange;
  /** Three f32 per vertex. */
  normals: ArrayRange;
  /** Triangles, u32. */
  indices: ArrayRange;
};

/** The fields of the limbs at a moment. */
export type Fields = {
  /** The limbs. */
  limbs: Array<LimbInfo>;
  /** Intersecting pairs of triangles. */
  crossings: Crossings;
  /** The surface of the fields, if the request has `surface`. */
  surface: FieldSurface | null;
  /** Contour lines, if the request names a joint for them. */
  cut: FieldCut | null;
  /** The samples of a limb; `null` if the joint carries none. */
  samples: FieldSamples | null;
};

/** The fields of an implicit skin, at a moment as in [`FrameRequest`]. */
export type FieldsRequest = {
  /** The character. */
  key: string;
  /** Its clip; `null` for the bind pose. */
  clip: number | null;
  /** Seconds in the clip. */
  time: number;
  /** Rotations on top of the clip. */
  turns: Turns;
  /** The deformation; its implicit skin is on. */
  recipe: UncheckedRecipe;
  /** Whether the answer has the surface of the fields. */
  surface: boolean;
  /** The joint through which a plane with contour lines goes. */
  cut: string | null;
  /** The joint whose limb's samples are in the answer. */
  samples: string | null;
};

/** The bytes of a file in the payload. */
export type FileSlice = {
  /** Its name. */
  name: string;
  /** Its first byte. */
  at: number;
  /** Number of bytes. */
  count: number;
};

/** A muscle's profile fitted to a drawing: α and β, or a series. */
export type FittedSketch = {
  /** The corners of the drawing, with y downwards. */
  outline: Array<[number, number]>;
  /** The corners of the profile over it. */
  profile: Array<[number, number]>;
  /** α and β at rest, then when active. */
  shape: [number, number, number, number] | null;
  /** The coefficients of a sum of sines. */
  series: Array<number> | null;
  /** The radius of the belly, as a share of the length. */
  radius: number;
  /** The error of the radii, relative to them. */
  error: number;
  /** The family and the error in words. */
  about: string;
};

/** The flesh in a frame. */
export type FleshFrame = {
  /** Whether it is coarse and goes on from the frame before, as the document changes. */
  live: boolean;
  /** Iterations of the solver. */
  iterations: number;
  /** The largest distance that a node still moved in the last of them, in edges of its tetrahedra. */
  residual: number;
  /** The largest distance between a bone and the flesh that it holds, in limb radii. */
  yield: number;
  /** Contacts between points of the skin and other parts. */
  contacts: number;
  /** The smallest share of its volume that a tetrahedron has; zero or less where one is turned over. */
  smallest_volume: number;
  /** The volume of the flesh, as a share of that at rest. */
  volume: number;
  /** The joint whose flesh has the volume farthest from that at rest. */
  worst_region: FleshRegion | null;
  /** Limbs without a bone in their flesh. */
  warnings: Array<string>;
};

/** The flesh of a joint: the tetrahedra that it carries most of. */
export type FleshRegion = {
  /** The index of the joint. */
  joint: number;
  /** The volume of its flesh, as a share of that at rest. */
  volume: number;
};

/** The formats of files, by extension. */
export type Formats = {
  /** Those that can be opened. */
  open: Array<string>;
  /** Those that a clip can be baked into. */
  bake: Array<BakeFormat>;
};

/** A frame. */
export type Frame = {
  /** The character. */
  key: string;
  /** Seconds in the clip. */
  seconds: number;
  /** The time that the deformation took. */
  milliseconds: number;
  /** World matrices, sixteen f32 for each joint of the character. */
  joints: ArrayRange;
  /** The same without the edit of the motion, where there is one. */
  source: ArrayRange | null;
  /** Volumes; `null` if no mesh is closed. */
  volume: Volumes | null;
  /** The volume that each joint loses without the volume stage. */
  changes: Array<JointChange>;
  /** What the implicit skin did; `null` without it. */
  implicit: ImplicitFrame | null;
  /** What the flesh did; `null` in a frame without flesh. */
  flesh: FleshFrame | null;
  /** The muscles; `null` if the recipe has none. */
  muscles: MusclesFrame | null;
  /** The cage; `null` if the mesh does not follow one. */
  cage: CageFrame | null;
  /** Problems of the recipe on this character. */
  warnings: Array<string>;
  /** The surface of the recipe, then that of the comparison. */
  surfaces: Array<SurfaceFrame>;
  /** The range of the values that the colors span. */
  range: [number, number] | null;
};

/** A frame: the clip at a time, or the bind pose, then the turns. */
export type FrameRequest = {
  /** The character. */
  key: string;
  /** Its clip; `null` for the bind pose. */
  clip: number | null;
  /** Seconds in the clip. */
  time: number;
  /** Rotations on top of the clip. */
  turns: Turns;
  /** The deformation. */
  recipe: UncheckedRecipe;
  /** The quantity measured at every vertex. */
  color: Color;
  /** The recipe of the second surface, for a comparison. */
  compare: UncheckedRecipe | null;
  /** Whether the frame has the meshes of the muscles. */
  muscles: boolean;
  /** Whether the clip is played: this frame then follows the one before, however slow the engine is. */
  playing: boolean;
  /** The handles that move the mesh by its cage; `null` where the mesh follows its skeleton. */
  cage: CageDrive | null;
};

/** The engine and its abilities. */
export type Hello = {
  /** The engine's version. */
  version: string;
  /** The program or the page. */
  engine: EngineKind;
  /** The character of the command line. */
  key: string | null;
  /** What works in this engine. */
  can: Abilities;
  /** The formats of files, by extension. */
  formats: Formats;
  /** Every skinning method. */
  skins: SkinMethod[];
  /** Every volume method. */
  volumes: VolumeMethod[];
  /** Every source of γ. */
  gammas: GammaSource[];
  /** Every kind of volume profile. */
  profiles: ProfileKind[];
  /** Every operator of the implicit skin. */
  operators: OperatorKind[];
  /** Every controller of the implicit skin. */
  controllers: ControllerKind[];
  /** The default of a joint in the implicit skin. */
  joint_field: JointField;
  /** The default recipe. */
  recipe: Recipe;
  /** The largest request, in bytes. */
  max_upload: number;
};

/** The file of an image. */
export type ImageInfo = {
  /** Its media type. */
  mime: string;
  /** Its first byte. */
  at: number;
  /** Number of elements. */
  count: number;
};

/** The implicit skin in a frame. */
export type ImplicitFrame = {
  /** Number of points that it moved. */
  moved: number;
  /** Number of those that touch another limb. */
  touching: number;
};

/** The change of volume at a joint. */
export type JointChange = {
  /** The index of the joint. */
  joint: number;
  /** The change, in the file's units. */
  change: number;
};

/** How two limbs meet at a joint. */
export type JointField = {
  /** The operator. */
  operator: OperatorKind;
  /** The controller. */
  controller: ControllerKind;
  /** The amount. */
  amount: number;
};

/** A node of the skeleton. */
export type JointInfo = {
  /** Its name. */
  name: string;
  /** The index of its parent, or -1. */
  parent: number;
  /** False for a plain node of the file. */
  joint: boolean;
  /** Whether vertices have weights of it. */
  weighted: boolean;
  /** The index of the joint on the other side, or -1. */
  mirror: number;
  /** World matrix at rest, column-major. */
  rest: Array<number>;
  /** The end of a leaf's bone, in the joint's own axes. */
  tip: [number, number, number] | null;
};

/** A limb. */
export type LimbInfo = {
  /** The index of its joint. */
  joint: number;
  /** Number of points. */
  points: number;
  /** Number of samples; `null` if it has no field. */
  samples: number | null;
  /** The mean distance of its points from the field's surface, in radii of the limb. */
  fit: number;
  /** The largest of these distances. */
  worst: number;
  /** Whether the joint above it keeps its two limbs apart. */
  has_joint: boolean;
};

/** Triangles of one material. */
export type MaterialGroup = {
  /** The index of the material, or -1. */
  material: number;
  /** The first of the indices. */
  start: number;
  /** Number of indices. */
  count: number;
};

/** A material, in the terms of glTF. */
export type MaterialInfo = {
  /** Its name. */
  name: string;
  /** Base color, linear RGBA. */
  color: [number, number, number, number];
  /** Metallic factor. */
  metallic: number;
  /** Roughness factor. */
  roughness: number;
  /** The index of the base color's image. */
  image: number | null;
  /** Whether back faces are visible. */
  double_sided: boolean;
  /** The meaning of alpha. */
  alpha: AlphaMode;
  /** The threshold of `mask`. */
  cutoff: number;
};

/** The effect of a recipe's pins on a clip. Without pins it has the trajectory of the joint alone. */
export type Motion = {
  /** The character. */
  key: string;
  /** The first and the last frame that may change. */
  range: [number, number];
  /** The trajectory of the joint, if the request names one. */
  trail?: Trajectory;
  /** The position of the joint in the frame of the request. */
  place?: [number, number, number];
  /** The positions of the feet of `report.contacts`. */
  stands?: Array<[number, number, number]>;
  /** The result of the edit. */
  report?: MotionReport;
};

/** A motion as a file. */
export type MotionFile = {
  /** The name of the file. */
  name: string;
  /** Its bytes. */
  content: ArrayRange;
};

/** The format of a motion file. */
export type MotionFormat = "bvh" | "glb";

/** The result of a motion edit. Lengths are in the file's units. */
export type MotionReport = {
  /** The pins. */
  pins: Array<PinReport>;
  /** The feet on the ground. */
  contacts: Array<ContactReport>;
  /** The mean relative error of the segments' lengths over all frames. */
  relative_distance_error: number;
  /** The largest of these errors. */
  largest_distance_error: number;
  /** How often a joint was at its limit. */
  limited: number;
  /** Local–global iterations. */
  iterations: number;
  /** Problems. */
  warnings: Array<string>;
};

/** The effect of a motion edit. */
export type MotionRequest = {
  /** The character. */
  key: string;
  /** The recipe with the pins. */
  recipe: UncheckedRecipe;
  /** The clip. */
  clip: number;
  /** The joint whose trajectory is in the answer. */
  joint: string | null;
  /** The frame of the clip for which the joint's position is in the answer. */
  frame: number | null;
};

/** Linear RGB by activation. */
export type MuscleColors = {
  /** At activation 0. */
  relaxed: [number, number, number];
  /** At activation 1. */
  active: [number, number, number];
};

/** The positions of a muscle's ends. */
export type MuscleEnds = {
  /** The origin. */
  from: Array<MusclePoint>;
  /** The insertion. */
  to: Array<MusclePoint>;
};

/** A muscle of one side. Positions are in the bind pose. */
export type MuscleInfo = {
  /** Its name, with its side. */
  name: string;
  /** Its side. */
  side: Side;
  /** Whether the recipe leaves it out. */
  off: boolean;
  /** Its fibres among the meshes of a frame; empty if the body has no place for it. */
  meshes: Array<number>;
  /** Its origin. */
  from: MusclePlace[];
  /** Its insertion. */
  to: MusclePlace[];
  /** The positions of both. */
  ends: MuscleEnds;
  /** The radius of the belly, as a share of the length. */
  radius: number;
  /** α and β of the profile at rest, then when active. */
  shape: [number, number, number, number];
  /** The profile as a sum of sines; `null` if `shape` is the profile. */
  series: Array<number> | null;
  /** `null` if the motion itself activates it. */
  activation: Keys | null;
  /** The width. */
  width: Keys;
  /** The eccentricity. */
  eccentricity: Keys;
  /** The stiffness. */
  stiffness: Keys;
};

/** A point that moves with a joint. */
export type MusclePoint = {
  /** The index of the joint. */
  joint: number;
  /** Its position. */
  position: [number, number, number];
};

/** The vertices of all muscle meshes. */
export type MuscleShape = {
  /** Three f32 per vertex. */
  positions: ArrayRange;
  /** Three f32 per vertex. */
  normals: ArrayRange;
};

/** The muscles in a frame. */
export type MusclesFrame = {
  /** The number of the muscles. */
  musculature: number;
  /** The activation of each mesh, f32. */
  activations: ArrayRange;
  /** The meshes, if the request has `muscles`. */
  shape: MuscleShape | null;
};

/** The muscles of a recipe on a character. Frames refer to them by their number. */
export type Musculature = {
  /** Their number. */
  musculature: number;
  /** Vertices of each mesh. */
  vertices: number;
  /** Triangles of each mesh, u32. */
  indices: ArrayRange;
  /** The colors of a mesh. */
  colors: MuscleColors;
  /** The segments of the left and of the right side, by name. */
  segments: [{
    [key in string]: SegmentInfo
  }, {
    [key in string]: SegmentInfo
  }];
  /** Every muscle of both sides, with those that are off. */
  muscles: Array<MuscleInfo>;
};

/** A character that is open. */
export type Opened = {
  /** Requests name the character by it. */
  key: string;
  /** Its name. */
  name: string;
  /** The extension of its file. */
  format: string;
  /** Metres per unit; `null` if unknown. */
  units: number | null;
  /** The axis that points up. */
  up: Axis;
  /** Number of vertices. */
  vertices: number;
  /** Number of triangles, with quads as two. */
  triangles: number;
  /** Its meshes. */
  parts: Array<PartInfo>;
  /** The nodes of the skeleton. */
  joints: Array<JointInfo>;
  /** The normal of the symmetry plane. */
  mirror_axis: [number, number, number];
  /** Its clips. */
  clips: Array<ClipInfo>;
  /** The first clip that was just retargeted to it. */
  added_clip: number | null;
  /** Repairs and losses when the file was read. */
  warnings: Array<string>;
  /** The box around it at rest. */
  bounds: Bounds;
  /** The recipe to start with. */
  recipe: Recipe;
  /** Its materials. */
  materials: Array<MaterialInfo>;
  /** The images of the materials. */
  images: Array<ImageInfo>;
};

/** A mesh. */
export type PartInfo = {
  /** Its name. */
  name: string;
  /** Whether it has weights. */
  skinned: boolean;
};

/** The vertices of a mesh. */
export type PartRange = {
  /** The first. */
  first: number;
  /** Their number. */
  count: number;
};

/** A pin. */
export type PinReport = {
  /** The name of the joint. */
  joint: string;
  /** The frame. */
  frame: number;
  /** The target. */
  position: [number, number, number];
  /** The distance from the target. */
  residual: number;
};

/** Volumes over a clip, in the file's units; `null` if no mesh is closed. */
export type Plotted = {
  /** Seconds. */
  times: Array<number>;
  /** At rest. */
  rest: Array<number | null>;
  /** Of the skin alone. */
  base: Array<number | null>;
  /** Of the finished surface. */
  final: Array<number | null>;
};

/** A pose that was read. */
export type PoseTurns = {
  /** Rotations from rest. */
  turns: Turns;
};

/** The progress of a job. */
export type Progress = {
  /** 0 to 1. */
  done: number;
  /** The current step. */
  text: string;
};

/** A request of the page. */
export type Request =
  | { "type": "open"; files: Array<FileSlice>; onto: string | null }
  | { "type": "demo"; name: "mannequin" | "tube" }
  | { "type": "reopen"; key: string }
  | { "type": "frame" } & FrameRequest
  | { "type": "flesh" } & FrameRequest
  | { "type": "weights"; key: string; recipe: UncheckedRecipe; clip: number | null; joint: string }
  | { "type": "profile"; recipe: UncheckedRecipe; joint: string }
  | { "type": "fields" } & FieldsRequest
  | { "type": "motion" } & MotionRequest
  | { "type": "save_motion" } & SaveMotionRequest
  | { "type": "plot" } & ClipRequest
  | { "type": "bind" } & BindRequest
  | { "type": "cage"; key: string; recipe: UncheckedRecipe }
  | { "type": "bake" } & BakeRequest
  | { "type": "sketch"; drawn: Drawn }
  | { "type": "cancel" }
  | { "type": "write_recipe"; recipe: UncheckedRecipe }
  | { "type": "read_recipe"; text: string }
  | {
  "type": "write_pose";
  key: string;
  recipe: UncheckedRecipe;
  clip: number | null;
  time: number;
  turns: Turns;
}
  | { "type": "read_pose"; key: string; text: string };

/** A joint's volume profile with all defaults filled in. Axes: along the parent bone, across it (the axis of the bend), inward. */
export type ResolvedProfile = {
  /** The shape. */
  kind: ProfileKind;
  /** The shares of the axes, which sum to one. */
  shares: [number, number, number];
  /** The size along each axis, in limb radii. */
  sizes: [number, number, number];
  /** The middle along the parent bone, in limb radii. */
  center: number;
  /** Waves per limb radius. */
  frequency: number;
  /** The bend in degrees at which the blend is all folds. */
  largest_bend: number;
  /** The share of the volume that is restored. */
  amount: number;
  /** The free curve of each axis: pairs of position in limb radii and value. */
  curves: [Array<[number, number]>, Array<[number, number]>, Array<[number, number]>];
  /** γ along each axis: pairs of position in limb radii and value. */
  samples: [Array<[number, number]>, Array<[number, number]>, Array<[number, number]>];
};

/** A motion as a file. */
export type SaveMotionRequest = {
  /** The character. */
  key: string;
  /** The recipe with the pins. */
  recipe: UncheckedRecipe;
  /** The clip. */
  clip: number;
  /** The format of the file. */
  format: MotionFormat;
};

/** A segment of the body. */
export type SegmentInfo = {
  /** The index of its joint. */
  joint: number;
  /** The matrix from shares of the segment to the bind pose, column-major. */
  from_shares: Array<number>;
};

/** A side of the body. */
export type Side = "left" | "right";

/** The source of a binding's skeleton. */
export type SkeletonSource = "own" | "humanoid" | "quadruped" | "file" | "from";

/** A deformed surface. */
export type SurfaceFrame = {
  /** The number of its topology. */
  topology: number;
  /** Three f32 per vertex. */
  positions: ArrayRange;
  /** Three f32 per vertex. */
  normals: ArrayRange;
  /** The measured quantity, one f32 per vertex. */
  values: ArrayRange | null;
};

/** A text for people. */
export type Text = {
  /** The text. */
  text: string;
};

/** The part of a surface that does not move. Frames refer to it by its number. */
export type Topology = {
  /** Its number. */
  topology: number;
  /** Number of vertices. */
  vertices: number;
  /** Triangles, u32. */
  indices: ArrayRange;
  /** The wireframe: pairs of vertices, u32. */
  edges: ArrayRange;
  /** Triangles by material. */
  groups: Array<MaterialGroup>;
  /** Texture coordinates, two f32 per vertex. */
  uv: ArrayRange | null;
  /** The vertices of each mesh. */
  parts: Array<PartRange>;
};

/** The positions of a joint in the frames of the range, three f32 each. */
export type Trajectory = {
  /** The name of the joint. */
  joint: string;
  /** In the clip. */
  source: ArrayRange;
  /** In the edited clip, where there is an edit. */
  edited: ArrayRange | null;
};

/** Rotations by joint name, as `x y z w`: `R_local = R_clip · turn`. */
export type Turns = Record<string, [number, number, number, number]>;

/** A recipe as the page sends it. It is checked when it is used, so that the page gets a sentence about a mistake. */
export type UncheckedRecipe = Recipe;

/** Volumes in the file's units. */
export type Volumes = {
  /** At rest. */
  rest: number;
  /** Of the skin alone. */
  base: number;
  /** Of the finished surface. */
  final: number;
};

/** The weight of a joint. */
export type Weights = {
  /** The number of the topology. */
  topology: number;
  /** One f32 per vertex. */
  values: ArrayRange;
};
