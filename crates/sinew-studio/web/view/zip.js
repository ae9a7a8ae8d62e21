// Many pictures in one file: a zip archive with uncompressed entries, because PNG is compressed already. Layout after
// PKWARE's APPNOTE 6.3.3: local headers with the data, the central directory, its end record.

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
/** File names are UTF-8. */
const FLAGS = 0x0800;
/** The first of January 1980, where the format's calendar starts. */
const DATE = 0x0021;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** @param {Uint8Array} bytes */
function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = CRC_TABLE[(crc ^ byte) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** Little-endian numbers, given as pairs of size in bytes and value. @param {[2 | 4, number][]} fields */
function record(fields) {
  const bytes = new DataView(new ArrayBuffer(fields.reduce((sum, [size]) => sum + size, 0)));
  let at = 0;
  for (const [size, value] of fields) {
    if (size === 2) bytes.setUint16(at, value, true);
    else bytes.setUint32(at, value, true);
    at += size;
  }
  return bytes;
}

/** An archive that grows by one file at a time; its bytes stay in the browser's blobs. */
export class Zip {
  /** @type {BlobPart[]} */
  #parts = [];
  /** @type {BlobPart[]} */
  #directory = [];
  #offset = 0;
  #directoryBytes = 0;
  #entries = 0;

  /**
   * @param {string} name
   * @param {Blob} content
   */
  async add(name, content) {
    const encoded = new TextEncoder().encode(name);
    const crc = crc32(new Uint8Array(await content.arrayBuffer()));
    /** @type {[2 | 4, number][]} */
    const common = [
      [2, VERSION], [2, FLAGS], [2, 0], [2, 0], [2, DATE],
      [4, crc], [4, content.size], [4, content.size], [2, encoded.length], [2, 0],
    ];
    const local = record([[4, LOCAL], ...common]);
    const central = record([[4, CENTRAL], [2, VERSION], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, this.#offset]]);
    this.#parts.push(local, encoded, content);
    this.#directory.push(central, encoded);
    this.#offset += local.byteLength + encoded.length + content.size;
    this.#directoryBytes += central.byteLength + encoded.length;
    this.#entries++;
  }

  finish() {
    const end = record([
      [4, END], [2, 0], [2, 0], [2, this.#entries], [2, this.#entries],
      [4, this.#directoryBytes], [4, this.#offset], [2, 0],
    ]);
    return new Blob([...this.#parts, ...this.#directory, end], { type: "application/zip" });
  }
}
