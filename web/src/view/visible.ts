// What of the tree is to be seen: pruned to a step, and collapsed by the reader.
import type { Pruning } from "../payload";
import type { State } from "../state/state";
import type { Tree } from "../model/tree";

/** Leaves of a large tree before anything is expanded, and those of a tree that is never collapsed. */
export interface Room {
  atFirst: number;
  whole: number;
}
export const WHOLE = 48; // leaves of a tree that a wide window shows whole
export const WIDE: Room = { atFirst: 16, whole: WHOLE };
export const NARROW: Room = { atFirst: 4, whole: 6 };

/** The nodes that are leaves at a step of pruning. */
export function cutAt(tree: Tree, pruning: Pruning | null, step: number): Uint8Array {
  const cut = new Uint8Array(tree.count);
  for (let node = 0; node < tree.count; node++) {
    const at = pruning ? pruning.collapse_at[node] : -1;
    cut[node] = tree.isLeaf(node) || (at >= 0 && at <= step) ? 1 : 0;
  }
  return cut;
}

/** The nodes that are expanded at first: as many levels as can be read; of a large tree those of most rows, until enough leaves are seen. */
export function openAtFirst(tree: Tree, cut: Uint8Array, room: Room, levels: () => number): Uint8Array {
  const open = new Uint8Array(tree.count);
  const leaves = leavesBelow(tree, cut)[0];
  if (leaves <= room.whole) {
    const most = levels();
    return open.map((_, node) => (cut[node] || tree.depth[node] >= most ? 0 : 1));
  }
  const edge = cut[0] ? [] : [0];
  for (let shown = 1; edge.length; ) {
    let most = 0;
    edge.forEach((node, at) => (most = tree.rows[node] > tree.rows[edge[most]] ? at : most));
    const [node] = edge.splice(most, 1);
    shown += tree.nChildren[node] - 1;
    if (shown > room.atFirst && node > 0) break;
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
  open: Uint8Array; // 1: expanded
  seen: Uint8Array;
  order: Int32Array; // the nodes to be seen, depth first
  leaves: Int32Array; // below each node, collapsed ones too
  maxDepth: number;
}

/** The nodes that the reader has collapsed and expanded. */
export type Expansion = Pick<State, "expanded" | "collapsed">;

/** What is seen of a tree that starts with `start` expanded; nodes in `highlighted` are expanded whatever the reader collapsed. */
export function visibleOf(tree: Tree, cut: Uint8Array, start: Uint8Array, expansion: Expansion, highlighted: readonly number[]): Visible {
  const open = start.slice();
  for (const node of expansion.expanded) open[node] = 1;
  for (const node of expansion.collapsed) open[node] = 0;
  for (let node = 0; node < tree.count; node++) if (cut[node]) open[node] = 0;
  for (const node of highlighted) open[node] = cut[node] ? 0 : 1;
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

/** A set with one member more or less. */
export function flipped(given: ReadonlySet<number>, member: number): Set<number> {
  const next = new Set(given);
  if (!next.delete(member)) next.add(member);
  return next;
}

/** The expansion after some nodes were expanded, or collapsed. */
export function expansionAfter({ expanded, collapsed }: Expansion, nodes: readonly number[], open: boolean): Expansion {
  const [more, less] = open ? [new Set(expanded), new Set(collapsed)] : [new Set(collapsed), new Set(expanded)];
  for (const node of nodes) {
    more.add(node);
    less.delete(node);
  }
  return open ? { expanded: more, collapsed: less } : { expanded: less, collapsed: more };
}

/** The collapsed nodes above a node, which hide it. */
export function hiding(tree: Tree, cut: Uint8Array, start: Uint8Array, expansion: Expansion, node: number): number[] {
  const above = tree.path(node).slice(0, -1);
  return above.filter((each) => !cut[each] && (expansion.collapsed.has(each) || (!start[each] && !expansion.expanded.has(each))));
}
