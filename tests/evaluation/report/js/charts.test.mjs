// Charts: where their lines go, and what their marker shows.
import assert from "node:assert/strict";
import { test } from "node:test";

import { report } from "./component.mjs";

const plotOf = (ys, more = {}) =>
  report.linePlot({
    xs: [0, 0.5, 1],
    series: [{ ys, class: "index" }],
    label: "a plot",
    width: 150,
    height: 142,
    range: [0, 1],
    ...more,
  });

const linesOf = (svg) => svg.all("path").map((path) => path.attributes.d);
const textsOf = (svg) => svg.all("text").map((text) => text.text);

test("a value that is not defined is a gap", () => {
  const [line] = linesOf(plotOf([0, null, 1]).svg);
  assert.equal(line.match(/M/g).length, 2);
});

test("values above the range stay inside the plot", () => {
  const [line] = linesOf(plotOf([0, 0.5, 40]).svg);
  const heights = [...line.matchAll(/[MLV,](?:[\d.]+,)?([\d.]+)/g)].map((match) => Number(match[1]));
  assert.ok(
    heights.every((y) => y >= 8 && y <= 142 - 34),
    line,
  );
});

test("a plot names its axis and its ends", () => {
  const texts = textsOf(plotOf([0, 1, 1]).svg);
  assert.ok(texts.includes("threshold"));
  assert.ok(texts.includes("0") && texts.includes("1"), texts.join());
});

test("the marker stands at the threshold and hides where nothing is defined", () => {
  const { svg, mark } = plotOf([0.25, null, 1]);
  mark(0);
  const [dot] = svg.all("circle");
  assert.equal(dot.attributes.visibility, "visible");
  mark(0.5);
  assert.equal(dot.attributes.visibility, "hidden");
  assert.equal(dot.attributes.cx, String((38 + 150 - 12) / 2));
});

test("a value belongs to all thresholds up to the next one", () => {
  assert.equal(report.valueAt([0, 0.5, 1], [3, 4, 5], 0.49), 3);
  assert.equal(report.valueAt([0, 0.5, 1], [3, 4, 5], 0.5), 4);
  assert.ok(Number.isNaN(report.valueAt([0, 0.5, 1], [3, null, 5], 0.7)));
});

test("pages of a graph stay inside it and apart", () => {
  const n = 30;
  const scores = Float64Array.from({ length: n * n }, (_, k) => (Math.floor(k / n) % 5 === (k % n) % 5 ? 0.9 : 0.1));
  const places = report.layoutTree(report.buildTree(scores, n, "single"), n, 760, 540);
  assert.equal(places.length, n);
  for (const [x, y] of places) assert.ok(x >= 0 && x <= 760 && y >= 0 && y <= 540);
  const apart = places.flatMap((a, i) => places.slice(i + 1).map((b) => Math.hypot(a[0] - b[0], a[1] - b[1])));
  assert.ok(Math.min(...apart) > 10, String(Math.min(...apart)));
});
