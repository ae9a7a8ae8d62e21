// The view: the scene in one or two panes, drawn only after a change. The file's axes are rotated so that its up is the
// scene's y; everything of the character is in the file's axes below `world`.

import { Color, Group, NeutralToneMapping, PCFShadowMap, Scene, Vector3, WebGLRenderer } from "three";
import { handleInHand, heldPlace, isByHandles, withCage } from "../state/cage.js";
import { comparedRecipe, recipeInWords } from "../state/document.js";
import { pinInHand } from "../state/motion.js";
import { knownMuscle, withMuscle } from "../state/muscles.js";
import { AxesView } from "./axes.js";
import { backdrop } from "./backdrop.js";
import { CageView } from "./cage.js";
import { CageHandle } from "./cage_handle.js";
import { ViewCamera } from "./camera.js";
import { Coloring } from "./coloring.js";
import { ConesView } from "./cones.js";
import { FieldView } from "./field.js";
import { Gizmo } from "./gizmo.js";
import { Ground } from "./ground.js";
import { Lights } from "./lights.js";
import { ghostMaterial } from "./materials.js";
import { MotionView } from "./motion.js";
import { MuscleHandles } from "./muscle_handles.js";
import { MusclesView } from "./muscles.js";
import { Label, Legend } from "./overlay.js";
import { Panes } from "./panes.js";
import { PinHandle } from "./pin_handle.js";
import { jointNear, jointUnderSkin, listenForDrags, listenForPicks, skinAt } from "./picking.js";
import { SamplesView } from "./samples.js";
import { SkeletonView } from "./skeleton.js";
import { Surface } from "./surface.js";
import { Weights } from "./weights.js";
import { CharacterBounds } from "./character_bounds.js";

/** @import * as types from "../types" */
/** @import { CagedMessage, Doc, Engine, FieldsMessage, FrameMessage, LimbSamples, MotionMessage, OpenedMessage, Store, TopologyMessage, ViewHit } from "../types" */

const MOST_PIXELS = 2;
/** How much of the character is seen around a joint that is framed, and around one that is looked at closely. */
const JOINT_SHARE = 0.22;
const CLOSE_SHARE = 0.1;
/** Somewhat from above and from the front. */
const ASIDE = new Vector3(0, 0.2, 0.3);

/** @implements {types.Viewer} */
export class Viewer {
  element;
  renderer = new WebGLRenderer({ antialias: true });
  #store;
  #scene = new Scene();
  #world = new Group();
  #ground = new Ground();
  #lights = new Lights();
  #own = new Surface();
  #other = new Surface();
  #axes = new AxesView();
  #field = new FieldView();
  #samples = new SamplesView();
  #ghost = ghostMaterial();
  /** The cage and what limits it. */
  #caged = new Group();
  /** What takes clicks, which otherwise select joints. @type {((hit: ViewHit) => void) | null} */
  #tool = null;
  /** @type {Map<number, TopologyMessage>} */
  #topologies = new Map();
  /** @type {OpenedMessage | null} */
  #character = null;
  /** @type {FrameMessage | null} */
  #frame = null;
  /** @type {Float32Array} */
  #matrices = new Float32Array(0);
  #hovered = -1;
  #scheduled = false;
  /** Whether the camera has seen where the character's pose puts it. */
  #framed = false;

  /**
   * @param {HTMLElement} element
   * @param {Store} store
   * @param {Engine} engine
   * @param {(message: string) => void} failed
   */
  constructor(element, store, engine, failed) {
    this.element = element;
    this.#store = store;
    const invalidate = () => this.invalidate();
    const accent = new Color(getComputedStyle(document.documentElement).getPropertyValue("--accent").trim() || "#f0a35c");

    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.domElement.setAttribute("role", "img");
    this.renderer.domElement.setAttribute("aria-label", "Picture of the character");
    this.pad = document.createElement("div");
    this.pad.className = "view-pad";
    element.append(this.renderer.domElement, this.pad);

    this.skeleton = new SkeletonView(accent);
    this.where = new CharacterBounds(this.#world, this.skeleton);
    this.motion = new MotionView(accent);
    this.muscles = new MusclesView(accent);
    this.muscleHandles = new MuscleHandles();
    this.cage = new CageView(accent, (name) => this.placeOf("joints", name));
    this.cones = new ConesView(accent);
    this.panes = new Panes(element, store);
    this.camera = new ViewCamera(element, store, invalidate);
    this.hoverLabel = new Label(element, "hover");
    this.angleLabel = new Label(element, "angle");
    this.coloring = new Coloring(new Legend(element));
    this.weights = new Weights(engine, invalidate, failed);
    this.gizmo = new Gizmo(this.camera.camera, this.pad, store, invalidate, (dragging) => {
      this.camera.controls.enabled = !dragging;
      if (!dragging) this.angleLabel.hide();
    });
    this.pinHandle = new PinHandle(this.camera.camera, this.pad, store, invalidate, (dragging) => {
      this.camera.controls.enabled = !dragging;
    });
    this.cageHandle = new CageHandle(this.camera.camera, this.pad, store, invalidate, (dragging) => {
      this.camera.controls.enabled = !dragging;
    });

    this.#scene.background = backdrop();
    this.#world.add(this.#own.object, this.#other.object, this.skeleton.object, this.#axes.object, this.gizmo.standIn);
    this.#world.add(this.motion.object, this.pinHandle.standIn, this.#field.object, this.#samples.object);
    this.#world.add(this.muscles.object, this.muscleHandles.object);
    this.#caged.add(this.cage.object, this.cones.object);
    this.#world.add(this.#caged, this.cageHandle.standIn);
    this.#scene.add(this.#world, this.#ground.object, this.#lights.object);
    this.#scene.add(...this.#handles.map(({ helper }) => helper));

    new ResizeObserver(() => this.#resize()).observe(element);
    listenForDrags(element, this.pad, {
      grab: (x, y) => this.#grabMuscle(x, y),
      move: (x, y) => this.#dragMuscle(x, y),
      release: () => this.#releaseMuscle(),
    });
    listenForPicks(element, this.pad, {
      onHandle: () => this.#handles.some(({ controls }) => controls.axis !== null),
      hover: (x, y) => this.#hoverAt(x, y),
      pick: (x, y) => this.#pick(x, y),
    });
    store.subscribe((doc) => this.#follow(doc));
    engine.on("topology", (message) => this.#topologies.set(message.topology, message));
    engine.on("musculature", (message) => this.muscles.know(message));
    engine.on("hello", () => this.#forgetSurfaces());
  }

  /** What is dragged with the pointer. */
  get #handles() {
    return [this.gizmo, this.pinHandle, this.cageHandle];
  }

  /** Draws before the next picture of the screen. */
  invalidate() {
    if (this.#scheduled) return;
    this.#scheduled = true;
    requestAnimationFrame(() => {
      this.#scheduled = false;
      this.camera.controls.update();
      this.draw();
    });
  }

  /** @param {OpenedMessage} opened */
  setCharacter(opened) {
    this.#character = opened;
    this.#world.rotation.set(opened.up === "z" ? -Math.PI / 2 : 0, 0, opened.up === "x" ? Math.PI / 2 : 0);
    this.#world.updateMatrixWorld(true);
    this.where.build(opened);
    const { box, size } = this.where;
    this.#own.clear();
    this.#other.clear();
    this.skeleton.build(opened, size);
    this.#axes.build(opened.joints, size);
    this.motion.build(opened, size);
    this.#field.show(null);
    this.muscles.show(null);
    this.cage.show(null);
    this.cones.build([], opened.joints);
    this.#showJoints(Float32Array.from(opened.joints.flatMap(({ rest }) => rest)));
    this.coloring.setCharacter(opened, () => this.invalidate());
    this.camera.setSize(size);
    this.#resize();
    this.camera.start(box);
    this.#framed = false;
    this.#follow(this.#store.state);
  }

  /** @param {FrameMessage} frame */
  showFrame(frame) {
    if (frame.key !== this.#character?.key) return;
    const topologyOf = (/** @type {number} */ topology) => this.#topologies.get(topology);
    this.#frame = frame;
    this.#own.show(frame.surfaces[0], frame.payload, topologyOf);
    if (frame.surfaces[1]) this.#other.show(frame.surfaces[1], frame.payload, topologyOf);
    else this.#other.clear();
    this.muscles.show(frame);
    this.#showJoints(frame.payload.floats({ at: frame.joints.at, count: 16 * this.#character.joints.length }));
    this.cage.follow(frame);
    this.#holdHandle(this.#store.state);
    this.motion.ghost(frame.source && frame.payload.floats(frame.source), this.skeleton.bones);
    if (!this.#framed) this.camera.start(this.where.posedBox);
    this.#framed = true;
    this.#dress(this.#store.state);
    this.invalidate();
  }

  /** @param {MotionMessage | null} motion */
  showMotion(motion) {
    this.motion.show(motion);
    this.#follow(this.#store.state);
    this.invalidate();
  }

  /** @param {FieldsMessage | null} fields */
  showFields(fields) {
    this.#field.show(fields);
    this.invalidate();
  }

  /** @param {LimbSamples | null} samples */
  showSamples(samples) {
    this.#samples.show(samples);
    this.invalidate();
  }

  /** @param {CagedMessage | null} caged */
  showCage(caged) {
    this.cage.show(caged);
    this.cones.build(caged?.bones ?? [], this.#character?.joints ?? []);
    if (this.#frame) this.cage.follow(this.#frame);
    this.#follow(this.#store.state);
    this.invalidate();
  }

  /**
   * @param {"joints" | "markers"} kind
   * @param {string} name
   * @returns {types.Vector3 | null}
   */
  placeOf(kind, name) {
    if (kind === "markers") return this.cage.placeOf(name);
    const joint = this.#index(name);
    return joint < 0 ? null : /** @type {types.Vector3} */ ([...this.skeleton.positions.slice(3 * joint, 3 * joint + 3)]);
  }

  /** @param {((hit: ViewHit) => void) | null} tool */
  useTool(tool) {
    this.#tool = tool;
    this.#point(null);
    this.#hover(-1);
    this.#follow(this.#store.state);
  }

  frameView() {
    const selected = this.#index(this.#store.state.selected);
    if (selected < 0) return this.camera.frame(this.where.posedBox);
    this.camera.frame(this.where.around(selected, JOINT_SHARE));
  }

  /**
   * Goes close to a joint, on its own side of the character.
   * @param {string} joint
   * @returns {NonNullable<Doc["camera"]>} for the document
   */
  lookAt(joint) {
    const box = this.where.around(this.#index(joint), CLOSE_SHARE);
    const outward = box.getCenter(new Vector3()).sub(this.where.posedBox.getCenter(new Vector3())).setY(0).normalize();
    return this.camera.look(box, outward.add(ASIDE).normalize());
  }

  /**
   * Draws now: the canvas can be copied until the script yields.
   * @param {boolean} handles whether the rings of the selected joint are part of the picture
   */
  draw(handles = true) {
    const { renderer, panes } = this;
    const { view, compare, time } = this.#store.state;
    // Pictures of a clip include times whose fields were not requested.
    const hasFields = this.#frame?.seconds === time;
    const height = this.element.clientHeight;
    this.skeleton.object.visible = this.motion.object.visible = view.skeleton;
    this.#axes.object.visible = view.frames;
    this.#ground.object.visible = view.ground;
    this.skeleton.pixelRatio = renderer.getPixelRatio();
    renderer.setScissorTest(true);
    for (const pane of panes.list) {
      if (pane.clipWidth <= 0) continue;
      const other = pane.shows === "other" && this.#other.topology >= 0;
      const hasMuscles = !other && this.muscles.isShown;
      this.muscles.object.visible = hasMuscles;
      this.muscleHandles.object.visible = hasMuscles && handles;
      const isHidden = this.cage.hidesMesh || (hasMuscles && view.muscles === "bare");
      this.#own.object.visible = !other && this.#own.topology >= 0 && !isHidden;
      this.#other.object.visible = other;
      this.#caged.visible = !other;
      this.#field.object.visible = this.#samples.object.visible = !other && hasFields;
      const turnable = pane.shows === "this" || compare.mode === "wipe";
      for (const { helper, controls } of this.#handles) {
        helper.visible = handles && turnable && controls.object !== undefined;
      }
      renderer.setViewport(pane.left, 0, pane.width, height);
      renderer.setScissor(pane.clipLeft, 0, pane.clipWidth, height);
      renderer.render(this.#scene, this.camera.camera);
    }
    this.#placeLabels();
  }

  /** @param {Doc} doc */
  #follow(doc) {
    const compared = comparedRecipe(doc);
    this.panes.update(doc.compare.mode, recipeInWords(doc.recipe), compared ? recipeInWords(compared) : "");
    const selected = this.#index(doc.selected);
    const isByCage = isByHandles(doc);
    const pin = isByCage ? -1 : pinInHand(doc, this.#character);
    this.motion.follow(doc, this.#character);
    this.pinHandle.hold(pin, this.motion.placeOf(doc.recipe.motion.pins[pin]));
    this.cage.update(doc);
    this.cones.update(doc);
    this.#holdHandle(doc);
    this.gizmo.select(selected < 0 || pin >= 0 || isByCage || this.#tool ? null : doc.selected);
    if (selected >= 0) this.gizmo.follow(this.#matrices, selected);
    this.skeleton.mark(selected, this.#hovered);
    this.muscles.mark(doc.muscle);
    this.#followMuscle(doc);
    this.#own.wireframe = this.#other.wireframe = doc.view.wireframe;
    this.#resize();
    this.camera.follow(doc.camera);
    this.#dress(doc);
  }

  /** Attaches to the selected handle, if handles move the mesh. @param {Doc} doc */
  #holdHandle(doc) {
    const handle = isByHandles(doc) && !this.#tool ? handleInHand(doc) : null;
    if (!handle) return this.cageHandle.hold(null, null);
    this.cageHandle.hold(handle, heldPlace(doc, handle) ?? this.placeOf(handle.kind, handle.name));
  }

  /** @param {Doc} doc */
  #dress(doc) {
    const material = this.coloring.update(doc, this.#frame);
    this.#own.material = this.muscles.isShown ? this.#ghost : material;
    this.#other.material = material;
    this.weights.update(doc, this.#own, this.#other);
  }

  /** @param {Doc} doc */
  #followMuscle({ muscle, recipe }) {
    const info = this.muscles.find(muscle);
    this.muscleHandles.follow(info ? knownMuscle(recipe.muscles, info) : null, this.#character, this.#matrices);
  }

  /** @param {number} x @param {number} y */
  #grabMuscle(x, y) {
    this.muscleHandles.held = this.#tool ? null : this.muscleHandles.near(this.camera.camera, this.panes.own, x, y);
    return this.muscleHandles.held !== null;
  }

  /** @param {number} x @param {number} y */
  #dragMuscle(x, y) {
    const { musculature } = this.muscles;
    const moved = musculature && this.muscleHandles.drag(this.camera.camera, this.panes.own, x, y, musculature);
    if (!moved) return;
    const { name, end, places } = moved;
    const label = `move the ${end === "from" ? "origin" : "insertion"} of ${name}`;
    this.#store.change(
      label,
      (doc) => ({
        ...doc,
        recipe: { ...doc.recipe, muscles: withMuscle(doc.recipe.muscles, name, { [end]: places }, doc.view.mirror) },
      }),
      label,
    );
    this.invalidate();
  }

  #releaseMuscle() {
    this.muscleHandles.held = null;
    this.#store.seal();
    this.#follow(this.#store.state);
  }

  #forgetSurfaces() {
    this.#topologies.clear();
    this.#own.clear();
    this.#other.clear();
    this.muscles.know(null);
    this.muscles.show(null);
  }

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === 0 || height === 0) return;
    const ratio = Math.min(devicePixelRatio, MOST_PIXELS);
    const { own } = this.panes;
    const canvas = this.renderer.domElement;
    if (canvas.clientWidth !== width || canvas.clientHeight !== height || this.renderer.getPixelRatio() !== ratio) {
      this.renderer.setPixelRatio(ratio);
      this.renderer.setSize(width, height);
    }
    const { camera } = this.camera;
    if (camera.aspect !== own.width / height) {
      camera.aspect = own.width / height;
      camera.updateProjectionMatrix();
    }
    Object.assign(this.pad.style, { left: `${own.left}px`, width: `${own.width}px` });
    this.invalidate();
  }

  /** @param {Float32Array} matrices */
  #showJoints(matrices) {
    this.#matrices = matrices;
    this.skeleton.update(matrices);
    this.#axes.update(matrices);
    this.cones.follow(matrices);
    const selected = this.#index(this.#store.state.selected);
    if (selected >= 0) this.gizmo.follow(matrices, selected);
    this.#followMuscle(this.#store.state);
    const { box, center, size } = this.where;
    this.#ground.place(center.x, box.min.y, center.z, size);
    this.#lights.place(center.x, (box.min.y + box.max.y) / 2, center.z, size);
  }

  /** @param {string | null} name @returns {number} */
  #index(name) {
    return name === null || !this.#character ? -1 : this.#character.joints.findIndex((joint) => joint.name === name);
  }

  #placeLabels() {
    const { camera } = this.camera;
    const name = this.#character?.joints[this.#hovered]?.name;
    if (name && !this.gizmo.dragging) this.hoverLabel.place(name, this.where.placeOf(this.#hovered), camera, this.panes.own);
    else this.hoverLabel.hide();
    const selected = this.#index(this.#store.state.selected);
    if (this.gizmo.dragging && selected >= 0) {
      this.angleLabel.place(this.gizmo.angle, this.where.placeOf(selected), camera, this.panes.own);
    }
  }

  /** @param {number} x @param {number} y @returns {number} -1 for none */
  #jointAt(x, y) {
    if (!this.#store.state.view.skeleton || this.#tool) return -1;
    return jointNear(this.skeleton, this.#world, this.camera.camera, this.panes.own, x, y);
  }

  /** @param {number} x @param {number} y */
  #hoverAt(x, y) {
    const handle = this.#tool ? null : this.muscleHandles.near(this.camera.camera, this.panes.own, x, y);
    this.#point(handle);
    this.#hover(handle ? -1 : this.#jointAt(x, y));
  }

  /** Sets the cursor for the handle under the pointer. @param {object | null} handle what can be dragged */
  #point(handle) {
    this.pad.style.cursor = this.#tool ? "crosshair" : handle ? "grab" : "";
  }

  /** @param {number} joint */
  #hover(joint) {
    if (joint === this.#hovered) return;
    this.#hovered = joint;
    this.element.style.cursor = joint >= 0 ? "pointer" : "";
    this.skeleton.mark(this.#index(this.#store.state.selected), joint);
    this.invalidate();
  }

  /** @param {number} x @param {number} y */
  #pick(x, y) {
    const { camera } = this.camera;
    const skin = skinAt(camera, this.panes.own, this.#own, x, y);
    if (this.#tool) {
      const sample = this.#samples.nearest(camera, this.panes.own, x, y);
      return this.#tool({ sample, skin: skin && this.#samples.take(skin), place: skin });
    }
    const marker = this.cage.markerNear(this.#world.matrixWorld, camera, this.panes.own, x, y);
    if (marker !== null) return this.#store.change(`take marker ${marker}`, (doc) => withCage(doc, { marker }));
    const dot = this.#jointAt(x, y);
    const muscle = dot >= 0 ? null : this.muscles.at(camera, this.panes.own, x, y);
    if (muscle !== null) return this.#store.change(`select ${muscle}`, (doc) => ({ ...doc, muscle, selected: null }));
    const joint = dot >= 0 ? dot : jointUnderSkin(this.skeleton, skin);
    const selected = this.#character?.joints[joint]?.name ?? null;
    const label = selected === null ? "select nothing" : `select ${selected}`;
    // Where muscles are seen, one thing is selected at a time.
    const kept = (/** @type {Doc} */ doc) => (this.muscles.isShown ? null : doc.muscle);
    this.#store.change(label, (doc) =>
      doc.selected === selected && doc.muscle === kept(doc) ? doc : { ...doc, selected, muscle: kept(doc) },
    );
  }
}
