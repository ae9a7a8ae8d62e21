// The document, the engine, the view and the clock of the page, and the opening of files. The character follows the
// document: any change of `doc.character`, including an undo, shows that character.

import { attach } from "./engine/message.js";
import { newDocument, withCharacter, withMotion } from "./state/document.js";
import { Playback } from "./state/playback.js";
import { keep, keptFile, recentFiles } from "./state/recent.js";
import { Store } from "./state/store.js";
import { Capture } from "./view/capture.js";
import { Viewer } from "./view/viewer.js";
import { makeActions } from "./actions.js";
import { toast } from "./widgets/toast.js";

/** @import * as types from "./types" */
/** @import { Doc, EngineError, FrameMessage, OpenedMessage, StudioEvents } from "./types" */
/** @import { Engine } from "./engine/connection.js" */

/** @typedef {{name: string, bytes: ArrayBuffer}} FileBytes */

const DEMOS = /** @type {const} */ (["mannequin", "tube"]);

/** @implements {types.Studio} */
export class Studio {
  /** @type {OpenedMessage | null} */
  character = null;
  /** @type {FrameMessage | null} */
  frame = null;
  /** @type {Map<string, Set<(event: any) => void>>} */
  #listeners = new Map();
  /** The character that is being opened. @type {string | null} */
  #awaited = null;
  #elements;

  /**
   * @param {Engine} engine
   * @param {{view: HTMLElement, notices: HTMLElement, files: HTMLInputElement}} elements
   */
  constructor(engine, elements) {
    const failed = (/** @type {string} */ message) => this.#failed(message);
    this.engine = engine;
    this.#elements = elements;
    this.store = new Store(newDocument(engine.hello.recipe));
    this.viewer = new Viewer(elements.view, this.store, engine, failed);
    this.playback = new Playback(this.store, engine, (frame) => this.#show(frame), failed, (phase) => this.#emit("settling", phase));
    this.capture = new Capture(this.store, engine, this.viewer, this.playback);
    this.actions = makeActions(this);
    engine.on("topology", (message) => this.#emit("topology", message));
    engine.on("hello", () => this.#found());
    this.store.subscribe((doc) => void this.#follow(doc));
    elements.files.accept = engine.hello.formats.open.map((format) => `.${format}`).concat(".bin").join(",");
    elements.files.addEventListener("change", () => {
      void this.open([...(elements.files.files ?? [])]);
      elements.files.value = "";
    });
  }

  /**
   * @template {keyof StudioEvents} K
   * @param {K} event
   * @param {(event: StudioEvents[K]) => void} listener
   */
  on(event, listener) {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  /** @param {"info" | "warning" | "error"} kind @param {string} text */
  notify(kind, text) {
    toast(this.#elements.notices, kind, text);
  }

  chooseFiles() {
    this.#elements.files.click();
  }

  recent() {
    return recentFiles();
  }

  /** @param {File[]} files */
  async open(files) {
    if (files.length === 0) return;
    const { max_upload } = this.engine.hello;
    const total = files.reduce((sum, { size }) => sum + size, 0);
    if (total > max_upload) {
      return this.#failed(`${files[0].name} is too large: ${megabytes(total)} of at most ${megabytes(max_upload)}.`);
    }
    const read = await Promise.all(files.map(async (file) => ({ name: file.name, bytes: await file.arrayBuffer() })));
    await this.#attempt(() => this.#openBytes(read));
  }

  /** @param {"mannequin" | "tube"} name */
  async openDemo(name) {
    await this.#attempt(async () => this.#opened(await this.engine.request("demo", { name })));
  }

  /** @param {string} key */
  async openRecent(key) {
    await this.#attempt(async () => {
      const opened = await this.#find(key);
      if (opened) this.#opened(opened);
      else this.#failed("The browser has not kept this file: open it again.");
    });
  }

  /** @param {string} key @param {string} label */
  async reopen(key, label) {
    await this.#attempt(async () => {
      const opened = await this.engine.request("reopen", { key });
      const character = { key: opened.key, name: opened.name };
      this.#adopt(opened, () => this.store.change(label, (doc) => ({ ...doc, character })));
    });
  }

  /**
   * The first document: a link's, the command line's, or the demo.
   * @param {Doc | null} linked
   */
  async start(linked) {
    const { key } = this.engine.hello;
    if (linked?.character) {
      this.#awaited = linked.character.key;
      const opened = await this.#find(linked.character.key);
      if (opened) {
        const clip = opened.clips[linked.clip ?? -1] ? linked.clip : null;
        return this.#adopt(opened, () => this.store.touch(() => ({ ...linked, clip })));
      }
      this.notify("warning", `The engine does not have ${linked.character.name}: open the file to see what the link shows.`);
    }
    const wish = () => (key !== null ? this.engine.request("reopen", { key }) : this.engine.request("demo", { name: "mannequin" }));
    await this.#attempt(async () => {
      const opened = await wish();
      this.#adopt(opened, () => this.store.touch((doc) => withCharacter(doc, opened)));
    });
  }

  /** @param {FileBytes[]} read */
  async #openBytes(read) {
    const { files, payload } = attach(read);
    const onto = this.character?.key ?? null;
    const opened = await this.engine.request("open", { files, onto }, payload);
    this.#opened(opened);
    const isMotion = opened.added_clip !== null;
    const name = isMotion ? `${read[0].name} on ${opened.name}` : read[0].name;
    await keep({ key: opened.key, name, files: read, onto: isMotion ? onto : null });
  }

  /** @param {OpenedMessage} opened */
  #opened(opened) {
    const clip = opened.added_clip;
    const label = clip === null ? `open ${opened.name}` : `add ${opened.clips[clip].name}`;
    const edit = (/** @type {Doc} */ doc) => (clip === null ? withCharacter(doc, opened) : withMotion(doc, opened, clip));
    this.playback.pause();
    this.#adopt(opened, () => this.store.change(label, edit));
    if (clip !== null) this.playback.play();
  }

  /**
   * Shows a character that the engine has.
   * @param {OpenedMessage} opened
   * @param {() => void} [edit] makes it the document's
   */
  #adopt(opened, edit) {
    this.#awaited = opened.key;
    this.character = opened;
    this.frame = null;
    this.#elements.notices.replaceChildren();
    edit?.();
    this.viewer.setCharacter(opened);
    this.playback.setCharacter(opened.key, opened.clips);
    this.#showWarnings(opened);
    this.#emit("opened", opened);
  }

  /** One in full; several are listed with the character. @param {OpenedMessage} opened */
  #showWarnings({ name, warnings }) {
    if (warnings.length === 1) this.notify("warning", warnings[0]);
    if (warnings.length > 1) this.notify("warning", `${name} has ${warnings.length} remarks: see "Character".`);
  }

  /** @param {Doc} doc */
  async #follow({ character }) {
    if (!character || character.key === this.#awaited) return;
    this.#awaited = character.key;
    const opened = await this.#find(character.key);
    if (this.#awaited !== character.key) return;
    if (opened) this.#adopt(opened);
    else this.#failed(`The engine does not have ${character.name} any more: open the file again.`);
  }

  /**
   * From the engine's memory, or from the browser's.
   * @param {string} key
   * @returns {Promise<OpenedMessage | null>}
   */
  async #find(key) {
    try {
      return await this.engine.request("reopen", { key });
    } catch {
      return this.#remember(key).catch(() => null);
    }
  }

  /**
   * Opens a character again that the engine has discarded.
   * @param {string} key
   * @returns {Promise<OpenedMessage | null>}
   */
  async #remember(key) {
    const demo = DEMOS.find((name) => key === `demo-${name}`);
    if (demo) return this.engine.request("demo", { name: demo });
    const kept = await keptFile(key);
    if (!kept) return null;
    if (kept.onto !== null && !(await this.#find(kept.onto))) return null;
    const { files, payload } = attach(kept.files);
    return this.engine.request("open", { files, onto: kept.onto }, payload);
  }

  /** A lost engine is back: whatever it forgot is brought to it again. */
  async #found() {
    const { character } = this.store.state;
    if (!character) return;
    this.#awaited = null;
    await this.#follow(this.store.state);
  }

  /** @param {FrameMessage} frame */
  #show(frame) {
    this.frame = frame;
    this.viewer.showFrame(frame);
    this.#emit("frame", frame);
  }

  /** @param {() => Promise<void>} work */
  async #attempt(work) {
    try {
      await work();
    } catch (error) {
      const { message, cancelled } = /** @type {EngineError} */ (error);
      if (!cancelled) this.#failed(message);
    }
  }

  /** @param {string} message */
  #failed(message) {
    this.notify("error", message);
    this.#emit("failed", message);
  }

  /**
   * @template {keyof StudioEvents} K
   * @param {K} event
   * @param {StudioEvents[K]} data
   */
  #emit(event, data) {
    for (const listener of this.#listeners.get(event) ?? []) listener(data);
  }
}

/** @param {number} bytes */
const megabytes = (bytes) => `${Math.ceil(bytes / 1e6)} MB`;
