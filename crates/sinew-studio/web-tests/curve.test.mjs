import assert from "node:assert/strict";
import { test } from "node:test";
import { path, valueAt } from "../web/widgets/monotone.js";
import { addBeside, addPoint, fitPoints, movePoint, removePoint } from "../web/widgets/points.js";

const limits = { x: [-4, 4], y: [0, 10], gap: 0.03 };
const hill = [
  [-2, 0],
  [-1, 0.4],
  [0, 1],
  [1, 0.4],
  [2, 0],
];

test("the curve goes through its points, stays between them and is level at a turn", () => {
  for (const [x, y] of hill) assert.ok(Math.abs(valueAt(hill, x) - y) < 1e-12);
  for (let x = -2; x < 2; x += 0.01) {
    assert.ok(valueAt(hill, x) >= -1e-12 && valueAt(hill, x) <= 1 + 1e-12);
    assert.ok(Math.abs(valueAt(hill, x) - valueAt(hill, -x)) < 1e-12);
  }
  assert.equal(valueAt(hill, 9), 0);
  assert.equal(valueAt([[3, 0.7]], -5), 0.7);
  assert.ok(valueAt(hill, 0.001) > 1 - 1e-5);
});

test("the drawn path is the curve", () => {
  const numbers = path(
    hill,
    (x) => x,
    (y) => y,
  )
    .match(/-?[\d.]+/g)
    .map(Number);
  const [x0, y0, , y1, , y2, , y3] = numbers;
  assert.deepEqual([x0, y0], [-2, 0]);
  const middle = (y0 + 3 * y1 + 3 * y2 + y3) / 8;
  assert.ok(Math.abs(middle - valueAt(hill, -1.5)) < 0.01);
});

test("a point stays between its neighbours and within the limits", () => {
  const { points, index } = movePoint(hill, 1, [3, -5], limits);
  assert.equal(index, 1);
  assert.ok(points[1][0] < 0 && points[1][0] > -0.1);
  assert.equal(points[1][1], 0);
  assert.deepEqual(points[0], hill[0]);
});

test("symmetric moving takes the image along, and makes one where there is none", () => {
  const both = movePoint(hill, 3, [1.5, 0.7], limits, true);
  assert.deepEqual(both.points, [
    [-2, 0],
    [-1.5, 0.7],
    [0, 1],
    [1.5, 0.7],
    [2, 0],
  ]);
  assert.equal(both.index, 3);
  const lone = movePoint(
    [
      [-2, 0],
      [1, 0.5],
      [2, 0],
    ],
    1,
    [1.2, 0.6],
    limits,
    true,
  );
  assert.deepEqual(lone.points, [
    [-2, 0],
    [-1.2, 0.6],
    [1.2, 0.6],
    [2, 0],
  ]);
  assert.equal(lone.index, 2);
});

test("points are added on the curve and removed, down to two", () => {
  const added = addBeside(hill, 2, limits);
  assert.equal(added.index, 3);
  assert.ok(Math.abs(added.points[3][1] - valueAt(hill, 0.5)) < 1e-12);
  assert.equal(addPoint(hill, [0, 3], limits), null);
  assert.equal(removePoint(hill.slice(0, 2), 0), null);
  assert.deepEqual(removePoint(hill, 4), { points: hill.slice(0, 4), index: 3 });
});

test("a few points make nearly the same curve as many samples", () => {
  const bell = Array.from({ length: 97 }, (_, k) => {
    const x = -2.4 + k * 0.05;
    return [x, Math.exp(-x * x) * Math.max(1 - (x * x) / 4, 0) ** 2];
  });
  const points = fitPoints(bell, 7);
  assert.equal(points.length, 7);
  for (const [x, y] of bell.filter(([x]) => Math.abs(x) <= 2))
    assert.ok(Math.abs(valueAt(points, x) - y) < 0.03, `at ${x}`);
  for (let k = 1; k < 7; k += 1) assert.ok(points[k][0] > points[k - 1][0]);
});
