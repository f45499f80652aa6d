// The tree of a model file: parallel arrays, and what follows from them. Children come after their parents.
import { cheapest, valuesOf, type Cell, type Inner, type Outcome, type Tables, type Test } from "interpreter";
import type { ColumnSchema, CombinationArrays, Payload, SurrogateArrays } from "../payload";
import { centreOf, modelsOf } from "./linear";
import { num, plain } from "./parse";

export const STOPS = -1; // in missing_child: a row without the value ends at this node
export const SHARED = -2; // it goes down every child, with that child's share

export type Cut = NonNullable<Cell>;

function readTest(arrays: Omit<SurrogateArrays, "node">, at: number): Test {
  const value = num(arrays.threshold[at]);
  const [begin, end] = [arrays.level_begin?.[at] ?? 0, arrays.level_begin?.[at + 1] ?? 0];
  const codes = arrays.level_code?.slice(begin, end).map((code, k): [number, number] => [code, arrays.level_child![begin + k]]);
  const cut = arrays.integer_exact?.[at] ? wholeThreshold(value, arrays.integer_threshold![at]) : value;
  // the core reads x < -inf as x <= -inf
  return [arrays.feature[at], codes?.length ? new Map(codes) : cut, Boolean(arrays.strict?.[at]) && cut !== -Infinity, Boolean(arrays.reversed?.[at])];
}

function sumsOf({ begin, column, coefficient }: CombinationArrays): Tables["sums"] {
  return begin.slice(1).map((end, at) => column.slice(begin[at], end).map((each, k) => [each, num(coefficient[begin[at] + k])]));
}

// Of a column of type uint64 the bits are read as signed: only there a positive threshold has negative bits.
function wholeThreshold(value: number, bits: unknown): bigint {
  const whole = BigInt(typeof bits === "object" ? (bits as { $int: string }).$int : (bits as number));
  return whole < 0n && value > 0 ? whole + (1n << 64n) : whole;
}

export class Tree implements Tables {
  readonly count: number;
  readonly firstChild: number[];
  readonly nChildren: number[];
  readonly missingChild: number[];
  readonly missingSeen: number[];
  readonly rows: number[]; // counted
  readonly weight: Float64Array;
  readonly weighted: boolean; // rows count by weights: given ones, or those of classes and priors
  readonly gain: Float64Array;
  readonly impurity: Float64Array;
  readonly nClasses: number[];
  readonly width: number; // numbers per output in value
  readonly value: Float64Array; // (nodes, outputs, width)
  readonly prediction: Float64Array; // estimate where there is one
  readonly parent: Int32Array;
  readonly depth: Int32Array;
  readonly columns: ColumnSchema[];
  readonly names: string[]; // of the columns, and behind them of the sums
  readonly levels: unknown[][]; // per column
  readonly codes: (Map<unknown, number> | null)[]; // of the levels, per column
  readonly classes: string[][] | null; // per output, as shown
  readonly foundBy: string[];
  readonly unit: string; // of predicted numbers
  // what else the interpreter reads: see there
  readonly sums: Tables["sums"];
  readonly nodes: (Inner | null)[];
  readonly outcomes: { get(node: number): Outcome };
  readonly models: ReturnType<typeof modelsOf> | null;
  readonly link: string;
  readonly shares: boolean;
  readonly strength: number;
  readonly rowsBehind: Float64Array;
  readonly costs: number[][] | null;
  private readonly decidedBy: Float64Array; // what the class of a node follows from

  constructor(payload: Payload) {
    const { tree, schema } = payload.model;
    this.unit = payload.unit ?? "";
    this.count = tree.first_child.length;
    this.firstChild = tree.first_child;
    this.nChildren = tree.n_children;
    this.missingChild = tree.missing_child;
    this.missingSeen = tree.missing_seen;
    this.rows = tree.n_node_samples;
    this.weight = Float64Array.from(tree.weighted_n_node_samples, num);
    this.weighted = this.rows.some((rows, node) => Math.abs(this.weight[node] - rows) > 1e-9 * rows);
    this.gain = Float64Array.from(tree.gain, num);
    this.impurity = Float64Array.from(tree.impurity, num);
    this.nClasses = tree.n_classes;
    this.width = Math.max(...tree.n_classes);
    this.columns = schema.columns;
    const names = schema.columns.map((column, at) => payload.columns[at]?.name ?? column.name ?? `x[${at}]`);
    this.names = [...names, ...(payload.words.sums ?? [])];
    this.levels = schema.columns.map((column) => (column.levels ?? []).map(plain));
    this.codes = this.levels.map((levels) => (levels.length ? new Map(levels.map((level, code) => [typeof level === "boolean" ? Number(level) : level, code])) : null));
    this.classes =
      schema.classes && schema.classes.map((each) => each.shown ?? each.labels.map((label) => String(plain(label))));
    this.foundBy = tree.found_by ? tree.found_by.map((at) => tree.found_by_names?.[at] ?? "") : [];
    this.parent = new Int32Array(this.count).fill(-1);
    this.depth = new Int32Array(this.count);
    this.rowsBehind = this.weight.slice(); // where no row came, that of the node above
    const surrogates = new Map<number, Test[]>();
    tree.surrogates?.node.forEach((node, at) => surrogates.set(node, [...(surrogates.get(node) ?? []), readTest(tree.surrogates!, at)]));
    this.nodes = new Array(this.count).fill(null);
    for (let node = 0; node < this.count; node++) {
      const children = this.children(node);
      if (children.length) {
        const [column, cut, strict] = readTest(tree, node);
        const missing = this.missingChild[node] === SHARED ? children.map((child) => tree.share![child]) : this.missingChild[node];
        this.nodes[node] = [column, cut, strict, this.firstChild[node], missing, surrogates.get(node) ?? []];
      }
      for (const child of children) {
        this.parent[child] = node;
        this.depth[child] = this.depth[node] + 1;
        if (this.weight[child] <= 0) this.rowsBehind[child] = this.rowsBehind[node];
      }
    }
    this.sums = tree.combinations ? sumsOf(tree.combinations) : [];
    this.shares = this.missingChild.some((child, node) => child === SHARED && this.nChildren[node] > 0);
    this.strength = this.shares ? (tree.pooled?.[0] ?? 0) : 0;
    const size = this.width;
    this.costs = tree.costs?.length ? Array.from({ length: size }, (_, k) => tree.costs!.slice(k * size, (k + 1) * size)) : null;
    this.link = !this.classes ? "identity" : this.nClasses[0] === 2 ? "logistic" : "softmax";
    this.value = Float64Array.from(tree.value, num);
    this.models = tree.leaf_models ? modelsOf(tree.leaf_models, this.count) : null;
    this.prediction = this.models ? this.atCentre() : tree.estimate?.length ? Float64Array.from(tree.estimate, num) : this.value;
    this.decidedBy = tree.pooled?.length ? this.value : this.prediction;
    const values = this.strength ? this.value : this.prediction;
    this.outcomes = { get: (node) => [this.labels(node), this.nClasses.map((_, output) => this.of(values, node, output))] };
  }

  // Of linear leaves: what every node predicts where numbers are at their centres.
  private atCentre(): Float64Array {
    const found = new Float64Array(this.value.length);
    for (let node = 0; node < this.count; node++) {
      const at = valuesOf(this, [{ node, share: 1 }], centreOf(this.models!.get(node)));
      at.forEach((values, output) => found.set(values, (node * this.nClasses.length + output) * this.width));
    }
    return found;
  }

  /** The place of the class of each output; null for a node without a prediction, and for regression. */
  labels(node: number): (number | null)[] {
    const every = this.nClasses.map((_, output) => output);
    if (!this.classes || every.every((output) => this.of(this.prediction, node, output).every((p) => p === 0))) return every.map(() => null);
    return every.map((output) => cheapest([...this.of(this.decidedBy, node, output)], this.costs));
  }

  /** The column that an inner node tests; behind the columns are the sums. */
  tested(node: number): number {
    return this.nodes[node]![0];
  }

  /** The columns that the test of an inner node reads. */
  columnsOf(node: number): number[] {
    const column = this.tested(node);
    return column < this.columns.length ? [column] : this.sums[column - this.columns.length].map(([each]) => each);
  }

  children(node: number): number[] {
    return Array.from({ length: this.nChildren[node] }, (_, k) => this.firstChild[node] + k);
  }

  isLeaf(node: number): boolean {
    return this.nChildren[node] === 0;
  }

  /** The nodes from the root to this one. */
  path(node: number): number[] {
    const found: number[] = [];
    for (let at = node; at >= 0; at = this.parent[at]) found.push(at);
    return found.reverse();
  }

  /** What a node has in a (nodes, outputs, width) array for one output. */
  of(array: Float64Array, node: number, output = 0): Float64Array {
    const begin = (node * this.nClasses.length + output) * this.width;
    return array.subarray(begin, begin + this.nClasses[output]);
  }
}
