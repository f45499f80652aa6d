// Where the nodes of the tree so far are drawn: leaves one after the other, parents over the middle of their children.
import type { LessonNode } from "./payload";

export interface Place {
  node: number;
  x: number;
  y: number;
  leaf: boolean;
}

export interface Drawn {
  places: Map<number, Place>;
  width: number;
  height: number;
}

export const CARD = { width: 148, height: 44 };
const DOWN = { across: CARD.width + 16, along: CARD.height + 46 };
const RIGHT = { across: CARD.height + 10, along: CARD.width + 92 };

/** The tree in which these nodes are split; `right`: children stand to the right of their parent. */
export function placed(nodes: readonly LessonNode[], split: ReadonlySet<number>, right: boolean): Drawn {
  const order: number[] = [];
  const depth = new Map([[0, 0]]);
  const open = [0];
  while (open.length) {
    const node = open.pop()!;
    order.push(node);
    if (!split.has(node)) continue;
    for (const child of [...nodes[node].children].reverse()) {
      depth.set(child, depth.get(node)! + 1);
      open.push(child);
    }
  }
  const across = new Map<number, number>();
  let leaves = 0;
  for (const node of order) if (!split.has(node)) across.set(node, leaves++);
  for (const node of [...order].reverse()) {
    if (!split.has(node)) continue;
    const children = nodes[node].children;
    across.set(node, (across.get(children[0])! + across.get(children[children.length - 1])!) / 2);
  }
  const step = right ? RIGHT : DOWN;
  const places = new Map<number, Place>();
  let deepest = 0;
  for (const node of order) {
    const [a, b] = [across.get(node)! * step.across, depth.get(node)! * step.along];
    deepest = Math.max(deepest, b);
    places.set(node, { node, x: right ? b : a, y: right ? a : b, leaf: !split.has(node) });
  }
  const wide = (leaves - 1) * step.across;
  return { places, width: (right ? deepest : wide) + CARD.width, height: (right ? wide : deepest) + CARD.height };
}
