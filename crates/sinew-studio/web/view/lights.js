// The lights: a key light with a shadow, a cool fill light opposite, a rim light from behind, and ambient light from
// above and below.

import { DirectionalLight, Group, HemisphereLight } from "three";

/** Directions towards the lights, x to the right of who looks at the character's front. */
const KEY = /** @type {const} */ ([-0.55, 1.25, 0.8]);
const FILL = /** @type {const} */ ([1.0, 0.35, 0.6]);
const RIM = /** @type {const} */ ([0.5, 0.8, -1.2]);

export class Lights {
  object = new Group();
  #key = new DirectionalLight(0xfff0df, 3.0);
  #fill = new DirectionalLight(0xc9d8ff, 0.9);
  #rim = new DirectionalLight(0xdfe8ff, 2.2);
  #size = 1;

  constructor() {
    const { shadow } = this.#key;
    this.#key.castShadow = true;
    shadow.mapSize.set(1024, 1024);
    shadow.radius = 3;
    for (const light of [this.#key, this.#fill, this.#rim]) this.object.add(light, light.target);
    this.object.add(new HemisphereLight(0xe9eefc, 0x8f8a86, 1.4));
  }

  /**
   * The lights and the shadow follow the character.
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {number} size
   */
  place(x, y, z, size) {
    const lights = /** @type {const} */ ([
      [this.#key, KEY],
      [this.#fill, FILL],
      [this.#rim, RIM],
    ]);
    for (const [light, [towardsX, towardsY, towardsZ]] of lights) {
      light.target.position.set(x, y, z);
      light.position.set(x + 2 * size * towardsX, y + 2 * size * towardsY, z + 2 * size * towardsZ);
    }
    if (size === this.#size) return;
    this.#size = size;
    const { shadow } = this.#key;
    Object.assign(shadow.camera, { left: -size, right: size, top: size, bottom: -size, near: size, far: 6 * size });
    shadow.camera.updateProjectionMatrix();
    shadow.normalBias = 0.004 * size;
    shadow.bias = -0.0004;
  }
}
