// Prediction by the arrays alone: the same ends, shares and labels as treewright's predict.
import { MISSING, readRow, type Cell, type Row } from "./row";
import { SHARED, STOPS, type Test, type Tree } from "./tree";

export interface End {
  node: number;
  share: number;
}

export interface Outcome {
  ends: End[];
  leaf: number; // the end of the largest share
  passed: number[]; // every node on the path
  values: number[][]; // per output: probabilities, or one number
  labels: (number | null)[]; // per output: index of the class; null where there is no prediction
}

/** The child that a test names for a cell; -1 where the value is missing or its level is not listed. */
export function branchOf(test: Test, cell: Cell): number {
  if (cell === MISSING) return -1;
  if (test.levels) return test.levels.get(cell as number) ?? -1;
  const kept = test.strict ? cell < test.threshold : cell <= test.threshold;
  return kept === test.reversed ? 1 : 0;
}

/** The number that a test compares: of its column, or the sum of several, added in their order. */
export function cellOf(test: Test, cells: readonly Cell[]): Cell {
  if (!test.terms) return cells[test.feature];
  let sum = NaN;
  for (const [at, [column, coefficient]] of test.terms.entries()) {
    if (cells[column] === MISSING) return MISSING;
    const term = coefficient * Number(cells[column]);
    sum = at ? sum + term : term;
  }
  return Number.isNaN(sum) ? MISSING : sum;
}

/** The number of the child that a row goes to; STOPS or SHARED as the tree has them. */
export function childOf(tree: Tree, node: number, cells: readonly Cell[]): number {
  const test = tree.test[node]!;
  const child = branchOf(test, cellOf(test, cells));
  if (child >= 0) return child;
  for (const surrogate of tree.surrogates.get(node) ?? []) {
    const side = branchOf(surrogate, cells[surrogate.feature]);
    if (side >= 0) return side;
  }
  return tree.missingChild[node];
}

/** Where a row ends and what it passes; nodes marked in `cut` are leaves. */
export function walk(tree: Tree, cells: readonly Cell[], cut?: Uint8Array): { ends: End[]; passed: number[] } {
  const ends: End[] = [];
  const passed: number[] = [];
  const open: End[] = [{ node: 0, share: 1 }];
  while (open.length) {
    const here = open.pop()!;
    passed.push(here.node);
    const child = tree.isLeaf(here.node) || cut?.[here.node] ? STOPS : childOf(tree, here.node, cells);
    if (child === STOPS) ends.push(here);
    else if (child >= 0) open.push({ node: tree.firstChild[here.node] + child, share: here.share });
    else if (child === SHARED) {
      for (const below of tree.children(here.node).reverse()) {
        const share = tree.share![below];
        if (share > 0) open.push({ node: below, share: here.share * share });
      }
    }
  }
  return { ends, passed };
}

function mean(tree: Tree, ends: readonly End[], array: Float64Array, output: number): number[] {
  if (ends.length === 1) return [...tree.of(array, ends[0].node, output)];
  const sum = new Array<number>(tree.nClasses[output]).fill(0);
  for (const { node, share } of ends) tree.of(array, node, output).forEach((x, k) => (sum[k] += share * x));
  return sum;
}

// The weight that a node speaks for: its own, or where no row came that of the node above.
function rowsBehind(tree: Tree, node: number): number {
  let at = node;
  while (tree.weight[at] <= 0 && at > 0) at = tree.parent[at];
  return tree.weight[at];
}

function pooledMean(tree: Tree, ends: readonly End[], output: number): number[] {
  const m = tree.pooled!;
  const n = ends.length === 1 ? rowsBehind(tree, ends[0].node)
    : ends.reduce((sum, { node, share }) => sum + share * rowsBehind(tree, node), 0);
  const root = tree.of(tree.value, 0, output);
  return mean(tree, ends, tree.value, output).map((f, k) => (n * f + m * root[k]) / (n + m));
}

/** What is predicted for rows with these ends. */
export function valuesAt(tree: Tree, ends: readonly End[]): number[][] {
  return tree.nClasses.map((_, output) =>
    tree.pooled && tree.sharesRows ? pooledMean(tree, ends, output) : mean(tree, ends, tree.prediction, output),
  );
}

function halfToEven(x: number): number {
  const low = Math.floor(x);
  const rest = x - low;
  return rest < 0.5 || (rest === 0.5 && low % 2 === 0) ? low : low + 1;
}

/** The class of least expected cost, or the heaviest; the first of equals. */
export function cheapest(shares: readonly number[], costs: readonly number[] | null): number {
  const size = shares.length;
  if (!costs) return shares.indexOf(Math.max(...shares));
  const expected = shares.map((_, j) => shares.reduce((sum, p, i) => sum + p * costs[i * size + j], 0));
  const least = Math.min(...expected) * (1 + 2 ** -40); // the last bits decide nothing
  return expected.findIndex((cost) => cost <= least);
}

/** The index of the class of each output; null for a row without a prediction, and for regression. */
export function labelsAt(tree: Tree, ends: readonly End[], costs = tree.costs): (number | null)[] {
  if (!tree.classes) return tree.nClasses.map(() => null);
  const array = tree.pooled !== null ? tree.value : tree.prediction;
  if (!tree.sharesRows && predictsNothing(tree, ends[0].node)) return tree.nClasses.map(() => null);
  return tree.nClasses.map((_, output) => {
    const shares = mean(tree, ends, array, output);
    return cheapest(tree.sharesRows ? shares.map((p) => halfToEven(p * 2 ** 40) / 2 ** 40) : shares, costs);
  });
}

/** Whether smoothing makes a node predict another class than most of its training rows have. */
export function smoothingDecides(tree: Tree, node: number): boolean {
  if (!tree.classes || tree.nClasses.length > 1 || tree.costs || tree.prediction === tree.value) return false;
  const [label] = labelsAt(tree, [{ node, share: 1 }]);
  const own = tree.of(tree.value, node);
  return label !== null && own[label] < Math.max(...own);
}

function predictsNothing(tree: Tree, node: number): boolean {
  return tree.nClasses.every((_, output) => tree.of(tree.prediction, node, output).every((p) => p === 0));
}

export function outcomeOf(tree: Tree, cells: readonly Cell[], cut?: Uint8Array): Outcome {
  const { ends, passed } = walk(tree, cells, cut);
  let largest = ends[0];
  for (const end of ends) if (end.share > largest.share) largest = end;
  if (tree.linear) return { ends, leaf: largest.node, passed, ...linearAt(tree, ends, cells) };
  return { ends, leaf: largest.node, passed, values: valuesAt(tree, ends), labels: labelsAt(tree, ends) };
}

// What linear leaves predict for a case: the mean over the ends, and the class by that.
function linearAt(tree: Tree, ends: readonly End[], cells: readonly Cell[]): Pick<Outcome, "values" | "labels"> {
  const each = ends.map(({ node }) => tree.linear!.values(node, cells));
  const values = each[0].map((first, output) => first.map((_, k) => ends.reduce((sum, { share }, at) => sum + share * each[at][output][k], 0)));
  return { values, labels: values.map((shares) => (tree.classes ? cheapest(shares, tree.costs) : null)) };
}

export function predictRow(tree: Tree, row: Row, cut?: Uint8Array): Outcome {
  return outcomeOf(tree, readRow(tree, row), cut);
}
