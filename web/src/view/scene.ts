// Everything that a picture of the tree shows, for the canvas and for paper alike.
import type { Tree } from "../model/tree";
import type { Payload } from "../payload";
import { answersFor } from "./answers";
import type { Layout } from "./layout";
import { edgeTexts, oneLine, type EdgeTexts } from "./words";
import type { Visible } from "./visible";

export interface Scene {
  payload: Payload;
  tree: Tree;
  visible: Visible;
  layout: Layout;
  colours: readonly string[];
  selected: number;
  path: ReadonlySet<number>; // from the root to the selected node
  lit: ReadonlySet<number>; // the way of the case, if there is one
  marked: ReadonlySet<number>; // found by the search
  positive: Int32Array | null; // at the operating point: how many leaves below say the positive class
  missing: boolean;
  output: number;
}

const titles = new WeakMap<Tree, string[]>();

/** What a node predicts, in words; written once per tree. */
export function answerText(tree: Tree, node: number): string {
  let known = titles.get(tree);
  if (!known) titles.set(tree, (known = new Array<string>(tree.count)));
  return (known[node] ??= oneLine(answersFor(tree, node)));
}

/** The first line of a card: what is asked, or at a leaf what is predicted. */
export function cardTitle(scene: Scene, node: number): string {
  const { tree, visible } = scene;
  return visible.cut[node] ? answerText(tree, node) : oneLine(tree.names[tree.test[node]!.feature]);
}

/** The words at the way to a node: in full, then shorter. A number is never cut, only rounded. */
export function edgeLabels(scene: Scene, node: number): EdgeTexts {
  return edgeTexts(scene.payload, node);
}

/** Whether missing values of the parent take this way: 1, or in part where they are shared out. */
export function takesMissing(tree: Tree, node: number): boolean {
  const above = tree.parent[node];
  const child = tree.missingChild[above];
  return child === node - tree.firstChild[above] || child === -2;
}
