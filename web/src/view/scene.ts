// Everything that a picture of the tree shows, for the canvas and for paper alike.
import type { Tree } from "../model/tree";
import { smoothingDecides } from "../model/predict";
import type { Payload } from "../payload";
import { predictionOf } from "./predictionText";
import type { Layout, LevelWords } from "./layout";
import { edgeTexts, leastWidth, oneLine, partsOf, percent, type EdgeTexts } from "./words";
import type { Visible } from "./visible";

export interface Scene {
  payload: Payload;
  tree: Tree;
  visible: Visible;
  layout: Layout;
  colours: readonly string[];
  selected: number;
  path: ReadonlySet<number>; // from the root to the selected node
  highlighted: ReadonlySet<number>; // the path of the row of What if
  token: number | null; // the node that the row of What if has reached
  marked: ReadonlySet<number>; // found by the search
  positive: Int32Array | null; // at the operating point: how many leaves below say the positive class
  missing: boolean;
  output: number;
}

const titles = new WeakMap<Tree, string[]>();

/** What a node predicts, in words; written once per tree. */
export function predictionText(tree: Tree, node: number): string {
  let known = titles.get(tree);
  if (!known) titles.set(tree, (known = new Array<string>(tree.count)));
  return (known[node] ??= oneLine(predictionOf(tree, node)));
}

/** The first line of a card: the column of the split, or at a leaf the prediction. */
export function cardTitle(scene: Scene, node: number): string {
  const { tree, visible } = scene;
  return visible.cut[node] ? predictionText(tree, node) : oneLine(tree.names[tree.tested(node)]);
}

/** What the mark * beside a probability means. */
export const CONTRARY = "* Most training rows of this leaf have another class. Smoothing decides: the probability depends on the nodes above too.";

/** The probability of the class that a node predicts, with * where its own rows say otherwise; nothing for numbers. */
export function probabilityText(tree: Tree, node: number, output = 0): string {
  const label = tree.labels(node)[output];
  return label === null ? "" : percent(tree.of(tree.prediction, node, output)[label]) + (smoothingDecides(tree, node) ? "*" : "");
}

/** The words at the edge to a node: in full, then shorter. A number is never cut, only rounded. */
export function edgeLabels(scene: Scene, node: number): EdgeTexts {
  return edgeTexts(scene.payload, node);
}

const [LETTER, BOLD] = [6.6, 7.2]; // pixels of one of the smallest letters
const [LEAST, MOST] = [60, 130]; // pixels of a card
const MOST_LABEL = 80;

function ofLeaf(tree: Tree, node: number): [number, number] {
  const [prediction, share] = [predictionText(tree, node).length, probabilityText(tree, node).length];
  return [(prediction + share + 1) * BOLD + 18, Math.max(prediction, share) * BOLD + 14];
}

// A name of three lines, broken after its parts, or anywhere.
function ofName(name: string): [number, number] {
  const parts = partsOf(name).map((part) => part.length);
  const third = Math.ceil(name.length / 3);
  return [leastWidth(parts, 3) * LETTER + 14, third * LETTER + 12];
}

/** Per level, what its words need: a name three lines at most, a prediction one line, a number few digits. */
export function levelWords(payload: Payload, tree: Tree, visible: Visible): LevelWords[] {
  const found = Array.from({ length: visible.maxDepth + 1 }, () => ({ letters: 0, card: LEAST, least: LEAST, label: 0 }));
  for (const node of visible.order) {
    const level = found[tree.depth[node]];
    const [card, least] = visible.cut[node] ? ofLeaf(tree, node) : ofName(tree.names[tree.tested(node)]);
    level.card = Math.max(level.card, Math.min(MOST, card));
    level.least = Math.max(level.least, Math.min(MOST, least));
    if (node === 0) continue;
    const { texts, fixed } = edgeTexts(payload, node);
    const shortest = texts[texts.length - 1].length;
    level.letters = Math.max(level.letters, fixed ? shortest : texts[0].length);
    level.label = Math.max(level.label, Math.min(MOST_LABEL, shortest * LETTER) + 13);
  }
  return found;
}

/** Whether missing values of the parent take this edge: 1, or in part where they are shared out. */
export function takesMissing(tree: Tree, node: number): boolean {
  const above = tree.parent[node];
  const child = tree.missingChild[above];
  return child === node - tree.firstChild[above] || child === -2;
}
