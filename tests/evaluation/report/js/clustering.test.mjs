// The tree and its cuts, on scores that can be checked by eye.
import assert from "node:assert/strict";
import { test } from "node:test";

import { plain, report } from "./component.mjs";

// 0 and 1 are copies, 2 resembles 1 alone, 3 resembles nothing.
const SCORES = [
  [1, 0.9, 0.4, 0.1],
  [0.9, 1, 0.7, 0.1],
  [0.4, 0.7, 1, 0.2],
  [0.1, 0.1, 0.2, 1],
];
const PAGES = [
  { length: 10, posted: "2020-01-01" },
  { length: 90, posted: "2021-01-01" },
  { length: 50, posted: "2022-01-01" },
  { length: 5, posted: "" },
];

function viewOf(scores, linkage = "single") {
  const flat = Float64Array.from(scores.flat());
  return { pages: PAGES, scores: flat, tree: report.buildTree(flat, scores.length, linkage) };
}

const membersAt = (view, threshold, keep = "rank") =>
  plain(report.cut(view, threshold, keep).clusters.map((cluster) => cluster.members));

test("single linkage is the maximum spanning tree, highest score first", () => {
  assert.deepEqual(plain(viewOf(SCORES).tree), {
    first: [0, 1, 2],
    second: [1, 2, 3],
    scores: [0.9, 0.7, 0.2],
  });
});

test("complete linkage merges by the lowest score between groups", () => {
  assert.deepEqual(plain(viewOf(SCORES, "complete").tree.scores), [0.9, 0.4, 0.1]);
});

test("average linkage merges by the mean score between groups", () => {
  assert.deepEqual(plain(viewOf(SCORES, "average").tree.scores), [0.9, 0.55, 0.133333333333]);
});

test("an edge stands at a score equal to the threshold", () => {
  const view = viewOf(SCORES);
  assert.deepEqual(membersAt(view, 0.7), [[0, 1, 2], [3]]);
  assert.deepEqual(membersAt(view, 0.700001), [[0, 1], [2], [3]]);
  assert.deepEqual(membersAt(view, 1), [[0], [1], [2], [3]]);
  assert.deepEqual(membersAt(view, 0), [[0, 1, 2, 3]]);
});

test("a chained cluster has its least similar pair and its weakest link", () => {
  const [first] = report.cut(viewOf(SCORES), 0.7, "rank").clusters;
  assert.deepEqual(plain(first), {
    kept: 0,
    members: [0, 1, 2],
    weakest: 0.7,
    least: { a: 0, b: 2, score: 0.4 },
    chained: true,
  });
});

test("each keeper chooses its representative", () => {
  const keptBy = (keep) => report.cut(viewOf(SCORES), 0.7, keep).clusters[0].kept;
  assert.deepEqual(["rank", "longest", "medoid", "newest"].map(keptBy), [0, 1, 1, 2]);
  assert.deepEqual(membersAt(viewOf(SCORES), 0.7, "walk"), [[0, 1], [2], [3]]);
});

test("a page is dropped for the representative it resembles most", () => {
  const scores = [
    [1, 0.3, 0.9, 0.7],
    [0.3, 1, 0.7, 0.9],
    [0.9, 0.7, 1, 0.3],
    [0.7, 0.9, 0.3, 1],
  ];
  const view = { ...viewOf(scores), checked: true };
  assert.deepEqual(membersAt(view, 0.5), [[0, 2], [1, 3]]);
  const apart = { ...view, contradict: (i, kept) => i === 3 && kept === 1 };
  assert.deepEqual(membersAt(apart, 0.5), [[0, 2, 3], [1]]);
});

test("the chain to a page that is not linked itself follows the tree", () => {
  const view = viewOf(SCORES);
  assert.deepEqual(plain(report.chainOf(view, 0.7, 0, 2)), [
    { a: 0, b: 1, score: 0.9 },
    { a: 1, b: 2, score: 0.7 },
  ]);
  assert.deepEqual(plain(report.chainOf(view, 0.7, 0, 1)), [{ a: 0, b: 1, score: 0.9 }]);
});

test("signals that are missing for a pair leave their weight to the others", () => {
  const [body, title] = [
    [1, 0.5, 0.5, 1],
    [1, NaN, NaN, 1],
  ];
  assert.equal(report.combine([body, title], [0.25, 0.75], 2)[1], 0.5);
  assert.equal(report.combine([body, [1, 1, 1, 1]], [0.25, 0.75], 2)[1], 0.875);
});

test("no pages and one page are cut too", () => {
  const none = { pages: [], scores: new Float64Array(), tree: report.buildTree(new Float64Array(), 0, "single") };
  assert.deepEqual(plain(report.cut(none, 0.5, "rank").clusters), []);
  const one = { pages: PAGES.slice(0, 1), scores: Float64Array.of(1), tree: report.buildTree(Float64Array.of(1), 1, "single") };
  assert.deepEqual(plain(report.cut(one, 0.5, "rank").clusters[0].members), [0]);
});
