// The ground: a grid that fades out, with the character's shadow. A cell of the fine grid is a tenth of one of the
// coarse grid, which is the power of ten (in the file's units) next below the character's size.

import { Color, Group, Mesh, PlaneGeometry, ShaderMaterial, ShadowMaterial, Vector2 } from "three";

const REACH = 7;

const VERTEX = `
  varying vec2 place;
  void main() {
    vec4 world = modelMatrix * vec4(position, 1.0);
    place = world.xz;
    gl_Position = projectionMatrix * viewMatrix * world;
  }`;

const FRAGMENT = `
  uniform vec3 color;
  uniform vec2 center;
  uniform float cell;
  uniform float reach;
  varying vec2 place;

  // How much of a pixel is covered by the lines of a grid of that cell; it fades where cells get as small as pixels.
  float lines(vec2 at, float size) {
    vec2 cells = at / size;
    vec2 width = fwidth(cells);
    vec2 distance = abs(fract(cells - 0.5) - 0.5) / width;
    float line = 1.0 - min(min(distance.x, distance.y), 1.0);
    return line * (1.0 - smoothstep(0.2, 0.5, max(width.x, width.y)));
  }

  void main() {
    float fade = 1.0 - smoothstep(0.25, 1.0, length(place - center) / reach);
    float strength = max(0.07 * lines(place, cell * 0.1), 0.2 * lines(place, cell));
    gl_FragColor = vec4(color, strength * fade * fade);
    #include <colorspace_fragment>
  }`;

export class Ground {
  object = new Group();
  #uniforms = {
    color: { value: new Color(0xdfe3ea) },
    center: { value: new Vector2() },
    cell: { value: 1 },
    reach: { value: 1 },
  };

  constructor() {
    const plane = new PlaneGeometry(2, 2).rotateX(-Math.PI / 2);
    const grid = new Mesh(
      plane,
      new ShaderMaterial({
        uniforms: this.#uniforms,
        vertexShader: VERTEX,
        fragmentShader: FRAGMENT,
        transparent: true,
        depthWrite: false,
      }),
    );
    const shadow = new Mesh(plane, new ShadowMaterial({ opacity: 0.42, depthWrite: false }));
    shadow.receiveShadow = true;
    shadow.renderOrder = -2;
    grid.renderOrder = -1;
    this.object.add(shadow, grid);
  }

  /**
   * @param {number} x
   * @param {number} y the height of the ground
   * @param {number} z
   * @param {number} size the character's
   */
  place(x, y, z, size) {
    const reach = REACH * size;
    this.object.position.set(x, y, z);
    this.object.scale.set(reach, 1, reach);
    this.#uniforms.center.value.set(x, z);
    this.#uniforms.reach.value = reach;
    this.#uniforms.cell.value = 10 ** Math.floor(Math.log10(size));
  }
}
