// The start of the page: the engine's hello, then the document of the address, of the command line or of the demo, then
// the panels.

import { Engine } from "./engine/connection.js";
import { fromHash, keepAddress } from "./state/address.js";
import { newDocument } from "./state/document.js";
import { listenForDrops } from "./drop.js";
import { listenToKeys } from "./keyboard.js";
import { panels } from "./panels/index.js";
import { followPointer } from "./pointer.js";
import { Studio } from "./studio.js";

/** @import { Doc, Panel } from "./types" */

/** @param {string} id */
function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`index.html has no element "${id}"`);
  return found;
}

/**
 * Panels at the right are sections that open and close.
 * @param {Panel} panel
 * @param {Studio} studio
 */
function mount(panel, studio) {
  const places = { top: "bar", left: "left", right: "right", bottom: "bottom" };
  const body = document.createElement("div");
  body.className = "panel-body";
  if (panel.place === "right") {
    const section = document.createElement("details");
    const summary = document.createElement("summary");
    summary.textContent = panel.title;
    section.className = "panel";
    section.id = `panel-${panel.id}`;
    section.open = panel.open ?? false;
    section.append(summary, body);
    byId(places.right).append(section);
  } else {
    const section = document.createElement("section");
    section.className = "panel";
    section.id = `panel-${panel.id}`;
    section.setAttribute("aria-label", panel.title);
    section.append(body);
    byId(places[panel.place]).append(section);
  }
  panel.mount(body, studio);
}

/** @param {Doc} defaults */
async function linkedDocument(defaults) {
  try {
    return { doc: await fromHash(location.hash, defaults), broken: false };
  } catch {
    return { doc: null, broken: true };
  }
}

async function start() {
  const kind = document.querySelector("meta[name=sinew-engine]")?.getAttribute("content");
  const engine = new Engine(kind === "worker" ? "worker" : "socket");
  const connection = byId("connection");
  engine.on("status", (status) => {
    connection.hidden = status !== "lost";
  });
  const hello = await new Promise((/** @type {(hello: import("./types").HelloMessage) => void} */ resolve) => {
    const off = engine.on("hello", (message) => {
      off();
      resolve(message);
    });
  });

  const defaults = newDocument(hello.recipe);
  const { doc: linked, broken } = await linkedDocument(defaults);
  const studio = new Studio(engine, {
    view: byId("view"),
    notices: byId("notices"),
    files: /** @type {HTMLInputElement} */ (byId("files")),
  });
  Object.assign(window, { sinew: studio });
  for (const panel of panels) mount(panel, studio);
  listenToKeys(studio);
  listenForDrops(studio, byId("drop"));
  followPointer((isHeld) => studio.playback.hold(isHeld));
  if (broken) studio.notify("warning", "The address is not one that this page wrote; it was left aside.");
  await studio.start(linked);
  keepAddress(studio.store, defaults);
  window.addEventListener("hashchange", () => location.reload());
}

/** Shows why the page is empty. @param {Error} error */
function apologize(error) {
  const message = document.createElement("p");
  message.className = "apology";
  message.setAttribute("role", "alert");
  message.textContent = /WebGL/.test(error.message)
    ? "This browser does not draw in three dimensions here. Switch on hardware acceleration (WebGL 2) in its settings and load the page again."
    : `The studio could not start: ${error.message}`;
  byId("view").append(message);
}

start().catch(apologize);
