import assert from "node:assert/strict";
import { test } from "node:test";
import { mirrorTurn, mirrorTurns, partners, reflect, sides } from "../web/state/mirror.js";
import { angle, fromEuler, inverse, isSame, multiply, ofMatrix, toEuler } from "../web/state/rotation.js";

/** Numbers in ±1 that are the same in every run. */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 31 - 1;
  };
}

function someRotation(next) {
  const q = [next(), next(), next(), next()];
  const length = Math.hypot(...q);
  return q.map((value) => value / length);
}

function rotate(q, v) {
  return multiply(multiply(q, [...v, 0]), inverse(q)).slice(0, 3);
}

/** A column-major matrix with scale. */
function matrix(q, position, scale = 1) {
  const column = (axis) => [...rotate(q, axis).map((value) => scale * value), 0];
  return [...column([1, 0, 0]), ...column([0, 1, 0]), ...column([0, 0, 1]), ...position, 1];
}

function mirrorPoint(v, n) {
  const d = v[0] * n[0] + v[1] * n[1] + v[2] * n[2];
  return v.map((value, k) => value - 2 * d * n[k]);
}

function close(a, b) {
  a.forEach((value, k) => assert.ok(Math.abs(value - b[k]) < 1e-9, `${a} is not ${b}`));
}

function joint(name, mirror, position, q = [0, 0, 0, 1]) {
  return { name, parent: -1, joint: true, weighted: true, mirror, rest: matrix(q, position), tip: null };
}

test("angles and matrices come back as they went in", () => {
  const next = numbers(1);
  for (let k = 0; k < 200; k += 1) {
    const q = someRotation(next);
    assert.ok(isSame(fromEuler(toEuler(q)), q));
    assert.ok(isSame(ofMatrix(matrix(q, [1, 2, 3], 0.01)), q));
    const degrees = [170 * next(), 89 * next(), 170 * next()];
    close(toEuler(fromEuler(degrees)), degrees);
  }
  assert.ok(isSame(fromEuler(toEuler(fromEuler([30, 90, 20]))), fromEuler([30, 90, 20])));
  assert.equal(Math.round(angle(fromEuler([0, 0, -120]))), 120);
});

test("a reflected rotation turns mirrored points to mirrored places", () => {
  const next = numbers(2);
  for (let k = 0; k < 100; k += 1) {
    const q = someRotation(next);
    const n = rotate(someRotation(next), [1, 0, 0]);
    const v = [next(), next(), next()];
    close(rotate(reflect(q, n), mirrorPoint(v, n)), mirrorPoint(rotate(q, v), n));
  }
});

test("the other side moves as a mirror image, whatever its own axes are", () => {
  const next = numbers(3);
  const n = [1, 0, 0];
  for (let k = 0; k < 50; k += 1) {
    const [left, right] = [joint("L", 1, [1, 0, 0], someRotation(next)), joint("R", 0, [-1, 0, 0], someRotation(next))];
    const turn = someRotation(next);
    const there = mirrorTurn(turn, left, right, n);
    const world = (of, q) => multiply(multiply(ofMatrix(of.rest), q), inverse(ofMatrix(of.rest)));
    const v = [next(), next(), next()];
    close(rotate(world(right, there), mirrorPoint(v, n)), mirrorPoint(rotate(world(left, turn), v), n));
    assert.ok(isSame(mirrorTurn(there, right, left, n), turn));
  }
});

const body = [
  joint("Hips", -1, [5, 1, 0]),
  joint("LeftArm", 2, [6, 1, 0]),
  joint("RightArm", 1, [4, 1, 0]),
  joint("Tool", -1, [5.8, 1, 0]),
];

test("sides come from names and places, the middle is its own partner", () => {
  assert.deepEqual(sides(body, [1, 0, 0]), [0, 1, -1, 0]);
  assert.deepEqual(
    sides(body, [-1, 0, 0]).map((side) => side + 0),
    [0, 1, -1, 0],
  );
  assert.deepEqual(partners(body, [1, 0, 0]), [0, 2, 1, -1]);
});

test("left goes to right, and flipping twice changes nothing", () => {
  const turns = {
    LeftArm: fromEuler([0, 0, 40]),
    RightArm: fromEuler([25, 0, 0]),
    Hips: fromEuler([10, 20, 0]),
    Tool: fromEuler([5, 0, 0]),
  };
  const copied = mirrorTurns(turns, body, [1, 0, 0], "left-to-right");
  assert.ok(isSame(copied.RightArm, fromEuler([0, 0, -40])));
  for (const kept of ["LeftArm", "Hips", "Tool"]) assert.equal(copied[kept], turns[kept]);
  const back = mirrorTurns({ LeftArm: turns.LeftArm }, body, [1, 0, 0], "right-to-left");
  assert.deepEqual(back, {}, "a joint at rest brings the other one to rest");
  const flipped = mirrorTurns(turns, body, [1, 0, 0], "flip");
  assert.ok(isSame(flipped.Hips, fromEuler([10, -20, 0])));
  const twice = mirrorTurns(flipped, body, [1, 0, 0], "flip");
  for (const name of Object.keys(turns)) assert.ok(isSame(twice[name], turns[name]), name);
});
