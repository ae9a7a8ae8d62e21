// The parts of the page, as its panels see them.

import type { Doc } from "./document";
import type { CagedMessage, Engine, FieldsMessage, FrameMessage, MotionMessage, OpenedMessage, TopologyMessage } from "./engine";
import type { ClipInfo } from "./protocol";
import type { Sample, Vector3 } from "./recipe";

/** Origin or insertion. */
export type MuscleEnd = "from" | "to";

/** The samples of a limb, and what takes them from rest to where they are seen: sixteen numbers, column-major. */
export interface LimbSamples {
  samples: Sample[];
  motion: number[];
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
  readonly clip: ClipInfo | null;
  play(): void;
  pause(): void;
  toggle(): void;
  /** Pauses and goes on by so many frames of `recipe.bake.fps`. */
  step(frames: number): void;
  /** Pauses and goes to a time in seconds, within the clip. */
  seek(seconds: number): void;
  /** Asks for the document's frame again. */
  refresh(): void;
  /** Whether the pointer holds something: flesh waits until it lets go. */
  hold(isHeld: boolean): void;
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
  opened: OpenedMessage;
  frame: FrameMessage;
  topology: TopologyMessage;
  /** What the engine does for the flesh of the document, or null at its end. */
  settling: string | null;
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
  character: OpenedMessage | null;
  frame: FrameMessage | null;
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
