// Where a row goes and what is predicted for it: the interpreter that exports to JavaScript have, on the tree as it is pruned.
import { endsOf, labelsOf, leafOf, valuesOf, type Cell, type End, type Tables } from "interpreter";
import type { Tree } from "./tree";

export interface Outcome {
  ends: End[];
  leaf: number; // the end of the largest share
  passed: number[]; // every node on the path
  values: number[][]; // per output: probabilities, or one number
  labels: (number | null)[]; // per output: place of the class; null where there is no prediction
}

/** The tree in which the nodes of `cut` are leaves. */
export function prunedTo(tree: Tree, cut: Uint8Array): Tables {
  return { ...tree, nodes: tree.nodes.map((inner, node) => (cut[node] ? null : inner)) };
}

export function outcomeOf(tree: Tree, cells: readonly Cell[], cut?: Uint8Array): Outcome {
  const shown = cut ? prunedTo(tree, cut) : tree;
  const ends = endsOf(shown, cells);
  const passed = [...new Set(ends.flatMap(({ node }) => tree.path(node)))];
  const labels = tree.classes ? labelsOf(shown, ends, cells) : tree.nClasses.map(() => null);
  return { ends, leaf: leafOf(ends), passed, values: valuesOf(shown, ends, cells), labels };
}

/** Whether smoothing makes a node predict another class than most of its training rows have. */
export function smoothingDecides(tree: Tree, node: number): boolean {
  if (!tree.classes || tree.nClasses.length > 1 || tree.costs || tree.prediction === tree.value) return false;
  const [label] = tree.labels(node);
  const own = tree.of(tree.value, node);
  return label !== null && own[label] < Math.max(...own);
}
