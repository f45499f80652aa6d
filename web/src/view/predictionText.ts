// What a node predicts, as text.
import type { Tree } from "../model/tree";
import { short, withUnit } from "./words";

/** The label or number that a node predicts, of several outputs all of them. */
export function predictionOf(tree: Tree, node: number): string {
  if (!tree.classes) return tree.nClasses.map((_, k) => withUnit(short(tree.of(tree.prediction, node, k)[0]), tree.unit)).join(", ");
  const labels = tree.labels(node);
  return labels.map((label, k) => (label === null ? "no prediction" : tree.classes![k][label])).join(", ");
}
