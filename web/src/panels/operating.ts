// Operating points: which rows are called positive, what that costs, and which leaves then say so.
import { cheapest } from "interpreter";
import type { App } from "../app";
import { num } from "../model/parse";
import type { RocData } from "../payload";
import type { State } from "../state/state";

export interface Corner {
  called: number; // segments that are called positive
  tpr: number;
  fpr: number;
  threshold: number; // scores from here on are positive: Infinity where none is, 0 where all are
}

const known = new WeakMap<RocData, Corner[]>();

/** The corners of the ROC curve, from none called positive to all. */
export function cornersOf(roc: RocData): Corner[] {
  const found = known.get(roc);
  if (found) return found;
  const [positives, negatives] = (["positive", "negative"] as const).map(
    (side) => roc.segments.reduce((sum, segment) => sum + segment[side], 0) || 1,
  );
  const corners: Corner[] = [{ called: 0, tpr: 0, fpr: 0, threshold: Infinity }];
  let [tp, fp] = [0, 0];
  roc.segments.forEach((segment, at) => {
    tp += segment.positive;
    fp += segment.negative;
    const threshold = at + 1 === roc.segments.length ? 0 : num(segment.score);
    corners.push({ called: at + 1, tpr: tp / positives, fpr: fp / negatives, threshold });
  });
  known.set(roc, corners);
  return corners;
}

/** What false positives and false negatives cost, as set or as the model has it. */
export function costsOf(roc: RocData, state: State): [number, number] {
  return state.costs ? [...state.costs] : [roc.costs[0][1], roc.costs[1][0]];
}

export function prevalenceOf(roc: RocData, state: State): number {
  return state.prevalence ?? roc.prevalence;
}

/** The expected cost per row of a corner. */
export function costAt(corner: Corner, costs: readonly [number, number], prevalence: number): number {
  return costs[0] * corner.fpr * (1 - prevalence) + costs[1] * (1 - corner.tpr) * prevalence;
}

/** The cheapest corner; of equals the one that calls fewest positive. */
export function cheapestCorner(roc: RocData, costs: readonly [number, number], prevalence: number): Corner {
  const corners = cornersOf(roc);
  let best = corners[0];
  for (const corner of corners) {
    if (costAt(corner, costs, prevalence) < costAt(best, costs, prevalence) * (1 - 1e-12)) best = corner;
  }
  return best;
}

// The probability of the positive class from which the model predicts it; of equals it predicts the first class.
function ownThreshold({ tree }: App, positive: number): number {
  const costs = tree.costs ?? [[0, 1], [1, 0]];
  const [falsely, missed] = [1 - positive, positive].map((is) => costs[is][1 - is] - costs[is][is]);
  return falsely + missed > 0 ? Math.min(1, Math.max(0, falsely / (falsely + missed))) : 0.5;
}

/** Where the model itself stands on the curve. */
export function ownPoint(app: App, state: State): Corner {
  const roc = app.roc(state)!;
  const predictsPositive = (share: number) => {
    const shares = roc.positive ? [1 - share, share] : [share, 1 - share];
    return cheapest(shares, app.tree.costs) === roc.positive;
  };
  const no = roc.segments.findIndex((segment) => !predictsPositive(num(segment.score)));
  const called = no < 0 ? roc.segments.length : no;
  return { ...cornersOf(roc)[called], threshold: ownThreshold(app, roc.positive) };
}

export function currentPoint(app: App, state: State): Corner {
  const roc = app.roc(state)!;
  if (state.point === "model") return ownPoint(app, state);
  if (state.point !== null) return cornersOf(roc)[Math.min(state.point, roc.segments.length)]; // a pruned tree has fewer
  return cheapestCorner(roc, costsOf(roc, state), prevalenceOf(roc, state));
}

/** Below every node, the leaves that say the positive class at the current point; of a leaf 1 or 0. */
export function positiveBelow(app: App, state: State): Int32Array {
  const { tree, payload } = app;
  const { threshold } = currentPoint(app, state);
  const cut = app.cut(state);
  const at = payload.roc!.positive;
  const found = new Int32Array(tree.count);
  for (let node = tree.count - 1; node >= 0; node--) {
    const predictsPositive = () =>
      state.point === "model" ? tree.labels(node)[0] === at : tree.of(tree.prediction, node)[at] >= threshold;
    if (cut[node]) found[node] = predictsPositive() ? 1 : 0;
    if (node > 0) found[tree.parent[node]] += found[node];
  }
  return found;
}
