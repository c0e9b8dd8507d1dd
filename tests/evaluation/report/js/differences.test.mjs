// Differences of two texts are exact at word level, however short the equal runs are.
import assert from "node:assert/strict";
import { test } from "node:test";
import { plain, report } from "./component.mjs";

const REST = "Books can be returned in the box at the entrance as usual.";

/** What only the dropped and only the kept text have, and the two counts. */
function differences(droppedText, keptText) {
  const [dropped, kept] = [droppedText, keptText].map((body) => report.wordPlaces({ body }));
  const found = report.wordDifferences(dropped, kept);
  const rest = (text, side) => {
    const letters = [...text];
    for (const run of found.runs) letters.fill(" ", ...run[side]);
    return letters.join("").match(/[\p{L}\p{N}]+/gu) || [];
  };
  return plain({
    dropped: rest(droppedText, "dropped"),
    kept: rest(keptText, "kept"),
    own: found.own,
    other: found.other,
  });
}

test("one changed word near the start is one word on each side", () => {
  const text = (day) => `The library is closed on ${day} because of a staff meeting. ${REST}`;
  assert.deepEqual(differences(text("Thursday"), text("Monday")), {
    dropped: ["Thursday"],
    kept: ["Monday"],
    own: 1,
    other: 1,
  });
});

test("words between two differences stay equal", () => {
  const found = differences(`The tax is not lawful and may not be collected. ${REST}`, `The tax is lawful and may be collected. ${REST}`);
  assert.deepEqual(found, { dropped: ["not", "not"], kept: [], own: 2, other: 0 });
});

test("a passage that moved is no difference", () => {
  const [a, b] = ["Rain fell all day in the valley below.", REST];
  assert.deepEqual(differences(`${a} ${b}`, `${b} ${a}`), { dropped: [], kept: [], own: 0, other: 0 });
});

test("stretches too long to compare word by word count as different", () => {
  const words = (name) => Array.from({ length: 1200 }, (_, k) => `${name}${"x".repeat(k % 7)}y same`).join(" ");
  const found = differences(words("a"), words("b"));
  assert.equal(found.own, found.dropped.length);
  assert.ok(found.own >= 1200);
});

test("lost sentences are counted, and an only sentence is named as such", () => {
  report.language = "en";
  const texts = [0, 1, 2].map((n) => report.countLost(n, 4, n * 0.004).replaceAll("\u00a0", " "));
  assert.deepEqual(texts, [
    "nothing lost",
    "1 of 4 sentences lost, 0.4 % of the information",
    "2 of 4 sentences lost, 0.8 % of the information",
  ]);
  assert.equal(report.countLost(1, 1, 0.12), "its only sentence is lost, 12\u00a0% of the information");
});

test("a part of a number is not shared", () => {
  const text = (sum) => `The town will rebuild the old harbour for ${sum} million and hopes that it is enough.`;
  for (const [here, there] of [["4.2", "5.2"], ["27 000", "28\u202f000"]]) {
    const [dropped, kept] = [text(here), text(there)].map((body) => report.wordPlaces({ body }));
    const found = report.sharedPassages(dropped, kept).map((passage) => text(here).slice(...passage.dropped));
    assert.deepEqual(plain(found), ["The town will rebuild the old harbour for", "million and hopes that it is enough"]);
  }
});
