// Labels of the service's page: as CSV that the library reads, and those of the service before the browser's.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";
import { report } from "./component.mjs";

const SCRIPT = readFileSync(new URL("../../../../reducepp/service/page/labels.js", import.meta.url), "utf8");

function open(remembered) {
  const ReducePage = { remember: () => remembered };
  const document = { body: { dataset: { labels: "service" } } };
  vm.runInNewContext(SCRIPT, { ReducePage, ReduceReport: report, document });
  return ReducePage;
}

test("ids that a spreadsheet would run as a formula are guarded, once more where they look so", () => {
  const rows = [{ query: "q", a: "=1+1", b: "'=1+1", duplicate: true }];
  assert.equal(open([]).labelsCsv(rows), "query,a,b,duplicate\r\nq,'=1+1,''=1+1,1\r\n");
});

test("a label that another reader gave later replaces the one this browser remembers", () => {
  const pages = [{ id: "x" }, { id: "y" }];
  const queries = [{ pages, query: { query: "q" } }];
  const page = open([{ q: 0, a: 0, b: 1, duplicate: true, answers: null }]);
  const labels = page.makeLabels(queries, [{ query: "q", a: "y", b: "x", duplicate: false }]);
  assert.deepEqual([labels.resumed, labels.rows()[0].duplicate], [1, false]);
});
