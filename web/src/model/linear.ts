// Linear leaves: a constant plus coefficient * (x - centre) for each term, kept within the range of the leaf.
import type { LeafModelArrays } from "../payload";
import { num } from "./parse";
import { MISSING, type Cell } from "./row";

const [NUMBER, IS_MISSING] = [-2, -1]; // in `level`; else the code of a level

/** One term for one case. */
export interface TermMoved {
  feature: number;
  level: number;
  coefficient: number;
  centre: number;
  value: number | null; // null: missing, so it counts as the centre
  change: number; // of the score
}

export class LinearLeaves {
  readonly scores: number; // per node: one per output, or per class; one for two classes
  readonly constant: Float64Array;
  private readonly lower: Float64Array | null;
  private readonly upper: Float64Array | null;
  private readonly centre: Float64Array;
  private readonly coefficient: Float64Array;

  constructor(private readonly arrays: LeafModelArrays, count: number, private readonly nClasses: readonly number[], private readonly isClassifier: boolean) {
    this.constant = Float64Array.from(arrays.constant, num);
    this.scores = this.constant.length / count;
    this.lower = arrays.lower?.length ? Float64Array.from(arrays.lower, num) : null;
    this.upper = arrays.upper?.length ? Float64Array.from(arrays.upper, num) : null;
    this.centre = Float64Array.from(arrays.centre ?? [], num);
    this.coefficient = Float64Array.from(arrays.coefficient ?? [], num);
  }

  /** The columns of a node's terms. */
  columns(node: number): number[] {
    return (this.arrays.feature ?? []).slice(this.arrays.begin[node], this.arrays.begin[node + 1]);
  }

  /** The terms of a node for a case, in the order of the model. */
  terms(node: number, cells: readonly Cell[], score = 0): TermMoved[] {
    const found: TermMoved[] = [];
    for (let t = this.arrays.begin[node]; t < this.arrays.begin[node + 1]; t++) {
      const [feature, level] = [this.arrays.feature![t], this.arrays.level![t]];
      const value = valueOf(level, cells[feature]);
      const [coefficient, centre] = [this.coefficient[t * this.scores + score], this.centre[t]];
      found.push({ feature, level, coefficient, centre, value, change: value === null ? 0 : coefficient * (value - centre) });
    }
    return found;
  }

  /** What a node predicts per output for a case; without a case where every number is at its centre. */
  values(node: number, cells: readonly Cell[] | null): number[][] {
    const found: number[] = [];
    for (let k = 0; k < this.scores; k++) {
      const at = node * this.scores + k;
      const known = cells && this.terms(node, cells, k).reduce((sum, term) => sum + term.change, this.constant[at]);
      found.push(this.clipped(at, known === null || Number.isNaN(known) ? this.atCentre(node, k) : known));
    }
    return this.linked(found);
  }

  private atCentre(node: number, score: number): number {
    let sum = this.constant[node * this.scores + score];
    for (let t = this.arrays.begin[node]; t < this.arrays.begin[node + 1]; t++) {
      if (this.arrays.level![t] !== NUMBER) sum -= this.coefficient[t * this.scores + score] * this.centre[t];
    }
    return sum;
  }

  private clipped(at: number, score: number): number {
    const high = this.upper ? Math.min(score, this.upper[at]) : score;
    return this.lower ? Math.max(high, this.lower[at]) : high;
  }

  private linked(scores: number[]): number[][] {
    if (!this.isClassifier) return scores.map((score) => [score]);
    if (this.nClasses[0] === 2) {
      const p = 1 / (1 + Math.exp(-scores[0]));
      return [[1 - p, p]];
    }
    const most = Math.max(...scores);
    const powers = scores.map((score) => Math.exp(score - most));
    const total = powers.reduce((sum, power) => sum + power, 0);
    return [powers.map((power) => power / total)];
  }
}

function valueOf(level: number, cell: Cell): number | null {
  if (level === NUMBER) return cell === MISSING ? null : Number(cell);
  if (level === IS_MISSING) return cell === MISSING ? 1 : 0;
  return cell !== MISSING && Number(cell) === level ? 1 : 0;
}

/** What a coefficient stands before: a column, a level of it, or whether it is missing. */
export function termName(name: string, levels: readonly unknown[], level: number): string {
  return level === NUMBER ? name : level === IS_MISSING ? `${name} is missing` : `${name} = ${String(levels[level])}`;
}
