// The evaluation of a pruned tree, computed from the unseen rows in the leaves that it has at a step.
import type { ClassRow, Evaluation, NodeError, Payload, RocData, StepLeaves } from "../payload";
import { shareInterval } from "./beta";
import { num } from "./parse";
import type { Tree } from "./tree";

/** Rows that get one prediction: probabilities, class (-1: none), and their weight by true class. */
export interface Leaf {
  probability: number[];
  label: number;
  weight: number[];
  squares: number[];
}

/** The leaves of all trees that predict unseen rows, at a step of pruning. */
export function leavesAt({ begin, end, label, probability, weight, squares }: StepLeaves, step: number): Leaf[] {
  const size = probability.length / begin.length;
  const of = (list: number[], k: number) => list.slice(k * size, (k + 1) * size);
  const found: Leaf[] = [];
  begin.forEach((from, k) => {
    if (from <= step && step < end[k]) found.push({ probability: of(probability, k), label: label[k], weight: of(weight, k), squares: of(squares ?? weight, k) });
  });
  return found;
}

const sum = (list: readonly number[]) => list.reduce((total, part) => total + part, 0);

/** Leaves of equal keys as one, in the order of the keys. */
function grouped<T>(leaves: readonly T[], key: (leaf: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const leaf of leaves) groups.set(key(leaf), [...(groups.get(key(leaf)) ?? []), leaf]);
  return [...groups.values()];
}

function confusionOf(leaves: readonly Leaf[], size: number): number[][] {
  const counts = Array.from({ length: size }, () => new Array<number>(size + 1).fill(0));
  for (const { weight, label } of leaves) weight.forEach((part, k) => (counts[k][label < 0 ? size : label] += part));
  return counts;
}

interface Step {
  score: number;
  positive: number;
  negative: number;
}

/** Rows by falling probability of a class. */
function ranked(leaves: readonly Leaf[], k: number): Step[] {
  const steps = leaves.map(({ probability, weight }) => ({ score: probability[k], positive: weight[k], negative: sum(weight) - weight[k] }));
  const groups = grouped(steps.filter(({ positive, negative }) => positive + negative > 0), ({ score }) => String(score));
  return groups
    .map((group) => ({ score: group[0].score, positive: sum(group.map((each) => each.positive)), negative: sum(group.map((each) => each.negative)) }))
    .sort((a, b) => b.score - a.score);
}

function rocOf(steps: readonly Step[]): { points: [number, number][]; auc: number } {
  const [all, none] = [sum(steps.map((each) => each.positive)), sum(steps.map((each) => each.negative))];
  const points: [number, number][] = [[0, 0]];
  let [tp, fp, area] = [0, 0, 0];
  for (const { positive, negative } of steps) {
    area += negative * (tp + positive / 2);
    tp += positive;
    fp += negative;
    points.push([fp / none, tp / all]);
  }
  return { points, auc: area / (all * none) };
}

/** The places of the points of a ROC curve on its upper hull: a side joins the one before it unless it is flatter. */
function hullOf(steps: readonly Step[]): number[] {
  const sides: { x: number; y: number; end: number }[] = [];
  steps.forEach(({ positive, negative }, k) => {
    let [x, y] = [negative, positive];
    for (let last = sides.at(-1); last && !(last.y * x - y * last.x > 1e-14 * (last.y * x + y * last.x)); last = sides.at(-1)) {
      [x, y] = [x + last.x, y + last.y];
      sides.pop();
    }
    sides.push({ x, y, end: k + 1 });
  });
  return [0, ...sides.map(({ end }) => end)];
}

const ratio = (part: number, whole: number) => (whole > 0 ? part / whole : null);

function classRow(each: ClassRow, counts: number[][], leaves: readonly Leaf[]): ClassRow {
  const k = each.place;
  const [right, actual, predicted] = [counts[k][k], sum(counts[k]), sum(counts.map((row) => row[k]))];
  const both = actual > 0 && counts.some((row, other) => other !== k && sum(row) > 0);
  const roc = both ? rocOf(ranked(leaves, k)) : null;
  return { ...each, precision: ratio(right, predicted), recall: ratio(right, actual), f1: ratio(2 * right, actual + predicted), auc: roc && roc.auc, roc: roc ? roc.points : [] };
}

const [MANY, BINS] = [30, 10]; // distinct predictions up to which each has a row, and the bins for more

function calibrationOf(leaves: readonly Leaf[], subject: number | null): Omit<NonNullable<Evaluation["calibration"]>, "of"> {
  const segments = grouped(leaves.filter(({ weight }) => sum(weight) > 0), ({ probability }) => probability.join());
  const rows = segments.map((group) => {
    const { probability } = group[0];
    const top = subject ?? probability.indexOf(Math.max(...probability));
    return { predicted: probability[top], top, right: sum(group.map((each) => each.weight[top])), total: sum(group.map((each) => sum(each.weight))), squares: sum(group.map((each) => sum(each.squares))) };
  });
  rows.sort((a, b) => a.predicted - b.predicted);
  const heavy = sum(rows.map(({ total }) => total));
  let before = 0;
  const binned = rows.map((row) => {
    const middle = (before + row.total / 2) / heavy;
    before += row.total;
    const key = rows.length > MANY ? Math.min(BINS - 1, Math.floor(BINS * middle)) : subject === null ? `${row.predicted} ${row.top}` : row.predicted;
    return { ...row, key: String(key) };
  });
  let gap = 0;
  const found = grouped(binned, ({ key }) => key).map((group) => {
    const [total, right, squares] = [sum(group.map((each) => each.total)), sum(group.map((each) => each.right)), sum(group.map((each) => each.squares))];
    const predicted = sum(group.map((each) => each.predicted * each.total));
    const observed = Math.min(1, right / total);
    const n = (total * total) / squares;
    const [low, high] = shareInterval(observed * n, n);
    gap += Math.abs(right - predicted);
    return { predicted: predicted / total, observed, low, high, weight: total };
  });
  return { rows: found, ece: gap / heavy };
}

/** The part "evaluation" at a step; null where the page does not hold what it needs. */
export function evaluationAt(payload: Payload, step: number): Evaluation | null {
  const { evaluation, pruning } = payload;
  if (!evaluation || !pruning || step === pruning.original) return evaluation ?? null;
  const subgroups = subgroupsAt(evaluation, pruning.subgroups?.[step]);
  if (!evaluation.classes) return { ...evaluation, subgroups };
  if (!pruning.leaves) return null;
  const leaves = leavesAt(pruning.leaves, step);
  const size = payload.model.schema.classes![0].labels.length;
  const counts = confusionOf(leaves, size);
  const every = evaluation.classes.length === size && counts.every((row) => row[size] === 0);
  const { classes, calibration } = evaluation;
  return {
    ...evaluation,
    subgroups,
    confusion: every ? { labels: classes.map(({ label }) => label), counts: counts.map((row) => row.slice(0, size)) } : null,
    classes: classes.map((each) => classRow(each, counts, leaves)),
    calibration: calibration && { of: calibration.of, ...calibrationOf(leaves, payload.roc ? payload.roc.positive : null) },
  };
}

function subgroupsAt({ subgroups }: Evaluation, values: (number | null)[] | undefined): Evaluation["subgroups"] {
  if (!values) return [];
  let at = 0;
  return subgroups.map((part) => ({
    ...part,
    rows: part.rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, old]) => [key, key === "name" || key === "n" ? old : values[at++]])) as unknown as typeof row),
  }));
}

/** The part "roc" at a step; null where the page does not hold what it needs. */
export function rocAt(payload: Payload, tree: Tree, cut: Uint8Array, step: number): RocData | null {
  const { roc, pruning } = payload;
  if (!roc || !pruning || step === pruning.original) return roc;
  const leaves = roc.source === "training" ? ownLeaves(tree, cut) : pruning.leaves && leavesAt(pruning.leaves, step);
  if (!leaves) return null;
  const segments = ranked(leaves, roc.positive);
  const known = pruning.scores?.metrics.findIndex(({ metric }) => metric === "AUC") ?? -1;
  const [, low, high] = known >= 0 && roc.source !== "training" ? pruning.scores!.values[step][known] : [null, null, null];
  return { ...roc, segments, hull: hullOf(segments), auc: rocOf(segments).auc, auc_low: low, auc_high: high };
}

/** The leaves of a pruned tree with its training rows. */
function ownLeaves(tree: Tree, cut: Uint8Array): Leaf[] {
  const found: Leaf[] = [];
  for (let node = 0; node < tree.count; node++) {
    if (!cut[node] || tree.path(node).slice(0, -1).some((above) => cut[above])) continue;
    const weight = [...tree.of(tree.value, node)].map((share) => share * tree.weight[node]);
    found.push({ probability: [...tree.of(tree.prediction, node)], label: -1, weight, squares: weight });
  }
  return found;
}

/** The error of a node on unseen rows at a step; undefined where the page does not hold it. */
export function nodeErrorAt(payload: Payload, node: number, step: number): NodeError | null | undefined {
  const known = payload.nodes?.held_out_error?.[node] ?? null;
  const { pruning } = payload;
  if (!known || !pruning || step === pruning.original) return known;
  if (!pruning.node_errors) return undefined;
  const changes = pruning.node_errors[String(node)] ?? [];
  let found = known;
  for (let k = 0; k < changes.length && num(changes[k]) <= step; k += 4) found = { ...known, error: changes[k + 1]!, low: changes[k + 2], high: changes[k + 3] };
  return found;
}

/** The pairs of an actual and a predicted number at a step; null where the page does not hold them. */
export function pairsAt(payload: Payload, step: number): [number, number][] | null {
  const { residuals, pruning } = payload;
  if (!residuals) return null;
  const given = residuals.pairs.map(([y, predicted]): [number, number] => [num(y), num(predicted)]);
  if (!pruning || step === pruning.original) return given;
  const held = pruning.pairs;
  if (!held) return null;
  return given.map(([y], k) => {
    let at = held.at[k];
    while (held.above[at] >= 0 && held.end[at] <= step) at = held.above[at];
    return [y, num(held.prediction[at])];
  });
}
