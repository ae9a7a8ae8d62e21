// Compresses binary glTF files by the libraries that the formats come from, for tests of the reader:
//   node compress-gltf.mjs METHOD IN.glb OUT.glb [IN.glb OUT.glb ...]
// METHOD is meshopt-0 or meshopt-1 (versions of the attribute stream, lossless), meshopt-filters,
// draco-sequential (keeps the order of vertices) or draco-edgebreaker. Exits with 3 if a library is missing.

import { readFile, writeFile } from "node:fs/promises";

let MeshoptEncoder, draco3d;
try {
  ({ MeshoptEncoder } = await import("meshoptimizer"));
  draco3d = (await import("draco3d")).default;
} catch (error) {
  console.error(`cannot be run, run "npm ci": ${error.message}`);
  process.exit(3);
}

const TYPES = { 5120: Int8Array, 5121: Uint8Array, 5122: Int16Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array };
const WIDTHS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
const FLOAT = 5126;

class Glb {
  constructor(file) {
    const words = new DataView(file.buffer, file.byteOffset, file.length);
    const jsonLength = words.getUint32(12, true);
    this.json = JSON.parse(file.subarray(20, 20 + jsonLength).toString());
    this.binary = file.subarray(28 + jsonLength);
    this.parts = [];
    this.length = 0;
  }

  /** The numbers of an accessor without gaps. */
  numbers(index) {
    const accessor = this.json.accessors[index];
    const view = this.json.bufferViews[accessor.bufferView];
    const Type = TYPES[accessor.componentType];
    const width = WIDTHS[accessor.type];
    const size = width * Type.BYTES_PER_ELEMENT;
    const stride = view.byteStride ?? size;
    const numbers = new Type(accessor.count * width);
    const bytes = new Uint8Array(numbers.buffer);
    const start = (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
    for (let i = 0; i < accessor.count; i++) {
      bytes.set(this.binary.subarray(start + i * stride, start + i * stride + size), i * size);
    }
    return numbers;
  }

  /** Appends bytes to the new buffer, and gives their place. */
  append(bytes) {
    const byteOffset = this.length;
    const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
    padded.set(bytes);
    this.parts.push(padded);
    this.length += padded.length;
    return { buffer: 0, byteOffset, byteLength: bytes.length };
  }

  copyView(index) {
    const view = this.json.bufferViews[index];
    const start = view.byteOffset ?? 0;
    Object.assign(view, this.append(this.binary.subarray(start, start + view.byteLength)));
  }

  file() {
    const binary = Buffer.concat(this.parts);
    this.json.buffers[0] = { byteLength: binary.length };
    const text = JSON.stringify(this.json);
    const json = Buffer.from(text.padEnd(Math.ceil(Buffer.byteLength(text) / 4) * 4 + text.length - Buffer.byteLength(text)));
    const header = Buffer.alloc(20);
    header.write("glTF");
    [2, 28 + json.length + binary.length, json.length].forEach((word, k) => header.writeUInt32LE(word, 4 + 4 * k));
    header.write("JSON", 16);
    const chunk = Buffer.alloc(8);
    chunk.writeUInt32LE(binary.length, 0);
    chunk.write("BIN", 4);
    return Buffer.concat([header, json, chunk, binary]);
  }

  require(...names) {
    for (const list of ["extensionsUsed", "extensionsRequired"]) {
      this.json[list] = [...new Set([...(this.json[list] ?? []), ...names])];
    }
  }
}

function compressByMeshopt(glb, method) {
  const { json } = glb;
  const primitives = (json.meshes ?? []).flatMap((mesh) => mesh.primitives);
  const triangles = new Set(primitives.filter((p) => (p.mode ?? 4) === 4).map((p) => p.indices));
  const attributes = (name) => new Set(primitives.map((p) => p.attributes[name]));
  const [normals, colours, positions] = [attributes("NORMAL"), attributes("COLOR_0"), attributes("POSITION")];
  const samplers = (path) =>
    (json.animations ?? []).flatMap((a) => a.channels.filter((c) => c.target.path === path).map((c) => a.samplers[c.sampler]));
  const rotations = new Set(samplers("rotation").map((s) => s.output));
  const extension = method === "meshopt-0" ? "EXT_meshopt_compression" : "KHR_meshopt_compression";
  const version = method === "meshopt-0" ? 0 : 1;
  const accessorViews = new Set(json.accessors.map((a) => a.bufferView));
  json.bufferViews.forEach((_, k) => accessorViews.has(k) || glb.copyView(k));
  const views = [];
  json.accessors.forEach((accessor, k) => {
    if (accessor.bufferView === undefined) return;
    const numbers = glb.numbers(k);
    const { count } = accessor;
    let size = numbers.byteLength / count;
    let [mode, filter, bytes] = ["ATTRIBUTES", "NONE", undefined];
    const isFloat = accessor.componentType === FLOAT;
    if (accessor.type === "SCALAR" && primitives.some((p) => p.indices === k) && size > 1) {
      // Every other list of triangles goes as a sequence, so that both modes are in the file.
      mode = triangles.has(k) && k % 2 === 0 ? "TRIANGLES" : "INDICES";
      bytes = new Uint8Array(numbers.buffer);
    } else if (method === "meshopt-filters" && isFloat && normals.has(k)) {
      const four = Float32Array.from({ length: 4 * count }, (_, i) => (i % 4 === 3 ? 0 : numbers[3 * Math.floor(i / 4) + (i % 4)]));
      const wide = k % 2 === 0;
      [filter, size, bytes] = ["OCTAHEDRAL", wide ? 8 : 4, MeshoptEncoder.encodeFilterOct(four, count, wide ? 8 : 4, wide ? 12 : 8)];
      Object.assign(accessor, { componentType: wide ? 5122 : 5120, normalized: true });
    } else if (method === "meshopt-filters" && isFloat && rotations.has(k)) {
      [filter, size, bytes] = ["QUATERNION", 8, MeshoptEncoder.encodeFilterQuat(numbers, count, 8, 16)];
      Object.assign(accessor, { componentType: 5122, normalized: true });
    } else if (method === "meshopt-filters" && isFloat && colours.has(k) && accessor.type === "VEC4") {
      [filter, size, bytes] = ["COLOR", 4, MeshoptEncoder.encodeFilterColor(numbers, count, 4, 8)];
      Object.assign(accessor, { componentType: 5121, normalized: true });
    } else if (method === "meshopt-filters" && isFloat && positions.has(k)) {
      [filter, bytes] = ["EXPONENTIAL", MeshoptEncoder.encodeFilterExp(numbers, count, size, 22)];
    } else {
      const stride = Math.ceil(size / 4) * 4;
      const source = new Uint8Array(numbers.buffer);
      bytes = new Uint8Array(stride * count);
      for (let i = 0; i < count; i++) bytes.set(source.subarray(i * size, (i + 1) * size), i * stride);
      size = stride;
    }
    // The highest level also differs numbers of 32 bits.
    const encoded =
      mode === "ATTRIBUTES"
        ? MeshoptEncoder.encodeVertexBufferLevel(bytes, count, size, 3, version)
        : MeshoptEncoder.encodeGltfBuffer(bytes, count, size, mode, version);
    const place = glb.append(encoded);
    const view = { buffer: 1, byteOffset: 0, byteLength: size * count };
    if (mode === "ATTRIBUTES") view.byteStride = size;
    view.extensions = { [extension]: { ...place, byteStride: size, count, mode, filter } };
    accessor.bufferView = json.bufferViews.length + views.push(view) - 1;
    accessor.byteOffset = 0;
  });
  json.bufferViews.push(...views);
  json.buffers[1] = { byteLength: Math.max(...views.map((v) => v.byteLength)), extensions: { [extension]: { fallback: true } } };
  glb.require(extension, "KHR_mesh_quantization");
}

function compressByDraco(glb, draco, isSequential) {
  const { json } = glb;
  const gone = new Set();
  const mostBits = { POSITION: 16, NORMAL: 12, TEX_COORD: 14, COLOR: 10, GENERIC: 12 };
  for (const primitive of json.meshes.flatMap((mesh) => mesh.primitives)) {
    if (primitive.indices === undefined || (primitive.mode ?? 4) !== 4) continue;
    const builder = new draco.MeshBuilder();
    const mesh = new draco.Mesh();
    const encoder = new draco.Encoder();
    const indices = Uint32Array.from(glb.numbers(primitive.indices));
    builder.AddFacesToMesh(mesh, indices.length / 3, indices);
    const attributes = {};
    for (const [name, accessor] of Object.entries(primitive.attributes)) {
      const numbers = glb.numbers(accessor);
      const { count, componentType } = json.accessors[accessor];
      const width = numbers.length / count;
      const kind = { POSITION: "POSITION", NORMAL: "NORMAL" }[name] ?? (name.startsWith("TEX") ? "TEX_COORD" : "GENERIC");
      const add = {
        5120: "AddInt8Attribute", 5121: "AddUInt8Attribute", 5122: "AddInt16Attribute",
        5123: "AddUInt16Attribute", 5125: "AddUInt32Attribute", 5126: "AddFloatAttribute",
      }[componentType];
      attributes[name] = builder[add](mesh, draco[kind], count, width, numbers);
      if (componentType === FLOAT) encoder.SetAttributeQuantization(draco[kind], mostBits[kind]);
      gone.add(accessor);
    }
    gone.add(primitive.indices);
    // Morph targets are not in the stream, so that the order must stay.
    const keepsOrder = isSequential || primitive.targets?.length > 0;
    encoder.SetEncodingMethod(keepsOrder ? draco.MESH_SEQUENTIAL_ENCODING : draco.MESH_EDGEBREAKER_ENCODING);
    encoder.SetSpeedOptions(keepsOrder ? 5 : 3, 5);
    const stream = new draco.DracoInt8Array();
    const length = encoder.EncodeMeshToDracoBuffer(mesh, stream);
    if (length === 0) throw new Error("Draco refuses the mesh");
    const bytes = Uint8Array.from({ length }, (_, k) => stream.GetValue(k));
    const bufferView = json.bufferViews.push(glb.append(bytes)) - 1;
    primitive.extensions = { KHR_draco_mesh_compression: { bufferView, attributes } };
    for (const thing of [builder, mesh, encoder, stream]) draco.destroy(thing);
  }
  const old = json.bufferViews.length;
  const kept = new Set(json.accessors.filter((_, k) => !gone.has(k)).map((a) => a.bufferView));
  (json.images ?? []).forEach((image) => kept.add(image.bufferView));
  for (const k of kept) if (k !== undefined && k < old) glb.copyView(k);
  for (const k of gone) delete json.accessors[k].bufferView;
  glb.require("KHR_draco_mesh_compression");
}

await MeshoptEncoder.ready;
const draco = await draco3d.createEncoderModule({});
const [method, ...files] = process.argv.slice(2);
for (let k = 0; k < files.length; k += 2) {
  const glb = new Glb(await readFile(files[k]));
  if (method.startsWith("meshopt")) compressByMeshopt(glb, method);
  else compressByDraco(glb, draco, method === "draco-sequential");
  await writeFile(files[k + 1], glb.file());
}
