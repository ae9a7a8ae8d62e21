import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import { Zip } from "../web/view/zip.js";

/** Reads the archive by its central directory, as programs do. */
function entries(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.byteLength - 22;
  assert.equal(view.getUint32(end, true), 0x06054b50);
  const found = [];
  let at = view.getUint32(end + 16, true);
  for (let entry = 0; entry < view.getUint16(end + 10, true); entry++) {
    assert.equal(view.getUint32(at, true), 0x02014b50);
    const [crc, size, nameLength, local] = [view.getUint32(at + 16, true), view.getUint32(at + 24, true), view.getUint16(at + 28, true), view.getUint32(at + 42, true)];
    assert.equal(view.getUint32(local, true), 0x04034b50);
    const start = local + 30 + view.getUint16(local + 26, true);
    found.push({ name: Buffer.from(bytes.subarray(at + 46, at + 46 + nameLength)).toString(), crc, content: bytes.subarray(start, start + size) });
    at += 46 + nameLength;
  }
  assert.equal(at, end, "the directory ends where its end record begins");
  return found;
}

test("every file is found in the archive, whole", async () => {
  const zip = new Zip();
  const files = [["walk 0000.png", [137, 80, 78, 71]], ["Schräge.png", Array.from({ length: 1000 }, (_, k) => (k * 7) % 256)], ["empty", []]];
  for (const [name, bytes] of files) await zip.add(name, new Blob([Uint8Array.from(bytes)]));
  const read = entries(new Uint8Array(await zip.finish().arrayBuffer()));
  assert.deepEqual(read.map(({ name, content }) => [name, [...content]]), files);
  for (const { crc, content } of read) assert.equal(crc, crc32(content));
});
