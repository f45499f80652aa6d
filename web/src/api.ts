// What the page offers to scripts: window.treewright.
import type { Cell } from "interpreter";
import { App } from "./app";
import { Search, type Goal } from "./model/counterfactual";
import { evaluationAt, nodeErrorAt, pairsAt, rocAt } from "./model/evaluated";
import { parse } from "./model/parse";
import { outcomeOf, type Outcome } from "./model/predict";
import { MISSING, readRow, type Row } from "./model/row";
import { Tree } from "./model/tree";
import { modelFileOf } from "./panels/ThisTree";
import type { Payload } from "./payload";
import { START, Store } from "./state/state";
import { cutAt } from "./view/visible";

interface Predicted {
  leaf: number;
  ends: { node: number; share: number }[];
  probabilities: number[] | number[][] | null;
  value: number | number[] | null;
  label: unknown;
  labels: unknown[];
}

function predicted(app: App, outcome: Outcome): Predicted {
  const { tree, payload } = app;
  const classes = payload.model.schema.classes;
  const one = outcome.values.length === 1;
  const labels = outcome.labels.map((label, k) => (label === null || !classes ? null : classes[k].labels[label]));
  const numbers = outcome.values.map(([value]) => value);
  return {
    leaf: outcome.leaf,
    ends: outcome.ends,
    probabilities: !tree.classes ? null : one ? outcome.values[0] : outcome.values,
    value: tree.classes ? null : one ? numbers[0] : numbers,
    label: labels[0] ?? null,
    labels,
  };
}

// A cell as a row would have it: the level and not its code.
function given(app: App, column: number, cell: Cell): unknown {
  const { kind } = app.tree.columns[column];
  if (cell === MISSING || (kind !== "nominal" && kind !== "ordered")) return typeof cell === "bigint" ? String(cell) : cell;
  return app.tree.levels[column][Number(cell)] ?? null;
}

interface Wanted {
  label?: unknown;
  above?: number;
  below?: number;
  fixed?: string[];
  most_states?: number;
}

function goalOf(app: App, wanted: Wanted): Goal {
  if (wanted.above !== undefined) return { above: wanted.above };
  if (wanted.below !== undefined) return { below: wanted.below };
  if (wanted.label === undefined) return { label: null };
  return { label: app.payload.model.schema.classes![0].labels.indexOf(wanted.label) };
}

function counterfactual(app: App, row: Row, wanted: Wanted = {}) {
  const { tree, payload } = app;
  if (tree.sums.length) throw new Error("The page finds changes for tests of one column. This tree combines columns: use treewright.counterfactual.");
  const fixed = new Set((wanted.fixed ?? []).map((name) => tree.names.indexOf(name)));
  const cells = readRow(tree, row);
  const search = new Search(tree, payload.columns, cells, fixed, undefined, wanted.most_states);
  const { change: found, complete } = search.nearest(goalOf(app, wanted));
  if (!found) return complete ? null : { stopped_early: true };
  const changes = found.changes.map(({ column, from, to }) => ({
    column: tree.names[column],
    place: column,
    from: given(app, column, from),
    to: given(app, column, to),
  }));
  return { changes, distance: found.distance, after: predicted(app, found.outcome) };
}

/** The evaluation of the tree at a step of pruning. */
function figures(app: App, step: number) {
  const { payload, tree } = app;
  const roc = rocAt(payload, tree, cutAt(tree, payload.pruning, step), step);
  const node_errors = Array.from({ length: tree.count }, (_, node) => nodeErrorAt(payload, node, step));
  return { evaluation: evaluationAt(payload, step), roc, node_errors, pairs: pairsAt(payload, step) };
}

function apiOf(app: App) {
  return {
    payload: app.payload,
    predict: (row: Row) => predicted(app, outcomeOf(app.tree, readRow(app.tree, row))),
    counterfactual: (row: Row, wanted?: Wanted) => counterfactual(app, row, wanted),
    figures: (step: number) => figures(app, step),
    modelFile: (step?: number) => modelFileOf(app, { ...app.store.state, step: step ?? app.store.state.step }),
  };
}

/** The same for the text of any payload, without a page. */
function reading(text: string) {
  const payload = parse(text) as Payload;
  return apiOf(new App(payload, new Tree(payload), new Store(START)));
}

export function expose(app: App): void {
  const api = Object.freeze({ ...apiOf(app), reading });
  Object.defineProperty(window, "treewright", { value: api, writable: false });
}
