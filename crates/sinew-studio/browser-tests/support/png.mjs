// What is in a picture? A reader for the PNGs that browsers write (8 bits, no interlace), and ways to compare two.

import assert from "node:assert/strict";
import { inflateSync } from "node:zlib";

const SIGNATURE = "89504e470d0a1a0a";
const CHANNELS = { 2: 3, 6: 4 };

/** @param {Buffer} file @returns {{width: number, height: number, channels: number, bytes: Uint8Array}} */
export function readPng(file) {
  assert.equal(file.toString("hex", 0, 8), SIGNATURE, "a PNG begins with its signature");
  const packed = [];
  let header;
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    const content = file.subarray(at + 8, at + 8 + file.readUInt32BE(at));
    const type = file.toString("latin1", at + 4, at + 8);
    if (type === "IHDR") header = content;
    if (type === "IDAT") packed.push(content);
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const channels = CHANNELS[header[9]];
  assert.ok(header[8] === 8 && channels && header[12] === 0, "only RGB(A) with 8 bits, not interlaced");
  return { width, height, channels, bytes: unfiltered(inflateSync(Buffer.concat(packed)), width * channels, channels) };
}

/** PNG, section 9: each row has the filter by which it was predicted from its neighbours. */
function unfiltered(rows, stride, channels) {
  const bytes = new Uint8Array((rows.length / (stride + 1)) * stride);
  for (let start = 0, from = 0; start < bytes.length; start += stride, from += stride + 1) {
    const filter = rows[from];
    for (let x = 0; x < stride; x++) {
      const left = x < channels ? 0 : bytes[start + x - channels];
      const up = start === 0 ? 0 : bytes[start + x - stride];
      const corner = x < channels || start === 0 ? 0 : bytes[start + x - stride - channels];
      bytes[start + x] = rows[from + 1 + x] + predicted(filter, left, up, corner);
    }
  }
  return bytes;
}

function predicted(filter, left, up, corner) {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return up;
  return filter === 3 ? (left + up) >> 1 : paeth(left, up, corner);
}

function paeth(left, up, corner) {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** How many pixels differ by more than `tolerance` in a channel. */
export function difference(one, other, tolerance = 0) {
  if (one.equals(other)) return 0;
  const [a, b] = [readPng(one), readPng(other)];
  assert.deepEqual([a.width, a.height, a.channels], [b.width, b.height, b.channels], "pictures of one size");
  let count = 0;
  for (let at = 0; at < a.bytes.length; at += a.channels) {
    const far = (channel) => Math.abs(a.bytes[at + channel] - b.bytes[at + channel]) > tolerance;
    if (far(0) || far(1) || far(2)) count++;
  }
  return count;
}

/** How many colours a picture has: a blank one has one, a plain gradient some hundred. */
export function colors(file) {
  const { bytes, channels } = readPng(file);
  const found = new Set();
  for (let at = 0; at < bytes.length; at += channels) found.add((bytes[at] << 16) | (bytes[at + 1] << 8) | bytes[at + 2]);
  return found.size;
}

/** The middles of squares in one colour. */
export function dots(file, color, size = 5) {
  const { bytes, channels, width, height } = readPng(file);
  const isColor = (x, y) => color.every((value, k) => Math.abs(bytes[(y * width + x) * channels + k] - value) < 4);
  const found = [];
  for (let y = 0; y + size <= height; y++) {
    for (let x = 0; x + size <= width; x++) {
      if (!isColor(x, y)) continue;
      const isFull = Array.from({ length: size * size }, (_, k) => isColor(x + (k % size), y + Math.floor(k / size))).every(Boolean);
      const middle = { x: x + (size - 1) / 2, y: y + (size - 1) / 2 };
      const isNew = found.every((other) => Math.hypot(other.x - middle.x, other.y - middle.y) > 2 * size);
      if (isFull && isNew) found.push(middle);
    }
  }
  return found;
}
