// What of the tree is to be seen: pruned to a step, and folded by the reader.
import type { Pruning } from "../payload";
import type { State } from "../state/state";
import type { Tree } from "../model/tree";

const SHOWN_AT_FIRST = 10; // leaves of a large tree before anything is unfolded
const SHOWN_WHOLE = 12; // a tree of so few leaves is never folded

/** The nodes that are leaves at a step of pruning. */
export function cutAt(tree: Tree, pruning: Pruning | null, step: number): Uint8Array {
  const cut = new Uint8Array(tree.count);
  for (let node = 0; node < tree.count; node++) {
    const at = pruning ? pruning.collapse_at[node] : -1;
    cut[node] = tree.isLeaf(node) || (at >= 0 && at <= step) ? 1 : 0;
  }
  return cut;
}

/** The nodes that are unfolded at first: those of most rows, until enough leaves are seen. */
export function openAtFirst(tree: Tree, cut: Uint8Array): Uint8Array {
  const open = new Uint8Array(tree.count);
  const leaves = leavesBelow(tree, cut)[0];
  if (leaves <= SHOWN_WHOLE) return open.map((_, node) => (cut[node] ? 0 : 1));
  const edge = cut[0] ? [] : [0];
  for (let shown = 1; edge.length; ) {
    let most = 0;
    edge.forEach((node, at) => (most = tree.rows[node] > tree.rows[edge[most]] ? at : most));
    const [node] = edge.splice(most, 1);
    shown += tree.nChildren[node] - 1;
    if (shown > SHOWN_AT_FIRST && node > 0) break;
    open[node] = 1;
    edge.push(...tree.children(node).filter((child) => !cut[child]));
  }
  return open;
}

export function leavesBelow(tree: Tree, cut: Uint8Array): Int32Array {
  const leaves = new Int32Array(tree.count);
  for (let node = tree.count - 1; node >= 0; node--) {
    if (cut[node]) leaves[node] = 1;
    if (node > 0) leaves[tree.parent[node]] += leaves[node];
  }
  return leaves;
}

export interface Visible {
  cut: Uint8Array; // 1: a leaf at this step
  open: Uint8Array; // 1: unfolded
  seen: Uint8Array;
  order: Int32Array; // the nodes to be seen, depth first
  leaves: Int32Array; // below each node, folded ones too
  maxDepth: number;
}

/** What is seen in a state; the nodes in `lit` are unfolded whatever the reader folded. */
export function visibleOf(tree: Tree, cut: Uint8Array, state: State, lit: readonly number[]): Visible {
  const start = state.mode === "all" ? cut.map((leaf) => 1 - leaf) : openAtFirst(tree, cut);
  const open = start.map((is, node) => (cut[node] ? 0 : state.flips.has(node) ? 1 - is : is));
  for (const node of lit) open[node] = cut[node] ? 0 : 1;
  const seen = new Uint8Array(tree.count);
  const order: number[] = [];
  const stack = [0];
  let maxDepth = 0;
  while (stack.length) {
    const node = stack.pop()!;
    seen[node] = 1;
    order.push(node);
    maxDepth = Math.max(maxDepth, tree.depth[node]);
    if (open[node]) stack.push(...tree.children(node).reverse());
  }
  return { cut, open, seen, order: Int32Array.from(order), leaves: leavesBelow(tree, cut), maxDepth };
}

/** The flips that fold or unfold one node. */
export function flipped(flips: ReadonlySet<number>, node: number): Set<number> {
  const next = new Set(flips);
  if (!next.delete(node)) next.add(node);
  return next;
}

/** The flips that bring a node into view. */
export function revealing(tree: Tree, visible: Visible, flips: ReadonlySet<number>, node: number): ReadonlySet<number> {
  if (visible.seen[node]) return flips;
  let next = flips;
  for (const above of tree.path(node).slice(0, -1)) {
    if (visible.cut[above]) return flips; // pruned away at this step
    if (!visible.open[above]) next = flipped(next, above);
  }
  return next;
}
