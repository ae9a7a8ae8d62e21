// How is a message laid out in bytes? A u32 (little endian) with the length H of the header, H bytes of JSON padded
// with spaces to a multiple of four bytes, then the payload. Arrays in the payload are named in the header as
// `{at, count}`, at offsets that are multiples of four.

/** @import { Message, ArrayRange, FileSlice } from "../types" */

const LENGTH_BYTES = 4;
const utf8 = { encoder: new TextEncoder(), decoder: new TextDecoder() };

/** @param {number} bytes */
const aligned = (bytes) => (bytes + 3) & ~3;

/**
 * @param {object} header
 * @param {ArrayBufferView[]} payload one after another, each at a multiple of four bytes
 * @returns {ArrayBuffer}
 */
export function encode(header, payload = []) {
  const text = utf8.encoder.encode(JSON.stringify(header));
  const headerBytes = aligned(text.length);
  const total = payload.reduce((sum, view) => sum + aligned(view.byteLength), LENGTH_BYTES + headerBytes);
  const bytes = new Uint8Array(total);
  new DataView(bytes.buffer).setUint32(0, headerBytes, true);
  bytes.fill(0x20, LENGTH_BYTES, LENGTH_BYTES + headerBytes);
  bytes.set(text, LENGTH_BYTES);
  let at = LENGTH_BYTES + headerBytes;
  for (const view of payload) {
    bytes.set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength), at);
    at += aligned(view.byteLength);
  }
  return bytes.buffer;
}

/**
 * Fails with a RangeError or SyntaxError on bytes that are no message.
 * @param {ArrayBuffer} buffer
 * @returns {Message}
 */
export function decode(buffer) {
  const headerBytes = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(utf8.decoder.decode(new Uint8Array(buffer, LENGTH_BYTES, headerBytes)));
  const start = LENGTH_BYTES + headerBytes;
  header.payload = {
    /** @param {ArrayRange} range */
    floats: ({ at, count }) => new Float32Array(buffer, start + at, count),
    /** @param {ArrayRange} range */
    words: ({ at, count }) => new Uint32Array(buffer, start + at, count),
    /** @param {ArrayRange} range */
    bytes: ({ at, count }) => new Uint8Array(buffer, start + at, count),
  };
  return header;
}

/**
 * Files as the fields and the payload of a request.
 * @param {{name: string, bytes: ArrayBuffer}[]} files
 * @returns {{files: FileSlice[], payload: Uint8Array[]}}
 */
export function attach(files) {
  let at = 0;
  const sent = files.map(({ name, bytes }) => {
    const file = { name, at, count: bytes.byteLength };
    at += aligned(bytes.byteLength);
    return file;
  });
  return { files: sent, payload: files.map(({ bytes }) => new Uint8Array(bytes)) };
}
