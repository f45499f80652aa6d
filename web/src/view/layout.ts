// Where the nodes are drawn: a tidy tree. Every subtree is as narrow as its outline allows, siblings keep a fixed
// distance, and a parent stands over the middle of its children. No recursion; near-linear time.
import type { Tree } from "../model/tree";
import type { Orientation } from "../state/state";
import type { Visible } from "./visible";

// The outline of a subtree, deepest level first, so that a parent is pushed at the end. Positions are relative to
// `shift`, which moves the whole outline without touching the lists.
interface Outline {
  left: number[];
  right: number[];
  shift: number;
}

/** Half the room of a node across the tree: the name of an inner node of a horizontal tree may take two lines. */
const ROOM = 0.5;
const INNER: Record<Orientation, number> = { vertical: ROOM, horizontal: 0.7 };

/** The position of every visible node across the tree; neighbours on a level keep the room of both. */
export function breadths(tree: Tree, visible: Visible, orientation: Orientation): Float64Array {
  const offset = new Float64Array(tree.count); // from the parent
  const outlines = new Map<number, Outline>();
  for (let at = visible.order.length - 1; at >= 0; at--) {
    const node = visible.order[at];
    const children = visible.open[node] ? tree.children(node) : [];
    const room = visible.cut[node] ? ROOM : INNER[orientation];
    outlines.set(node, children.length ? joined(children, outlines, offset, room) : { left: [-room], right: [room], shift: 0 });
    for (const child of children) outlines.delete(child);
  }
  const place = new Float64Array(tree.count);
  for (const node of visible.order) if (node > 0) place[node] = place[tree.parent[node]] + offset[node];
  return place;
}

function joined(children: number[], outlines: Map<number, Outline>, offset: Float64Array, room: number): Outline {
  let all = outlines.get(children[0])!;
  const root = (one: Outline) => (one.left[one.left.length - 1] + one.right[one.right.length - 1]) / 2 + one.shift;
  const places = [root(all)];
  for (const child of children.slice(1)) {
    const next = outlines.get(child)!;
    next.shift += gapBetween(all, next);
    places.push(root(next));
    all = merged(all, next);
  }
  const middle = (places[0] + places[places.length - 1]) / 2;
  children.forEach((child, k) => (offset[child] = places[k] - middle));
  all.left.push(middle - all.shift - room);
  all.right.push(middle - all.shift + room);
  all.shift -= middle; // the parent stands at 0
  return all;
}

// How far the second outline must move to stand right of the first.
function gapBetween(first: Outline, second: Outline): number {
  const depth = Math.min(first.left.length, second.left.length);
  let gap = -Infinity;
  for (let level = 1; level <= depth; level++) {
    const end = first.right[first.right.length - level] + first.shift;
    gap = Math.max(gap, end - second.left[second.left.length - level] - second.shift);
  }
  return gap;
}

// The outline of both, made of the deeper one's lists: the cost is the depth of the shallower one.
function merged(first: Outline, second: Outline): Outline {
  const [deep, flat] = first.left.length >= second.left.length ? [first, second] : [second, first];
  const side = deep === first ? "right" : "left";
  const move = flat.shift - deep.shift;
  for (let level = 1; level <= flat.left.length; level++) {
    deep[side][deep[side].length - level] = flat[side][flat[side].length - level] + move;
  }
  return deep;
}

export const CARD = { width: 164, height: 52 };
export const STEP = {
  vertical: { across: CARD.width + 18, along: CARD.height + 62 },
  horizontal: { across: CARD.height + 14, along: CARD.width + 116 },
};
const LEAST_GAP = 84; // between the levels of a horizontal tree, for the labels of its edges
const MOST_GAP = 220;
const LETTER = 9; // as wide as one of a label that is drawn at two thirds of its size
const SMALL = 1.9; // from pixels at about half the size to the layout's units
const BADGE = 110; // beside the collapsed nodes of a horizontal tree

/** What the words of a level need: letters of the longest label; in small letters pixels of the cards and the labels. */
export interface LevelWords {
  letters: number;
  card: number;
  least: number; // of a card whose words are in lines
  label: number;
}

/** The distance from each level to the level above it: of a horizontal tree as wide as the words need. */
export function stepsOf(levels: readonly LevelWords[], orientation: Orientation): number[] {
  if (orientation === "vertical") return levels.map(() => STEP.vertical.along);
  return levels.map(({ letters, label }, depth) => {
    const gap = Math.min(MOST_GAP, Math.max(LEAST_GAP, letters * LETTER + 20));
    return Math.max(CARD.width + gap, depth ? SMALL * (levels[depth - 1].card + label) : 0);
  });
}

/** By how much the cards of the last level of a horizontal tree are longer than usual. */
function lastOf(levels: readonly LevelWords[]): number {
  return Math.max(0, SMALL * levels[levels.length - 1].card - CARD.width);
}

/** Where every visible node has its centre, and the box around all cards. */
export interface Layout {
  orientation: Orientation;
  x: Float64Array;
  y: Float64Array;
  rows: Int32Array[]; // the visible nodes of each level, by position
  steps: number[]; // the distance from each level to the level above it
  labels: number[]; // pixels that a short label of an edge to each level needs
  last: number; // by which the cards of the last level may be longer
  free: Float64Array; // how wide the card of each node may be, of a horizontal tree how high: up to its neighbours
  left: number;
  top: number;
  width: number;
  height: number;
}

export function layoutOf(tree: Tree, visible: Visible, breadth: Float64Array, orientation: Orientation, levels: readonly LevelWords[]): Layout {
  const steps = stepsOf(levels, orientation);
  const across = breadth.map((at) => at * STEP[orientation].across);
  const ends = steps.map(() => 0);
  for (let depth = 1; depth < steps.length; depth++) ends[depth] = ends[depth - 1] + steps[depth];
  const along = Float64Array.from(tree.depth, (depth) => ends[depth] ?? 0);
  const rows: number[][] = Array.from({ length: visible.maxDepth + 1 }, () => []);
  let [low, high] = [0, 0];
  for (const node of visible.order) {
    rows[tree.depth[node]].push(node);
    low = Math.min(low, across[node]);
    high = Math.max(high, across[node]);
  }
  const far = ends[visible.maxDepth];
  const badge = visible.order.some((node) => !visible.cut[node] && !visible.open[node]) ? BADGE : 0;
  const last = lastOf(levels);
  const after = badge + last;
  const free = orientation === "vertical" ? freeWidths(rows, across, low, high) : freeHeights(rows, across, visible);
  const [x, y] = orientation === "vertical" ? [across, along] : [along, across];
  return {
    orientation,
    x,
    y,
    steps,
    labels: levels.map(({ label }) => label),
    last,
    free,
    rows: rows.map((row) => Int32Array.from(row)),
    left: (orientation === "vertical" ? low : 0) - CARD.width / 2,
    top: (orientation === "vertical" ? 0 : low) - CARD.height / 2,
    width: (orientation === "vertical" ? high - low : far + after) + CARD.width,
    height: (orientation === "vertical" ? far : high - low) + CARD.height,
  };
}

const BETWEEN = STEP.vertical.across - CARD.width; // cards of a level

function freeWidths(rows: readonly number[][], across: Float64Array, low: number, high: number): Float64Array {
  const free = new Float64Array(across.length).fill(CARD.width);
  for (const row of rows) {
    row.forEach((node, k) => {
      const sides = [row[k - 1], row[k + 1]].filter((each) => each !== undefined).map((each) => Math.abs(across[each] - across[node]) - BETWEEN);
      const edges = [across[node] - low, high - across[node]].map((room) => 2 * room + CARD.width); // the window ends there
      free[node] = Math.max(CARD.width, Math.min(4 * CARD.width, ...sides, ...edges));
    });
  }
  return free;
}

// The end of a window is no neighbour, but there is little room there.
function freeHeights(rows: readonly number[][], across: Float64Array, visible: Visible): Float64Array {
  const free = new Float64Array(across.length);
  const room = (node: number) => (visible.cut[node] ? ROOM : INNER.horizontal) * STEP.horizontal.across;
  for (const row of rows) {
    row.forEach((node, k) => {
      const sides = [row[k - 1], row[k + 1]].filter((each) => each !== undefined).map((each) => 2 * (Math.abs(across[each] - across[node]) - room(each)));
      free[node] = Math.min(3 * STEP.horizontal.across, ...sides);
    });
  }
  return free;
}

export const EASY = 0.45; // zoom from which the cards of a vertical tree have room for a word

/** From the first position across the tree to the last. */
export function spread(breadth: Float64Array, visible: Visible): number {
  let [low, high] = [0, 0];
  for (const node of visible.order) [low, high] = [Math.min(low, breadth[node]), Math.max(high, breadth[node])];
  return high - low;
}

/** The orientation in which a tree is seen larger in a window; a horizontal one needs less room for words. */
export function bestOrientation(visible: Visible, breadth: Record<Orientation, Float64Array>, levels: readonly LevelWords[], width: number, height: number): Orientation {
  const size = (orientation: Orientation) => {
    const wide = spread(breadth[orientation], visible) * STEP[orientation].across;
    const far = stepsOf(levels, orientation).reduce((sum, step, depth) => (depth ? sum + step : 0), 0);
    const [w, h] = orientation === "vertical" ? [wide, far] : [far + lastOf(levels), wide];
    return { kx: Math.min(width / (w + CARD.width + 40), 1), ky: Math.min(height / (h + CARD.height + 40), 1) };
  };
  const [down, across] = [size("vertical"), size("horizontal")];
  const zoom = Math.min(down.kx, down.ky);
  if (zoom < EASY && smallWords(across.kx, across.ky)) return "horizontal";
  return zoom >= Math.min(across.kx, across.ky) * 0.95 ? "vertical" : "horizontal";
}

/** Whether a horizontal tree that is stretched so has room for small letters. */
export function smallWords(kx: number, ky: number): boolean {
  return STEP.horizontal.across * ky >= 15 && (CARD.width + LEAST_GAP) * kx >= 80;
}
