// The open character, and other characters to open.

import { element } from "../widgets/dom.js";
import { button, buttonRow } from "../widgets/form.js";
import { counted, short } from "../numbers.js";

/** @import { OpenedMessage, Panel, Studio } from "../types" */

/** @type {Panel} */
export const character = { id: "character", title: "Character", place: "right", mount };

/** @param {HTMLElement} body @param {Studio} studio */
function mount(body, studio) {
  const facts = element("dl", { class: "facts" });
  const warnings = element("ul", { class: "warnings" });
  const recents = element("ul", { class: "recents" });
  const demo = (/** @type {"mannequin" | "tube"} */ name, /** @type {string} */ label, /** @type {string} */ title) =>
    button({ label, title, onClick: () => void studio.openDemo(name) });
  body.append(
    facts,
    warnings,
    buttonRow(
      button({
        label: "Open…",
        look: "primary",
        title: `Open a character or a motion, or drop it on the page: ${studio.engine.hello.formats.open.join(", ")}`,
        onClick: () => studio.chooseFiles(),
      }),
      demo("mannequin", "Mannequin", "The demo figure, with an elbow that bends"),
      demo("tube", "Tube", "A tube that bends: the clearest view of what a profile does"),
    ),
    recents,
  );
  const render = () => {
    facts.replaceChildren(...(studio.character ? rows(studio.character) : [element("dd", {}, "Nothing is open yet.")]));
    warnings.replaceChildren(...(studio.character?.warnings ?? []).map((warning) => element("li", {}, warning)));
    void listRecents(recents, studio);
  };
  render();
  studio.on("opened", render);
}

/** @param {OpenedMessage} opened */
function rows(opened) {
  const joints = opened.joints.filter((joint) => joint.joint).length;
  const [min, max] = [opened.bounds.min, opened.bounds.max];
  const size = max.map((value, k) => short(value - min[k], 2)).join(" × ");
  const table = [
    ["Name", opened.name],
    ["Format", opened.format],
    ["Vertices", counted(opened.vertices)],
    ["Triangles", counted(opened.triangles)],
    ["Joints", counted(joints)],
    ["Clips", opened.clips.length === 0 ? "none" : counted(opened.clips.length)],
    ["Size", `${size}${unitOf(opened.units)}`],
  ];
  return table.flatMap(([term, value]) => [element("dt", {}, term), element("dd", { title: value }, value)]);
}

/** @param {number | null} metres */
function unitOf(metres) {
  if (metres === null) return " (unit: unknown)";
  const known = [
    [1, "m"],
    [0.01, "cm"],
    [0.001, "mm"],
    [0.0254, "in"],
    [0.3048, "ft"],
  ].find(([length]) => Math.abs(metres / Number(length) - 1) < 1e-6);
  return known ? ` ${known[1]}` : ` × ${short(metres, 4)} m`;
}

/** @param {HTMLElement} list @param {Studio} studio */
async function listRecents(list, studio) {
  const files = (await studio.recent()).filter((file) => file.key !== studio.character?.key).slice(0, 5);
  list.replaceChildren(
    ...files.map((file) =>
      element(
        "li",
        {},
        element(
          "button",
          {
            type: "button",
            class: "quiet",
            title: `Open ${file.name} again`,
            onclick: () => void studio.openRecent(file.key),
          },
          file.name,
        ),
      ),
    ),
  );
}
