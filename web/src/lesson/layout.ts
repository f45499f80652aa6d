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
export const LEAST = 0.7; // a tree is made so small before it is laid out differently
const DOWN = { across: CARD.width + 16, along: CARD.height + 46 };
const RIGHT = { across: CARD.height + 14, along: CARD.width + 92 };
const INDENTED = { across: 22, along: CARD.height + 20, label: 190 };
const MOST_DOWN = 5; // leaves: a tree of more is drawn to the right

// Children below their parent, to its right, or each in a line of its own, as in a text.
export type Direction = "down" | "right" | "indented";

/** A text of at most so many letters. */
export const fitted = (text: string, most: number) => (text.length > most ? `${text.slice(0, Math.max(1, most - 1)).replace(/[\s,\u2026]+$/, "")}…` : text);

/** The direction in which the whole tree fits into this width. */
export function directionOf(nodes: readonly LessonNode[], split: ReadonlySet<number>, room: number): Direction {
  const few = nodes.filter((node, k) => !split.has(k) && (k === 0 || split.has(node.parent))).length <= MOST_DOWN;
  const fits = (direction: Direction) => LEAST * placed(nodes, split, direction).width <= room;
  return few && fits("down") ? "down" : fits("right") ? "right" : "indented";
}

/** The tree in which these nodes are split. */
export function placed(nodes: readonly LessonNode[], split: ReadonlySet<number>, direction: Direction): Drawn {
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
  const places = new Map<number, Place>();
  let [width, height] = [0, 0];
  const put = (node: number, x: number, y: number) => {
    places.set(node, { node, x, y, leaf: !split.has(node) });
    [width, height] = [Math.max(width, x + CARD.width), Math.max(height, y + CARD.height)];
  };
  if (direction === "indented") {
    order.forEach((node, line) => put(node, depth.get(node)! * INDENTED.across, line * INDENTED.along));
    return { places, width: width - CARD.width + INDENTED.label, height };
  }
  const across = new Map<number, number>();
  let leaves = 0;
  for (const node of order) if (!split.has(node)) across.set(node, leaves++);
  for (const node of [...order].reverse()) {
    if (!split.has(node)) continue;
    const children = nodes[node].children;
    across.set(node, (across.get(children[0])! + across.get(children[children.length - 1])!) / 2);
  }
  const step = direction === "right" ? RIGHT : DOWN;
  for (const node of order) {
    const [a, b] = [across.get(node)! * step.across, depth.get(node)! * step.along];
    if (direction === "right") put(node, b, a);
    else put(node, a, b);
  }
  return { places, width, height };
}
