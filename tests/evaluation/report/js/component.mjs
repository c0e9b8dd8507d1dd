// The report's component in Node: its joined scripts run beside a document that only remembers.
import { readFileSync } from "node:fs";
import vm from "node:vm";

/** An element that keeps its name, attributes and children. */
class Element {
  constructor(tag) {
    Object.assign(this, { tag, attributes: {}, children: [], text: "" });
    this.style = { setProperty() {} };
    this.classList = { add() {} };
  }
  setAttribute(name, value) {
    this.attributes[name] = String(value);
  }
  append(...children) {
    this.children.push(...children);
  }
  addEventListener() {}
  set textContent(text) {
    this.text = text;
  }
  /** Every element below this one with a tag. */
  all(tag) {
    return this.children.flatMap((child) =>
      child instanceof Element ? [...(child.tag === tag ? [child] : []), ...child.all(tag)] : [],
    );
  }
}

const make = (tag) => new Element(tag);
const page = { atob, document: { createElement: make, createElementNS: (_, tag) => make(tag) } };
page.window = { matchMedia: () => ({ matches: false }) };
vm.runInNewContext(readFileSync(process.env.REPORT_SCRIPT, "utf8"), page);

export const report = page.ReduceReport;

/** A value of the component's own world as one of this world, for deep comparison. */
export const plain = (value) => JSON.parse(JSON.stringify(value));
