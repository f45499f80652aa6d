// Figures of the tree that is shown: the model itself, or one of its pruned trees.
import type { ImportanceRow, Payload, RuleRow, Score } from "../payload";
import type { Tree } from "./tree";

export interface Size {
  leaves: number;
  depth: number;
  columns: number; // that are used
}

/** The nodes of a tree in which those of `cut` are leaves. */
export function nodesOf(tree: Tree, cut: Uint8Array): number[] {
  const found = [0];
  for (let at = 0; at < found.length; at++) if (!cut[found[at]]) found.push(...tree.children(found[at]));
  return found;
}

export function sizeOf(tree: Tree, cut: Uint8Array): Size {
  const nodes = nodesOf(tree, cut);
  const columns = new Set<number>();
  for (const node of nodes) {
    if (cut[node]) {
      for (const [column] of tree.models?.get(node)[3] ?? []) columns.add(column);
      continue;
    }
    for (const column of tree.columnsOf(node)) columns.add(column);
    for (const [column] of tree.nodes[node]![5]) columns.add(column);
  }
  return {
    leaves: nodes.filter((node) => cut[node]).length,
    depth: nodes.reduce((most, node) => Math.max(most, tree.depth[node]), 0),
    columns: columns.size,
  };
}

/** The rules of the leaves; null where those of a pruned tree are not known. */
export function rulesAt(payload: Payload, tree: Tree, cut: Uint8Array): RuleRow[] | null {
  const rules = payload.rules ?? [];
  const nodes = nodesOf(tree, cut);
  const fresh = nodes.filter((node) => cut[node] && !tree.isLeaf(node));
  if (!fresh.length) return rules;
  if (!payload.rules_of_inner_nodes) return null;
  const stay = new Set(nodes.filter((node) => !fresh.includes(node)));
  const made = fresh.map((node) => ruleOf(payload, tree, node));
  return [...rules.filter((rule) => stay.has(rule.node)), ...made];
}

function ruleOf(payload: Payload, tree: Tree, node: number): RuleRow {
  const [text, short] = payload.rules_of_inner_nodes![String(node)];
  const rule = { node, text, short, prediction: "", support: tree.rows[node] };
  const label = tree.labels(node)[0];
  if (label === null || tree.nClasses.length > 1) return { ...rule, confidence: null, lift: null };
  const [here, all] = [tree.of(tree.value, node)[label], tree.of(tree.value, 0)[label]];
  return { ...rule, confidence: here, lift: all > 0 ? here / all : null };
}

/** Shares of the gain in a pruned tree. Importances by permutation are known for the model itself only. */
export function importanceAt(tree: Tree, cut: Uint8Array, rows: readonly ImportanceRow[]): ImportanceRow[] {
  const gains = new Map<string, number>();
  let total = 0;
  for (const node of nodesOf(tree, cut)) {
    if (cut[node]) continue;
    const tested = tree.columnsOf(node); // what a test combines has equal parts of its gain
    for (const column of tested) {
      const name = tree.names[column];
      gains.set(name, (gains.get(name) ?? 0) + tree.gain[node] / tested.length);
    }
    total += tree.gain[node];
  }
  const none = { impurity_low: null, impurity_high: null, permutation: null, permutation_low: null, permutation_high: null };
  const found = rows.filter(({ column }) => gains.has(column)).map(({ column }) => ({ column, impurity: gains.get(column)! / (total || 1), ...none }));
  return found.sort((a, b) => b.impurity - a.impurity);
}

export interface ScoresShown {
  rows: Score[];
  on: string;
  verdict: string | null;
}

/** The scores of a step of pruning; null where they are not known. */
export function scoresAt(payload: Payload, step: number): ScoresShown | null {
  const { pruning, scores } = payload;
  const original = !pruning || step === pruning.original;
  const known = pruning?.scores;
  if (!original && known) {
    const rows = known.metrics.map((metric, k) => {
      const [value, low, high] = known.values[step][k];
      return { ...metric, value: value ?? "nan", low, high };
    });
    return { rows, on: known.on, verdict: null };
  }
  return original ? scores : null;
}
