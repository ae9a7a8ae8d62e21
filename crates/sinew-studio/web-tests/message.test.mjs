import assert from "node:assert/strict";
import { test } from "node:test";
import { attach, decode, encode } from "../web/engine/message.js";

test("a message comes out as it went in, with views into its own bytes", () => {
  for (const name of ["a", "ab", "abc", "abcd", "Ärmel → ½"]) {
    const numbers = Float32Array.of(1.5, -2, 3);
    const bytes = encode({ type: "frame", name, odd: { at: 0, count: 3 }, numbers: { at: 4, count: 3 } }, [Uint8Array.of(7, 8, 9), numbers]);
    assert.equal((4 + new DataView(bytes).getUint32(0, true)) % 4, 0);
    const message = decode(bytes);
    assert.deepEqual([message.type, message.name], ["frame", name]);
    assert.deepEqual([...message.payload.bytes(message.odd)], [7, 8, 9]);
    assert.deepEqual(message.payload.floats(message.numbers), numbers);
    assert.equal(message.payload.floats(message.numbers).buffer, bytes, "nothing is copied");
  }
});

test("files are one after another at the offsets in their fields", () => {
  const content = (...bytes) => Uint8Array.from(bytes).buffer;
  const { files, payload } = attach([{ name: "a.gltf", bytes: content(1, 2, 3, 4, 5) }, { name: "b.bin", bytes: content(6) }, { name: "c", bytes: content() }]);
  const message = decode(encode({ type: "open", files }, payload));
  assert.deepEqual(message.files.map((file) => [file.name, [...message.payload.bytes(file)]]), [["a.gltf", [1, 2, 3, 4, 5]], ["b.bin", [6]], ["c", []]]);
  assert.ok(message.files.every(({ at }) => at % 4 === 0));
});

test("bytes that are no message are refused", () => {
  assert.throws(() => decode(new ArrayBuffer(2)), RangeError);
  assert.throws(() => decode(Uint32Array.of(100).buffer), RangeError);
  assert.throws(() => decode(Uint8Array.of(4, 0, 0, 0, 1, 2, 3, 4).buffer), SyntaxError);
});
