// What the page and the engine say to each other, what a document is, and how the page's modules meet.

export type Vector3 = [number, number, number];
export type Quaternion = [number, number, number, number];
/** A point of a curve: place (or seconds) and value. */
export type Point = [number, number];

// ---- Recipes: everything a person can set -------------------------------------------------------------------------

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

/** The samples of a limb, and what takes them from rest to where they are seen: sixteen numbers, column-major. */
export interface LimbSamples {
  samples: Sample[];
  motion: number[];
}

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

/** Origin or insertion. */
export type MuscleEnd = "from" | "to";

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

// ---- The document: what the page owns ------------------------------------------------------------------------------

export type Coloring = "material" | "clay" | "weight" | "displacement" | "volume";
/** Whether muscles are seen: not, under a skin that is seen through, or without it. */
export type MuscleLook = "hidden" | "under" | "bare";
export type CompareMode = "off" | "side" | "wipe";
export type Turns = Record<string, Quaternion>;

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

// ---- Messages ------------------------------------------------------------------------------------------------------

/** Where an array lies in a message's payload: byte offset, number of elements. */
export interface Range {
  at: number;
  count: number;
}

/** Views on the bytes that follow a message's header; nothing is copied. */
export interface Payload {
  floats(range: Range): Float32Array<ArrayBuffer>;
  words(range: Range): Uint32Array<ArrayBuffer>;
  bytes(range: Range): Uint8Array<ArrayBuffer>;
}

/** Every received message: its header's fields, and the payload beside them. */
export interface Message {
  type: string;
  id?: number;
  payload: Payload;
}

export interface Hello extends Message {
  version: string;
  engine: "native" | "browser";
  /** The file of the command line. */
  key: string | null;
  can: { bake: boolean; bind: boolean; fbx: boolean };
  formats: { open: string[]; bake: BakeFormat[] };
  skins: SkinMethod[];
  volumes: VolumeMethod[];
  gammas: GammaSource[];
  profiles: ProfileKind[];
  operators: OperatorKind[];
  controllers: ControllerKind[];
  /** What happens at a joint of which a recipe says nothing. */
  joint_field: { operator: OperatorKind; controller: ControllerKind; amount: number };
  recipe: Recipe;
  /** In bytes. */
  max_upload: number;
}

export interface JointInfo {
  name: string;
  /** An index, or -1. */
  parent: number;
  /** False for a plain node of the file. */
  joint: boolean;
  weighted: boolean;
  /** The joint of the other side, or -1. */
  mirror: number;
  /** World matrix at rest, column-major. */
  rest: number[];
  /** Where a leaf's bone ends, in the joint's own axes. */
  tip: Vector3 | null;
}

export interface MaterialInfo {
  name: string;
  /** Linear. */
  color: Quaternion;
  metallic: number;
  roughness: number;
  image: number | null;
  double_sided: boolean;
  alpha: "opaque" | "mask" | "blend";
  cutoff: number;
}

export interface Clip {
  name: string;
  start: number;
  end: number;
  /** Its own frames per second, and its last frame counted from 0. */
  rate: number;
  last: number;
}

export interface Opened extends Message {
  key: string;
  name: string;
  format: string;
  /** Metres per unit. */
  units: number | null;
  up: "x" | "y" | "z";
  vertices: number;
  triangles: number;
  parts: { name: string; skinned: boolean }[];
  joints: JointInfo[];
  mirror_axis: Vector3;
  clips: Clip[];
  added_clip: number | null;
  warnings: string[];
  bounds: { min: Vector3; max: Vector3 };
  recipe: Recipe;
  materials: MaterialInfo[];
  images: ({ mime: string } & Range)[];
}

export interface TopologyMessage extends Message {
  topology: number;
  key: string;
  vertices: number;
  /** Triangles, u32. */
  indices: Range;
  /** Pairs of vertices, u32: the wireframe. */
  edges: Range;
  /** `material` is -1 for none; `start` and `count` are in indices. */
  groups: { material: number; start: number; count: number }[];
  uv: Range | null;
  parts: { first: number; count: number }[];
}

/** A muscle of one side. Places are at rest, in the bind pose. */
export interface MuscleInfo {
  /** With its side. */
  name: string;
  side: "left" | "right";
  off: boolean;
  /** Its fibres among the meshes of a frame; none where the body has no place for it. */
  meshes: number[];
  from: MusclePlace[];
  to: MusclePlace[];
  /** Where the places of either end are seen, and the joint that moves them. */
  ends: Record<MuscleEnd, { joint: number; position: Vector3 }[]>;
  radius: number;
  shape: Quaternion;
  /** Null where `shape` is the profile. */
  series: number[] | null;
  /** Null where the motion itself tenses it. */
  activation: Keys | null;
  eccentricity: Keys;
  width: Keys;
  stiffness: Keys;
}

/** The muscles that frames speak of by the number `flesh`. */
export interface FleshMessage extends Message {
  flesh: number;
  /** Of each mesh. */
  vertices: number;
  /** Triangles of each mesh, u32. */
  indices: Range;
  /** In linear RGB. */
  colors: { relaxed: Vector3; active: Vector3 };
  /** For the left and the right side, by name: the joint of a segment, and what takes shares of it to the bind pose. */
  segments: [Record<string, SegmentInfo | undefined>, Record<string, SegmentInfo | undefined>];
  muscles: MuscleInfo[];
}

export interface SegmentInfo {
  joint: number;
  /** Sixteen numbers, column-major. */
  from_shares: number[];
}

export interface SurfaceFrame {
  topology: number;
  positions: Range;
  normals: Range;
  values: Range | null;
}

export interface FrameInfo extends Message {
  key: string;
  seconds: number;
  /** The engine's time. */
  milliseconds: number;
  /** World matrices, sixteen f32 for each of `Opened.joints`. */
  joints: Range;
  /** The same without the edit of the motion, where there is one. */
  source: Range | null;
  volume: { rest: number; base: number; final: number } | null;
  changes: { joint: number; change: number }[];
  /** Points that follow the fields, and their mean distance from their iso-values. */
  implicit: { points: number; before: number; after: number; worst: number } | null;
  /** How active each mesh of `FleshMessage` is and, where it was asked for, where its vertices are. */
  muscles: { flesh: number; activations: Range; shape: { positions: Range; normals: Range } | null } | null;
  /** Where the vertices of the cage's control mesh are; null where nothing follows one. */
  cage: { places: Range; outcome: CageOutcome | null } | null;
  warnings: string[];
  /** One, or two with compare: this recipe's, then the other's. */
  surfaces: SurfaceFrame[];
  range: [number, number] | null;
}

export interface WeightsMessage extends Message {
  topology: number;
  values: Range;
}

/** A muscle's profile that was fitted to a drawing: α and β, or a series. */
export interface SketchMessage extends Message {
  /** Corners of what was drawn, and of the profile over it, with y downwards. */
  outline: [number, number][];
  profile: [number, number][];
  shape: Quaternion | null;
  series: number[] | null;
  /** Of the belly, as a share of the length. */
  radius: number;
  /** Of the radii, relative to them. */
  error: number;
  /** Family and error in words. */
  about: string;
}

/** A joint's profile with nothing left open. Axes: along the parent bone, across (axis of the bend), inward. */
export interface ProfileMessage extends Message {
  kind: ProfileKind;
  shares: Vector3;
  sizes: Vector3;
  center: number;
  frequency: number;
  largest_bend: number;
  amount: number;
  curves: [Point[], Point[], Point[]];
  /** Pairs of place in limb radii and γ. */
  samples: [Point[], Point[], Point[]];
}

/** What is known of a limb of the implicit skin. */
export interface LimbInfo {
  joint: number;
  points: number;
  /** Null where it has no field. */
  samples: number | null;
  /** The mean and the largest distance of its points from the field's surface, in radii of the limb. */
  fit: number;
  worst: number;
  /** The share of bends in which its joint is a hinge. */
  hinge: number;
}

export interface FieldsMessage extends Message {
  limbs: LimbInfo[];
  /** Pairs of triangles that cross, of the skin alone and of what is seen. */
  crossings: { base: number; final: number };
  /** Three f32 for each vertex; triangles, u32. */
  surface: { positions: Range; normals: Range; indices: Range } | null;
  /** Six f32 for each segment. */
  cut: { joint: string; corners: Vector3[]; lines: { level: number; segments: Range }[] } | null;
  /** Six f32 for each sample, at rest, and what takes them to the pose; null where the joint carries no limb. */
  samples: { joint: string; rows: Range; motion: number[] } | null;
}

/** How a mesh followed its cage in a frame. */
export interface CageOutcome {
  /** What all tetrahedra gained or lost of their volume, as a share of it. */
  volume_error: number;
  rigidity: number;
  /** The largest relative error of a length along the bones. */
  bone_error: number;
  /** How far the farthest handle is from its place, in the file's units. */
  handle_error: number;
  /** Tetrahedra that are turned over. */
  inverted: number;
  iterations: number;
  /** Whether nothing would move any more, were the frame asked for again. */
  settled: boolean;
}

/** A bone that hangs on another, with the frame at rest in which its turns are limited: x along it, z across the bend. */
export interface CageBone {
  /** Indices of joints. */
  joint: number;
  parent: number;
  frame: Quaternion;
  length: number;
}

/** A cage that is built. */
export interface CagedMessage extends Message {
  report: {
    vertices: number;
    cage_vertices: number;
    cage_triangles: number;
    control_vertices: number;
    tetrahedra: number;
    /** Of the tetrahedra, 1 for a regular one. */
    least_quality: number;
    mean_quality: number;
    slivers: number;
    /** The cage's volume in volumes of the mesh; null for open meshes. */
    volume_share: number | null;
    joints: number;
    /** For the cage and for the tetrahedra. */
    milliseconds: [number, number];
    warnings: string[];
  };
  /** Vertices at rest, three f32 each; triangles and tetrahedra, u32. */
  places: Range;
  surface: Range;
  tetrahedra: Range;
  /** The mesh at rest, three f32 for each vertex. */
  rest: Range;
  markers: { label: string; vertex: number }[];
  bones: CageBone[];
}

/** What the pins of a recipe do to a clip. Without pins there is the way of the joint alone. */
export interface MotionMessage extends Message {
  key: string;
  range: [number, number];
  /** Where the joint is in the frames of the range, three f32 each. */
  trail?: { joint: string; source: Range; edited: Range | null };
  /** Where the joint is in the frame that was asked for. */
  place?: Vector3;
  /** Where the feet of `report.contacts` stand. */
  stands?: Vector3[];
  report?: {
    pins: { joint: string; frame: number; position: Vector3; residual: number }[];
    contacts: { joint: string; tip: boolean; first: number; last: number; slide: number }[];
    warnings: string[];
  };
}

export interface MotionFile extends Message {
  name: string;
  content: Range;
}

/** Volumes over a clip; null where nothing is closed. */
export interface Plotted extends Message {
  times: number[];
  rest: (number | null)[];
  base: (number | null)[];
  final: (number | null)[];
}

export interface BindReport {
  vertices: number;
  weighted: number;
  islands: number;
  repairs: string[];
  joints: { name: string; vertices: number; mean_weight: number }[];
  pruning_error: number;
  milliseconds: Record<string, number>;
}

export interface Bound extends Message {
  key: string;
  report: BindReport;
}

export type BakeFormat = "glb" | "usda" | "pc2" | "obj";

export interface Baked extends Message {
  name: string;
  bytes: number;
  url: string;
}

export interface Failed extends Message {
  message: string;
  cancelled?: boolean;
}

export interface Progress extends Message {
  /** 0 to 1. */
  done: number;
  text: string;
}

export interface SentFile extends Range {
  name: string;
}

export interface FrameRequest {
  key: string;
  recipe: Recipe;
  clip: number | null;
  time: number;
  turns: Turns;
  color: "none" | "displacement" | "volume";
  compare: Recipe | null;
  /** Whether muscles are drawn. */
  muscles: boolean;
  /** Whether the clip is played: this frame then follows the one before, however slow the engine is. */
  playing: boolean;
  cage: CageDrive | null;
}

/** What moves the mesh by way of its cage. */
export type CageDrive = Pick<CageSettings, "by" | "joints" | "markers" | "limits">;

export interface FieldsRequest {
  key: string;
  recipe: Recipe;
  clip: number | null;
  time: number;
  turns: Turns;
  surface: boolean;
  /** A joint's name. */
  cut: string | null;
  /** A joint's name. */
  samples: string | null;
}

export interface BindRequest {
  key: string;
  skeleton: "own" | "humanoid" | "quadruped" | "file" | "from";
  method: "geodesic" | "distance";
  influences: number | null;
  files?: SentFile[];
}

/** What can be asked, and what the answer is. */
export interface Requests {
  open: { ask: { files: SentFile[]; onto: string | null }; answer: Opened };
  demo: { ask: { name: "mannequin" | "tube" }; answer: Opened };
  reopen: { ask: { key: string }; answer: Opened };
  frame: { ask: FrameRequest; answer: FrameInfo };
  weights: { ask: { key: string; recipe: Recipe; joint: string }; answer: WeightsMessage };
  profile: { ask: { recipe: Recipe; joint: string }; answer: ProfileMessage };
  fields: { ask: FieldsRequest; answer: FieldsMessage };
  motion: {
    ask: { key: string; recipe: Recipe; clip: number; joint: string | null; frame: number | null };
    answer: MotionMessage;
  };
  save_motion: { ask: { key: string; recipe: Recipe; clip: number; format: "bvh" | "glb" }; answer: MotionFile };
  write_recipe: { ask: { recipe: Recipe }; answer: Message & { text: string } };
  read_recipe: { ask: { text: string }; answer: Message & { recipe: Recipe } };
  write_pose: {
    ask: { key: string; recipe: Recipe; clip: number | null; time: number; turns: Turns };
    answer: Message & { text: string };
  };
  sketch: { ask: { drawn: { outline: [number, number][] } | { file: SentFile } }; answer: SketchMessage };
  read_pose: { ask: { key: string; text: string }; answer: Message & { turns: Turns } };
}

/** What takes time, tells its progress and can be cancelled. */
export interface Jobs {
  plot: { ask: { key: string; recipe: Recipe; clip: number | null; turns: Turns }; answer: Plotted };
  bind: { ask: BindRequest; answer: Bound };
  cage: { ask: { key: string; recipe: Recipe }; answer: CagedMessage };
  bake: {
    ask: { key: string; recipe: Recipe; clip: number | null; turns: Turns; format: BakeFormat; fps: number };
    answer: Baked;
  };
}

// ---- How the page's modules meet -----------------------------------------------------------------------------------

export interface Job<Answer> {
  id: number;
  /** Rejects with `EngineError`; `cancelled` tells a cancelled job from a failed one. */
  done: Promise<Answer>;
  onProgress(listener: (done: number, text: string) => void): void;
  cancel(): void;
}

export interface EngineError extends Error {
  cancelled: boolean;
}

export type EngineStatus = "connecting" | "ready" | "lost";

export interface Engine {
  /** Present once the engine has said hello; panels are mounted after that. */
  hello: Hello;
  status: EngineStatus;
  /** `payload` is what the fields' ranges lie in; `attach` of engine/message.js lays out files. */
  request<K extends keyof Requests>(type: K, fields: Requests[K]["ask"], payload?: ArrayBufferView[]): Promise<Requests[K]["answer"]>;
  start<K extends keyof Jobs>(type: K, fields: Jobs[K]["ask"], payload?: ArrayBufferView[]): Job<Jobs[K]["answer"]>;
  /** Every message of that type, or a change of "status"; returns the off function. */
  on<K extends keyof EngineEvents>(type: K, listener: (event: EngineEvents[K]) => void): () => void;
}

export interface EngineEvents {
  hello: Hello;
  topology: TopologyMessage;
  flesh: FleshMessage;
  status: EngineStatus;
}

export interface Store {
  readonly state: Doc;
  /** An edit that can be undone. Edits with the same merge key, one after another, are one step until `seal`. */
  change(label: string, edit: (doc: Doc) => Doc, merge?: string): void;
  /** Ends the gesture: the next edit is a step of its own. */
  seal(): void;
  undo(): void;
  redo(): void;
  /** The label of what would be undone. */
  readonly canUndo: string | null;
  readonly canRedo: string | null;
  /** Returns the off function. */
  subscribe(listener: (doc: Doc, before: Doc) => void): () => void;
  /** A change that is not undone: time, camera. */
  touch(edit: (doc: Doc) => Doc): void;
}

export interface Playback {
  readonly playing: boolean;
  /** The current clip, or null at rest. */
  readonly clip: Clip | null;
  play(): void;
  pause(): void;
  toggle(): void;
  /** Pauses and goes on by so many frames of `recipe.bake.fps`. */
  step(frames: number): void;
  /** Pauses and goes to a time in seconds, within the clip. */
  seek(seconds: number): void;
  /** Asks for the document's frame again. */
  refresh(): void;
  /** Runs when `playing` changes; returns the off function. */
  onToggle(listener: (playing: boolean) => void): () => void;
}

/** A place of the skin, in the file's axes: also as shares of the corners of a triangle. */
export interface SkinHit {
  point: Vector3;
  normal: Vector3;
  corners: Vector3;
  shares: Vector3;
}

/** What is under a click: a sample's index, or -1, and the skin, also as a sample of the limb that is shown. */
export interface ViewHit {
  sample: number;
  skin: Sample | null;
  place: SkinHit | null;
}

export interface Viewer {
  readonly element: HTMLElement;
  /** Frames the selected joint or, without one, everything. */
  frameView(): void;
  /** Goes close to a joint, on its own side of the character; returns the camera for the document. */
  lookAt(joint: string): NonNullable<Doc["camera"]>;
  /** Shows ways, pins and standing feet; null for none. */
  showMotion(motion: MotionMessage | null): void;
  /** Shows the surface and the contour lines of the limbs' fields; null for none. */
  showFields(fields: FieldsMessage | null): void;
  /** Shows the samples of a limb; null for none. */
  showSamples(samples: LimbSamples | null): void;
  /** Shows a cage that was built; null for none. */
  showCage(caged: CagedMessage | null): void;
  /** Where a joint or a marker of the cage is in the frame that is shown; null where there is none. */
  placeOf(kind: "joints" | "markers", name: string): Vector3 | null;
  /** Hands clicks to a tool, which otherwise select joints; null puts it away. */
  useTool(tool: ((hit: ViewHit) => void) | null): void;
}

export interface CaptureJob {
  done: Promise<void>;
  onProgress(listener: (done: number, text: string) => void): void;
  cancel(): void;
}

export interface Capture {
  /** Downloads the view as a PNG. */
  screenshot(): Promise<void>;
  /** Downloads a .zip of PNGs: once around the character. */
  turntable(options: { frames: number }): CaptureJob;
  /** Downloads a .zip of PNGs: the clip at `recipe.bake.fps`. */
  clip(): CaptureJob;
}

export type ActionName =
  | "open"
  | "play"
  | "step-back"
  | "step-forward"
  | "go-to-start"
  | "go-to-end"
  | "undo"
  | "redo"
  | "wireframe"
  | "skeleton"
  | "frame-view"
  | "color-material"
  | "color-clay"
  | "color-weight"
  | "color-displacement"
  | "color-volume"
  | "compare"
  | "reset-joint"
  | "reset-pose"
  | "mirror-pose"
  | "pin-joint"
  | "screenshot"
  | "help";

/** What a key does, and a button may do too. */
export interface Action {
  label: string;
  /** As people read it, such as "Ctrl+Z"; null for none. */
  keys: string | null;
  run(): void;
}

export interface StudioEvents {
  opened: Opened;
  frame: FrameInfo;
  topology: TopologyMessage;
  failed: string;
}

export interface RecentFile {
  key: string;
  name: string;
  bytes: number;
  /** Milliseconds since 1970. */
  opened: number;
}

export interface Studio {
  store: Store;
  engine: Engine;
  viewer: Viewer;
  playback: Playback;
  capture: Capture;
  actions: Record<ActionName, Action>;
  character: Opened | null;
  frame: FrameInfo | null;
  on<K extends keyof StudioEvents>(event: K, listener: (event: StudioEvents[K]) => void): () => void;
  /** A motion goes onto the character that is open. */
  open(files: File[]): Promise<void>;
  /** Shows the dialog for files. */
  chooseFiles(): void;
  openDemo(name: "mannequin" | "tube"): Promise<void>;
  /** A character that the engine has, such as a new binding; the pose and the recipe stay. */
  reopen(key: string, label: string): Promise<void>;
  recent(): Promise<RecentFile[]>;
  openRecent(key: string): Promise<void>;
  notify(kind: "info" | "warning" | "error", text: string): void;
}

export interface Panel {
  id: string;
  title: string;
  /** Right panels stack in collapsible sections; left is the joint tree, bottom the timeline, top the bar. */
  place: "top" | "left" | "right" | "bottom";
  /** Whether a section starts open. */
  open?: boolean;
  /** Called once, after the engine's hello; subscribes by itself. */
  mount(body: HTMLElement, studio: Studio): void;
}
