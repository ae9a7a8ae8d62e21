// The panels, from top to bottom. A panel is one module here and, for a new question, one of the engine's requests.

import { bind } from "./bind.js";
import { cage } from "./cage.js";
import { character } from "./character.js";
import { compare } from "./compare.js";
import { flesh } from "./flesh.js";
import { header } from "./header.js";
import { implicit } from "./implicit.js";
import { motion } from "./motion.js";
import { muscles } from "./muscles.js";
import { output } from "./output.js";
import { pose } from "./pose.js";
import { skin } from "./skin.js";
import { timeline } from "./timeline.js";
import { view } from "./view.js";
import { volume } from "./volume.js";

/** @import { Panel } from "../types" */

/** @type {Panel[]} */
export const panels = [header, pose, character, skin, implicit, flesh, muscles, volume, compare, motion, cage, view, bind, output, timeline];
