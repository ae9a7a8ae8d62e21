// The connection to the engine: what can be asked, and what comes back.

import type { Answer, ArrayRange, Request } from "./protocol";

/** Views of the bytes that follow a message's header; nothing is copied. */
export interface Payload {
  floats(range: ArrayRange): Float32Array<ArrayBuffer>;
  words(range: ArrayRange): Uint32Array<ArrayBuffer>;
  bytes(range: ArrayRange): Uint8Array<ArrayBuffer>;
}

/** A received message: the fields of its header, and the payload. `id` is that of the request it answers. */
export type Message<K extends Answer["type"] = Answer["type"]> = Extract<Answer, { type: K }> & {
  id?: number;
  payload: Payload;
};

export type HelloMessage = Message<"hello">;
export type OpenedMessage = Message<"opened">;
export type TopologyMessage = Message<"topology">;
export type MusculatureMessage = Message<"musculature">;
export type FrameMessage = Message<"frame">;
export type WeightsMessage = Message<"weights">;
export type ProfileMessage = Message<"profile">;
export type FieldsMessage = Message<"fields">;
export type MotionMessage = Message<"motion">;
export type CagedMessage = Message<"caged">;
export type SketchMessage = Message<"sketch">;

/** The fields of a request. */
export type Ask<K extends Request["type"]> = Omit<Extract<Request, { type: K }>, "type">;

interface Exchange<K extends Request["type"], A extends Answer["type"]> {
  ask: Ask<K>;
  answer: Message<A>;
}

/** Requests that are answered at once. */
export interface Requests {
  open: Exchange<"open", "opened">;
  demo: Exchange<"demo", "opened">;
  reopen: Exchange<"reopen", "opened">;
  frame: Exchange<"frame", "frame">;
  weights: Exchange<"weights", "weights">;
  profile: Exchange<"profile", "profile">;
  fields: Exchange<"fields", "fields">;
  motion: Exchange<"motion", "motion">;
  save_motion: Exchange<"save_motion", "motion_file">;
  write_recipe: Exchange<"write_recipe", "recipe_text">;
  read_recipe: Exchange<"read_recipe", "recipe">;
  write_pose: Exchange<"write_pose", "pose_text">;
  read_pose: Exchange<"read_pose", "turns">;
  sketch: Exchange<"sketch", "sketch">;
}

/** Requests that take time, report their progress and can be cancelled. */
export interface Jobs {
  plot: Exchange<"plot", "plotted">;
  bind: Exchange<"bind", "bound">;
  cage: Exchange<"cage", "caged">;
  flesh: Exchange<"flesh", "frame">;
  bake: Exchange<"bake", "baked">;
}

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
  hello: HelloMessage;
  status: EngineStatus;
  /** `payload` is what the fields' ranges lie in; `attach` of engine/message.js lays out files. */
  request<K extends keyof Requests>(type: K, fields: Requests[K]["ask"], payload?: ArrayBufferView[]): Promise<Requests[K]["answer"]>;
  start<K extends keyof Jobs>(type: K, fields: Jobs[K]["ask"], payload?: ArrayBufferView[]): Job<Jobs[K]["answer"]>;
  /** Every message of that type, or a change of "status"; returns the off function. */
  on<K extends keyof EngineEvents>(type: K, listener: (event: EngineEvents[K]) => void): () => void;
}

export interface EngineEvents {
  hello: HelloMessage;
  topology: TopologyMessage;
  musculature: MusculatureMessage;
  status: EngineStatus;
}
