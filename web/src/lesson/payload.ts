// What a lesson page shows, as Python writes it: see present/lesson/payload.py.

export interface LessonNode {
  parent: number;
  children: number[];
  edge: string; // the branch that leads here
  column: string; // that the node tests; empty for a leaf
  rows: number;
  says: string; // the prediction
  shares: number[] | null; // of the classes
}

interface Values {
  low: number;
  high: number;
  ends: [string, string];
  cut: number | null;
  missing: number;
  cuts: number[];
  gains: number[];
  n_cuts: number;
}
export interface Dots extends Values {
  kind: "dots";
  x: number[];
  y: number[]; // classes, or the target
}
export interface Bins extends Values {
  kind: "bins";
  counts: number[][]; // by class and bin
  means: (number | null)[] | null; // of the target
}
export interface Levels {
  kind: "levels";
  levels: string[];
  branch: number[];
  hidden: number;
  missing: number;
  counts: number[][]; // by class and level
  means: number[] | null;
  groupings: { levels: string; gain: number; says: string; best: boolean }[];
  all: boolean; // every grouping was listed
  n_cuts: number;
}
export type ColumnData = Dots | Bins | Levels;

export interface Candidate {
  column: string;
  test: string;
  gain: number;
  says: string; // the gain
  ratio?: number;
  p_value?: number;
  tie: boolean;
  data: ColumnData | null;
}

export interface Step {
  node: number;
  path: string;
  sentence: string;
  more: number; // columns that are not listed
  counts: number[] | null; // of the rows, by class
  waiting: [number, number][]; // other leaves and their gains
  gain: number;
  impurity: string;
  candidates: Candidate[];
}

export interface Lesson {
  format: "treewright lesson";
  title: string;
  target: string | null;
  criterion: string;
  impurity: string; // whose gains these are
  by_ratio: boolean;
  by_test: boolean; // columns are chosen by p-values
  rule: string; // what chooses among the candidates
  order: string;
  classes: string[] | null;
  rows: number;
  columns: number;
  weighted: boolean; // the shares of the classes are not those of the rows
  splits: number; // of the tree; the page may have fewer steps
  nodes: LessonNode[];
  steps: Step[];
  ends: string[];
  notes: string[];
}
