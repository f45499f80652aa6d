// The nearest change that flips the decision: best first over the parts of the tree, by their distance to a case.
// A state is a box (ranges of the columns tested so far), the nodes still open in it and those where rows ended;
// several where a missing value is shared out. The first state without open nodes that has another decision is
// the nearest one, since a box only shrinks and its distance only grows.
import { labelsOf, valuesOf, type Cell, type End, type Tables, type Test } from "interpreter";
import type { ColumnFacts } from "../payload";
import { Heap } from "./heap";
import { plain } from "./parse";
import { nearestIn } from "./nearest";
import { outcomeOf, prunedTo, type Outcome } from "./predict";
import { allOf, costOf, holds, leastCost, partsOf, scaleOf, type Range, type Scale } from "./ranges";
import { readCell } from "./row";
import { STOPS, type Tree } from "./tree";

export type Goal = { label: number | null } | { above: number } | { below: number };

export interface Change {
  column: number;
  from: Cell;
  to: Cell;
}

/** The result of a search: without a change and not complete, there may be one that was not found. */
export interface Searched {
  change: Counterfactual | null;
  complete: boolean;
}

export interface Counterfactual {
  changes: Change[];
  cells: Cell[];
  distance: number;
  outcome: Outcome;
}

interface State {
  cost: number;
  box: ReadonlyMap<number, Range>;
  open: readonly End[];
  ends: readonly End[];
}

const MOST_STATES = 200_000; // far beyond any tree without shared rows; memory stays small

export class Search {
  private readonly scales = new Map<number, Scale>();
  private readonly shown: Tables;

  constructor(
    private readonly tree: Tree,
    private readonly facts: readonly ColumnFacts[],
    private readonly cells: readonly Cell[],
    private readonly fixed: ReadonlySet<number>,
    private readonly cut?: Uint8Array,
    private readonly most = MOST_STATES,
  ) {
    this.shown = cut ? prunedTo(tree, cut) : tree;
  }

  /** The nearest change that reaches the goal; null where there is none, or the search stopped early. */
  nearest(goal: Goal): Searched {
    const before = outcomeOf(this.tree, this.cells, this.cut);
    const heap = new Heap<State>();
    heap.push(0, { cost: 0, box: new Map(), open: [{ node: 0, share: 1 }], ends: [] });
    for (let met = 0; heap.size && met < this.most; met++) {
      const state = heap.pop()!;
      if (state.open.length) for (const next of this.expand(state)) heap.push(next.cost, next);
      else if (reaches(this.tree, state.ends, before, goal)) {
        const found = this.finished(state);
        if (found && reaches(this.tree, found.outcome.ends, before, goal)) return { change: found, complete: true };
      }
    }
    return { change: null, complete: heap.size === 0 };
  }

  private expand(state: State): State[] {
    const [here, ...open] = state.open;
    const inner = this.shown.nodes[here.node];
    if (!inner) return [{ ...state, open, ends: [...state.ends, here] }];
    const [column, cut, strict, first, missing, surrogates] = inner;
    const found: State[] = [];
    const arrive = (box: ReadonlyMap<number, Range>, child: number | number[]) => {
      const cost = this.costOfBox(box);
      if (child === STOPS) found.push({ cost, box, open, ends: [...state.ends, here] });
      else {
        const below = typeof child === "number" ? [{ node: first + child, share: here.share }]
          : child.map((part, k) => ({ node: first + k, share: here.share * part })).filter(({ share }) => share > 0);
        found.push({ cost, box, open: [...below, ...open], ends: state.ends });
      }
    };
    let pending = [state.box];
    for (const test of [[column, cut, strict, false] as Test, ...surrogates]) {
      const unanswered: ReadonlyMap<number, Range>[] = [];
      for (const box of pending) {
        for (const { range, side } of this.split(test, box)) {
          const smaller = new Map(box).set(test[0], range);
          if (side >= 0) arrive(smaller, side);
          else unanswered.push(smaller);
        }
      }
      pending = unanswered;
    }
    for (const box of pending) arrive(box, missing);
    return found;
  }

  private split(test: Test, box: ReadonlyMap<number, Range>): { range: Range; side: number }[] {
    const [column] = test;
    const known = box.get(column);
    const all = known ? [known] : allOf(this.tree, column, this.cells[column]);
    const parts = all.flatMap((range) => partsOf(test, range));
    return this.fixed.has(column) ? parts.filter(({ range }) => holds(range, this.cells[column])) : parts;
  }

  private scale(column: number): Scale {
    let found = this.scales.get(column);
    if (!found) {
      const { tree } = this;
      const given = plain(this.facts[column]?.typical ?? null);
      const typical = readCell(tree, column, given);
      found = scaleOf(tree, this.facts[column], column, this.cells[column], typical);
      this.scales.set(column, found);
    }
    return found;
  }

  private costOfBox(box: ReadonlyMap<number, Range>): number {
    let cost = 0;
    for (const [column, range] of box) cost += leastCost(this.scale(column), this.cells[column], range);
    return cost;
  }

  private finished(state: State): Counterfactual | null {
    const cells = [...this.cells];
    const changes: Change[] = [];
    for (const [column, range] of state.box) {
      const from = this.cells[column];
      const to = nearestIn(range, from, this.scale(column));
      if (to === null && from !== null) return null;
      if (leastCost(this.scale(column), from, range) === 0 && range.kind !== "stretch") continue;
      if (to === from) continue;
      cells[column] = to;
      changes.push({ column, from, to });
    }
    const distance = changes.reduce((sum, each) => sum + costOf(this.scale(each.column), each.from, each.to), 0);
    return { changes, cells, distance, outcome: outcomeOf(this.tree, cells, this.cut) };
  }
}

function reaches(tree: Tree, ends: readonly End[], before: Outcome, goal: Goal): boolean {
  if ("above" in goal) return valuesOf(tree, ends, [])[0][0] > goal.above;
  if ("below" in goal) return valuesOf(tree, ends, [])[0][0] < goal.below;
  if (!tree.classes) return false;
  const labels = labelsOf(tree, ends, []);
  if (goal.label !== null) return labels[0] === goal.label;
  return labels.every((label) => label !== null) && labels.some((label, k) => label !== before.labels[k]);
}
