// What a node says, in words.
import { labelsAt } from "./predict";
import type { Tree } from "./tree";
import { short } from "../view/words";

/** The label or number that a node predicts, of several outputs all of them. */
export function answersFor(tree: Tree, node: number): string {
  if (!tree.classes) return tree.nClasses.map((_, k) => short(tree.of(tree.prediction, node, k)[0])).join(", ");
  const labels = labelsAt(tree, [{ node, share: 1 }]);
  return labels.map((label, k) => (label === null ? "no answer" : tree.classes![k][label])).join(", ");
}
