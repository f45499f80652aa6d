// The tree of a model file: parallel arrays, and what follows from them. Children come after their parents.
import type { ColumnSchema, CombinationArrays, Payload, SurrogateArrays } from "../payload";
import { LinearLeaves } from "./linear";
import { num, plain } from "./parse";

export const STOPS = -1; // in missing_child: a row without the value ends at this node
export const SHARED = -2; // it goes down every child, with that child's share

export type Cut = number | bigint;

/** One question: a threshold, or the child of every level that is listed. */
export interface Test {
  feature: number;
  threshold: Cut;
  strict: boolean;
  reversed: boolean; // of a surrogate: the two children change over
  levels: Map<number, number> | null; // code of a level → number of a child
  terms: Term[] | null; // what an oblique test adds up; its feature then has the name of the sum alone
}

/** A column and its coefficient. */
export type Term = [column: number, coefficient: number];

function termsOf(sums: CombinationArrays | undefined, at: number): Term[] | null {
  if (!sums || at < 0) return null;
  const column = sums.column.slice(sums.begin[at], sums.begin[at + 1]);
  return column.map((each, k) => [each, num(sums.coefficient[sums.begin[at] + k])]);
}

/** The columns that a test reads. */
export function columnsOf({ terms, feature }: Test): number[] {
  return terms ? terms.map(([column]) => column) : [feature];
}

type TestArrays = Omit<SurrogateArrays, "node">;

function readTest(arrays: TestArrays, at: number): Test {
  const value = num(arrays.threshold[at]);
  const begin = arrays.level_begin?.[at] ?? 0;
  const end = arrays.level_begin?.[at + 1] ?? 0;
  const levels = end > begin ? new Map<number, number>() : null;
  for (let i = begin; i < end; i++) levels!.set(arrays.level_code![i], arrays.level_child![i]);
  return {
    feature: arrays.feature[at],
    threshold: arrays.integer_exact?.[at] ? wholeThreshold(value, arrays.integer_threshold![at]) : value,
    strict: Boolean(arrays.strict?.[at]),
    reversed: Boolean(arrays.reversed?.[at]),
    levels,
    terms: null,
  };
}

// Of a column of type uint64 the bits are read as signed: only there a positive threshold has negative bits.
function wholeThreshold(value: number, bits: unknown): bigint {
  const whole = BigInt(typeof bits === "object" ? (bits as { $int: string }).$int : (bits as number));
  return whole < 0n && value > 0 ? whole + (1n << 64n) : whole;
}

export class Tree {
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
  readonly share: number[] | null;
  readonly nClasses: number[];
  readonly width: number; // numbers per output in value
  readonly value: Float64Array; // (nodes, outputs, width)
  readonly prediction: Float64Array; // estimate where there is one
  readonly linear: LinearLeaves | null; // what leaves compute in place of a constant
  readonly pooled: number | null;
  readonly costs: number[] | null;
  readonly parent: Int32Array;
  readonly depth: Int32Array;
  readonly test: (Test | null)[];
  readonly surrogates = new Map<number, Test[]>();
  readonly columns: ColumnSchema[];
  readonly combines: boolean; // some test is of a sum of columns
  readonly names: string[]; // of the columns, and behind them of the sums
  readonly levels: unknown[][]; // per column
  readonly classes: string[][] | null; // per output, as shown
  readonly sharesRows: boolean;
  readonly foundBy: string[];
  readonly unit: string; // of predicted numbers

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
    this.share = tree.share?.length ? tree.share : null;
    this.nClasses = tree.n_classes;
    this.width = Math.max(...tree.n_classes);
    this.value = Float64Array.from(tree.value, num);
    this.linear = tree.leaf_models ? new LinearLeaves(tree.leaf_models, this.count, tree.n_classes, schema.classes !== null) : null;
    this.prediction = this.linear ? this.atCentre(this.linear) : tree.estimate?.length ? Float64Array.from(tree.estimate, num) : this.value;
    this.pooled = tree.pooled?.length ? tree.pooled[0] : null;
    this.costs = tree.costs?.length ? tree.costs : null;
    this.columns = schema.columns;
    const names = schema.columns.map((column, at) => payload.columns[at]?.name ?? column.name ?? `x[${at}]`);
    this.names = [...names, ...(payload.words.sums ?? [])];
    this.combines = Boolean(tree.combinations);
    this.levels = schema.columns.map((column) => (column.levels ?? []).map(plain));
    this.classes =
      schema.classes && schema.classes.map((each) => each.shown ?? each.labels.map((label) => String(plain(label))));
    this.sharesRows = this.missingChild.some((child, node) => child === SHARED && this.nChildren[node] > 0);
    this.parent = new Int32Array(this.count).fill(-1);
    this.depth = new Int32Array(this.count);
    this.test = new Array(this.count).fill(null);
    this.foundBy = tree.found_by ? tree.found_by.map((at) => tree.found_by_names?.[at] ?? "") : [];
    for (let node = 0; node < this.count; node++) {
      if (this.nChildren[node]) {
        const test = readTest(tree, node);
        this.test[node] = { ...test, terms: termsOf(tree.combinations, test.feature - schema.columns.length) };
      }
      for (const child of this.children(node)) {
        this.parent[child] = node;
        this.depth[child] = this.depth[node] + 1;
      }
    }
    tree.surrogates?.node.forEach((node, at) => {
      const found = this.surrogates.get(node) ?? [];
      this.surrogates.set(node, [...found, readTest(tree.surrogates!, at)]);
    });
  }

  // Of linear leaves: what every node predicts where numbers are at their centres.
  private atCentre(linear: LinearLeaves): Float64Array {
    const found = new Float64Array(this.value.length);
    for (let node = 0; node < this.count; node++) {
      linear.values(node, null).forEach((values, output) => found.set(values, (node * this.nClasses.length + output) * this.width));
    }
    return found;
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
