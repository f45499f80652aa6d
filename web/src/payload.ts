// What the page is a function of: the payload, as treewright.report writes it.

export type Num = number | string; // "nan", "inf" and "-inf" are texts
export type Int = number | { $int: string }; // beyond 2^53 see parse.ts

export interface ColumnSchema {
  name?: string;
  kind: "number" | "boolean" | "nominal" | "ordered" | "datetime" | "duration";
  levels?: unknown[];
  utc?: boolean;
}

export interface SurrogateArrays {
  node: number[];
  feature: number[];
  threshold: Num[];
  integer_threshold?: Int[];
  integer_exact?: number[];
  strict?: number[];
  reversed?: number[];
  agreement?: Num[];
  level_begin?: number[];
  level_code?: number[];
  level_child?: number[];
}

export interface TreeArrays extends Omit<SurrogateArrays, "node" | "reversed" | "agreement"> {
  n_classes: number[];
  first_child: number[];
  n_children: number[];
  missing_child: number[];
  missing_seen: number[];
  n_node_samples: number[];
  weighted_n_node_samples: Num[];
  impurity: Num[];
  gain: Num[];
  value: Num[];
  estimate?: Num[];
  pooled?: number[];
  share?: number[];
  costs?: number[];
  found_by?: number[];
  found_by_names?: string[];
  heuristic?: number[];
  surrogates?: SurrogateArrays;
  leaf_models?: LeafModelArrays;
  combinations?: CombinationArrays;
}

/** Sum j has the terms begin[j] to begin[j + 1] - 1; the feature of a test of it is the number of columns + j. */
export interface CombinationArrays {
  begin: number[];
  column: number[];
  coefficient: Num[];
}

/** Linear leaves: node i has the terms begin[i] to begin[i + 1] - 1. */
export interface LeafModelArrays {
  begin: number[];
  feature?: number[];
  level?: number[];
  centre?: Num[];
  coefficient?: Num[];
  constant: Num[];
  lower?: Num[];
  upper?: Num[];
}

export interface Classes {
  type: string;
  labels: unknown[];
  shown?: string[];
}

export interface ModelParts {
  schema: { columns: ColumnSchema[]; classes: Classes[] | null };
  tree: TreeArrays;
  decision?: { words: string; threshold: number | null } | null;
  params?: Record<string, unknown>;
  sha256?: string;
  file: FileParts;
}

/** The rest of the model file as text, and how a node becomes a leaf in the arrays of its tree. */
export interface FileParts {
  parts: Record<string, string>;
  fitted: Record<string, string>;
  training: Record<string, string>;
  floats: string[]; // arrays of floats; the others are whole numbers
  node_arrays: string[];
  outcomes: string[];
  as_leaf: Record<string, number>;
}

export interface ColumnFacts {
  name: string;
  kind: string;
  missing: number | null;
  typical: unknown;
  low: Num | null;
  high: Num | null;
  iqr: Num | null;
  unit?: string | null;
  whole?: boolean;
}

export interface Score {
  metric: string;
  value: Num;
  low: Num | null;
  high: Num | null;
  baseline: Num | null;
  better?: "higher" | "lower";
}

export interface NodeError {
  error: Num;
  low: Num | null;
  high: Num | null;
  n: number;
}

export interface NodeFacts {
  held_out_error: (NodeError | null)[] | null;
  interval: ([Num, Num] | null)[] | null;
  interval_words?: string | null;
  held_out_error_note?: string | null;
  histogram: { edges: Num[]; counts: number[][] } | null;
  split_histograms?: Record<string, SplitHistogram> | null;
}

/** The tested column in the rows of a node: round bins with a threshold, or levels; counts by series. */
export interface SplitHistogram {
  series: number[]; // places of classes (-1: all others), or of branches
  counts: number[][];
  edges?: Num[];
  threshold?: Num;
  shown?: [low: string, high: string, threshold: string];
  levels?: string[];
  codes?: number[];
}

export interface PruningStep {
  alpha: Num;
  leaves: number;
  training_loss: Num | null;
  held_out_loss: Num | null;
  held_out_loss_se: Num | null;
}

/** The scores of every step; each is a value with the ends of its interval. */
export interface StepScores {
  metrics: { metric: string; better: "higher" | "lower"; baseline: Num | null }[];
  values: [Num | null, Num | null, Num | null][][];
  on: string;
}

/** The leaves that the trees which predict unseen rows have at some step: from `begin` to before `end`. */
export interface StepLeaves {
  begin: number[];
  end: number[];
  label: number[]; // -1: no prediction
  probability: number[]; // by leaf and class, as are the next two
  weight: number[]; // of the unseen rows there, by their class
  squares: number[] | null; // of squared weights; null where every row weighs 1
}

/** For every pair of a residual plot its leaf before pruning; when a leaf ends, `above` predicts. */
export interface StepPairs {
  begin: number[];
  end: number[];
  above: number[];
  prediction: Num[];
  at: number[];
}

export interface Pruning {
  collapse_at: number[];
  steps: PruningStep[];
  original: number;
  command: string; // that prunes, without the alpha
  scores?: StepScores | null;
  node_errors?: Record<string, (Num | null)[]> | null; // changes by node: step, error, low, high, step, …
  subgroups?: (number | null)[][] | null; // per step, in the order of the evaluation
  leaves?: StepLeaves | null;
  pairs?: StepPairs | null;
  figures_note?: string | null; // why none of these are there
  source: string | null;
  best: number | null;
  one_se: number | null;
  loss: string;
}

export interface Segment {
  score: Num;
  positive: number;
  negative: number;
}

export interface RocData {
  positive: number;
  source: string;
  auc: Num | null;
  auc_low: Num | null;
  auc_high: Num | null;
  prevalence: number;
  costs: number[][];
  segments: Segment[];
  hull: number[];
}

export interface LeafBox {
  node: number;
  n: number;
  low: Num;
  q1: Num;
  median: Num;
  q3: Num;
  high: Num;
}

export interface ImportanceRow {
  column: string;
  impurity: Num | null;
  impurity_low: Num | null;
  impurity_high: Num | null;
  permutation: Num | null;
  permutation_low: Num | null;
  permutation_high: Num | null;
}

export interface RuleRow {
  node: number;
  text: string;
  short: string; // with few levels
  prediction: string;
  support: number;
  confidence: Num | null;
  lift: Num | null;
}

/** For auditors: where the model comes from, what it is for, and whether its file is as it was written. */
export interface Card {
  intended_use: string | null;
  verified: boolean | null; // null: the model was not read from a file
  data_sha256: string | null; // of the training rows
  data_note: string;
  model_sha256: string; // of the model file
  rows: [string, string][];
}

export interface ClassRow {
  label: string;
  place: number; // of the class in the model
  precision: Num | null;
  recall: Num | null;
  f1: Num | null;
  support: number;
  auc: Num | null;
  roc: [number, number][]; // false-positive rate and recall
}

export interface Subgroup {
  name: string;
  n: number;
  accuracy?: Num | null;
  recall?: Num | null;
  false_positive_rate?: Num | null;
  mean_absolute_error?: Num | null;
  mean_residual?: Num | null;
}

/** How good the predictions for held-out rows are, in detail. */
export interface Evaluation {
  on: string;
  source: string;
  weighted: boolean; // rows count by their weights
  confusion: { labels: string[]; counts: number[][] } | null;
  classes: ClassRow[] | null;
  calibration: { of: string; rows: { predicted: Num; observed: Num; low: Num; high: Num; weight: Num }[]; ece: Num } | null;
  subgroups: { column: string; by: string; rows: Subgroup[] }[];
}

/** The condition of a branch after the name of its column: sign, value, and whether missing values take it too. */
export type EdgeParts = [sign: string, value: string, missing: boolean];

/** How often a split is chosen again in bootstrap samples, and how far it moves there: the ends of its thresholds, or the share of
 *  rows whose level goes to another branch. */
export interface SplitStability {
  chosen: number;
  if_reached: number | null;
  threshold: [string, string] | null;
  rows_moved: number | null;
}

export interface Payload {
  format: "treewright page";
  version: number;
  created_by: string;
  title: string;
  kind: "classification" | "regression";
  target: string | null;
  unit?: string | null; // of a target of numbers
  outputs?: string[] | null; // names of several outputs
  model: ModelParts;
  words: { test: (string | null)[]; edge: (string | null)[]; edge_parts: (EdgeParts | null)[]; missing: (string | null)[]; criterion: string; equation?: string[]; sums?: string[] };
  facts: [string, string][];
  predicts: string; // "bad or good", "a number", "3 clusters"
  clusters?: boolean; // of a table without a target
  trained_on: number | null; // rows
  tree_name: string;
  tree_words?: string | null; // by which loss it was chosen
  alternatives?: Partial<Payload>[]; // other trees for the same target: what differs from this payload
  card?: Card;
  evaluation?: Evaluation | null;
  evaluation_note?: string | null;
  scores: { rows: Score[]; source: "fit" | "report"; on: string; verdict: string | null } | null;
  columns: ColumnFacts[];
  next_best_splits: Record<string, { test: string; gain: Num }[]> | null;
  next_best_splits_note?: string | null;
  stability?: { repeats: number; nodes: Record<string, SplitStability> } | null;
  nodes: NodeFacts | null;
  pruning: Pruning | null;
  pruning_note?: string | null;
  roc: RocData | null;
  roc_note?: string | null;
  residuals: { source: string; pairs: [Num, Num][]; leaves: LeafBox[]; inner_nodes?: LeafBox[] | null } | null;
  residuals_note?: string | null;
  importance: { rows: ImportanceRow[]; words: string } | null;
  importance_note?: string | null;
  rules: RuleRow[] | null;
  rules_words?: string | null;
  rules_note?: string | null;
  rules_of_inner_nodes?: Record<string, [text: string, short: string]> | null;
  check: { kind: string; column: string | null; sentence: string; severity: "high" | "medium" | "low" }[] | null;
  check_note?: string | null;
  check_summary?: string | null;
  scores_note?: string | null;
  comparison: { columns: string[]; rows: unknown[][]; words: string } | null;
  comparison_note?: string | null;
  settings: { name: string; value: string; default: string; changed: boolean }[];
  command: string | null;
  python: string | null;
  notes: string[];
}
