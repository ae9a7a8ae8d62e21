// The materials of the surfaces: the file's own, clay, or a colour for every value.

import {
  DoubleSide,
  FrontSide,
  MeshStandardMaterial,
  RepeatWrapping,
  SRGBColorSpace,
  Texture,
  Vector2,
} from "three";
import { rampTexture } from "./colors.js";

/** @import { WebGLProgramParametersWithUniforms } from "three" */
/** @import { MaterialInfo, OpenedMessage } from "../types" */
/** @import { ValueColoring } from "./colors.js" */

const CLAY = 0xc4b5a5;
/** There is nothing around for metal to mirror: all metal would be black. */
const MOST_METALLIC = 0.4;

/** Faces give way a little to the wireframe that lies on them. */
const BEHIND_LINES = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };

export function clayMaterial() {
  return new MeshStandardMaterial({ color: CLAY, roughness: 0.72, metalness: 0, side: DoubleSide, ...BEHIND_LINES });
}

/** Skin that is seen through: nothing of it hides what is under it. */
export function ghostMaterial() {
  return new MeshStandardMaterial({ color: CLAY, roughness: 0.72, metalness: 0, transparent: true, opacity: 0.22, depthWrite: false });
}

/** Colours a surface by its attribute `value`, from the low to the high end of a range. */
export class ValueMaterial extends MeshStandardMaterial {
  range = new Vector2(0, 1);
  #ramp;

  /** @param {ValueColoring} coloring */
  constructor(coloring) {
    super({ roughness: 0.8, metalness: 0, side: DoubleSide, ...BEHIND_LINES });
    this.#ramp = rampTexture(coloring);
  }

  /** @param {WebGLProgramParametersWithUniforms} shader */
  onBeforeCompile(shader) {
    shader.uniforms.ramp = { value: this.#ramp };
    shader.uniforms.range = { value: this.range };
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nattribute float value;\nvarying float vertexValue;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nvertexValue = value;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>\n${RAMP_UNIFORMS}`)
      .replace("#include <map_fragment>", RAMP_LOOKUP);
  }

  customProgramCacheKey() {
    return "value";
  }
}

const RAMP_UNIFORMS = "uniform sampler2D ramp;\nuniform vec2 range;\nvarying float vertexValue;";
const RAMP_LOOKUP = `
  float share = clamp((vertexValue - range.x) / max(range.y - range.x, 1e-30), 0.0, 1.0);
  diffuseColor.rgb = texture2D(ramp, vec2((share * 255.0 + 0.5) / 256.0, 0.5)).rgb;`;

/**
 * The file's materials; the first is for what has none. Textures come when they are decoded.
 * @param {OpenedMessage} opened
 * @param {() => void} changed
 */
export function fileMaterials(opened, changed) {
  const textures = opened.images.map((image) => decodedTexture(opened, image, changed));
  return [clayMaterial(), ...opened.materials.map((info) => fileMaterial(info, textures))];
}

/**
 * @param {MaterialInfo} info
 * @param {Promise<Texture | null>[]} textures
 */
function fileMaterial(info, textures) {
  const [red, green, blue, alpha] = info.color;
  const material = new MeshStandardMaterial({
    name: info.name,
    metalness: MOST_METALLIC * info.metallic,
    roughness: info.roughness,
    side: info.double_sided ? DoubleSide : FrontSide,
    opacity: info.alpha === "opaque" ? 1 : alpha,
    transparent: info.alpha === "blend",
    alphaTest: info.alpha === "mask" ? info.cutoff : 0,
    ...BEHIND_LINES,
  });
  material.color.setRGB(red, green, blue);
  if (info.image !== null) {
    void textures[info.image]?.then((texture) => {
      material.map = texture;
      material.needsUpdate = true;
    });
  }
  return material;
}

/**
 * @param {OpenedMessage} opened
 * @param {OpenedMessage["images"][number]} image
 * @param {() => void} changed
 * @returns {Promise<Texture | null>} null for an image that the browser cannot read
 */
async function decodedTexture(opened, image, changed) {
  try {
    const blob = new Blob([opened.payload.bytes(image)], { type: image.mime });
    const texture = new Texture(await createImageBitmap(blob, { colorSpaceConversion: "none" }));
    texture.colorSpace = SRGBColorSpace;
    texture.wrapS = texture.wrapT = RepeatWrapping;
    texture.flipY = false;
    texture.anisotropy = 8;
    texture.needsUpdate = true;
    setTimeout(changed);
    return texture;
  } catch {
    return null;
  }
}
