// Operating points: which rows are called positive, what that costs, and which leaves then say so.
import type { App } from "../app";
import { num } from "../model/parse";
import type { Ranking } from "../payload";
import type { State } from "../state/state";

export interface Corner {
  called: number; // segments that are called positive
  tpr: number;
  fpr: number;
  threshold: number; // scores from here on are positive
}

const known = new WeakMap<Ranking, Corner[]>();

/** The corners of the ROC curve, from none called positive to all. */
export function cornersOf(ranking: Ranking): Corner[] {
  const found = known.get(ranking);
  if (found) return found;
  const [positives, negatives] = (["positive", "negative"] as const).map(
    (side) => ranking.segments.reduce((sum, segment) => sum + segment[side], 0) || 1,
  );
  const corners: Corner[] = [{ called: 0, tpr: 0, fpr: 0, threshold: Infinity }];
  let [tp, fp] = [0, 0];
  ranking.segments.forEach((segment, at) => {
    tp += segment.positive;
    fp += segment.negative;
    corners.push({ called: at + 1, tpr: tp / positives, fpr: fp / negatives, threshold: num(segment.score) });
  });
  known.set(ranking, corners);
  return corners;
}

/** What false positives and false negatives cost, as set or as the model has it. */
export function costsOf(ranking: Ranking, state: State): [number, number] {
  const given = ranking.costs;
  const positive = ranking.positive;
  return state.costs ? [...state.costs] : [given[1 - positive][positive], given[positive][1 - positive]];
}

export function prevalenceOf(ranking: Ranking, state: State): number {
  return state.prevalence ?? ranking.prevalence;
}

/** The expected cost per row of a corner. */
export function costAt(corner: Corner, costs: readonly [number, number], prevalence: number): number {
  return costs[0] * corner.fpr * (1 - prevalence) + costs[1] * (1 - corner.tpr) * prevalence;
}

/** The cheapest corner; of equals the one that calls fewest positive. */
export function cheapestCorner(ranking: Ranking, costs: readonly [number, number], prevalence: number): Corner {
  const corners = cornersOf(ranking);
  let best = corners[0];
  for (const corner of corners) {
    if (costAt(corner, costs, prevalence) < costAt(best, costs, prevalence) * (1 - 1e-12)) best = corner;
  }
  return best;
}

export function currentPoint(ranking: Ranking, state: State): Corner {
  if (state.point !== null) return cornersOf(ranking)[state.point];
  return cheapestCorner(ranking, costsOf(ranking, state), prevalenceOf(ranking, state));
}

/** Below every node, the leaves whose probability of the positive class reaches the threshold; of a leaf 1 or 0. */
export function positiveBelow(app: App, threshold: number): Int32Array {
  const { tree, payload } = app;
  const { cut } = app.visible();
  const at = payload.ranking!.positive;
  const found = new Int32Array(tree.count);
  for (let node = tree.count - 1; node >= 0; node--) {
    if (cut[node]) found[node] = tree.of(tree.prediction, node)[at] >= threshold ? 1 : 0;
    if (node > 0) found[tree.parent[node]] += found[node];
  }
  return found;
}
