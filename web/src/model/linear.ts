// Linear leaves as the interpreter reads them, and their terms for a case.
import { distanceOf, type Cell, type Model, type Term } from "interpreter";
import type { LeafModelArrays } from "../payload";
import { num } from "./parse";

const [NUMBER, IS_MISSING] = [-2, -1]; // in `level`; else the code of a level

/** The model of every node. */
export function modelsOf(arrays: LeafModelArrays, count: number): { get(node: number): Model } {
  const scores = arrays.constant.length / count;
  const numbers = (list: LeafModelArrays["lower"], at: number, none: number) =>
    list?.length ? list.slice(at * scores, (at + 1) * scores).map(num) : new Array<number>(scores).fill(none);
  const term = (at: number): Term => [arrays.feature![at], arrays.level![at], num(arrays.centre![at]), numbers(arrays.coefficient, at, 0)];
  const { begin, constant, lower, upper } = arrays;
  return {
    get: (node) => {
      const terms = Array.from({ length: begin[node + 1] - begin[node] }, (_, k) => term(begin[node] + k));
      return [numbers(constant, node, 0), numbers(lower, node, -Infinity), numbers(upper, node, Infinity), terms];
    },
  };
}

/** A row that has every number of a model at its centre, and none of its levels. */
export function centreOf([, , , terms]: Model): Cell[] {
  const cells: Cell[] = [];
  for (const [column, level, centre] of terms) if (level === NUMBER || cells[column] === undefined) cells[column] = level === NUMBER ? centre : -1;
  return cells;
}

/** A term for a case: its value (null: missing, so it counts as the centre), and how it changes the first score. */
export function movedBy(term: Term, cells: readonly Cell[]): { value: number | null; change: number } {
  const [column, level, centre, [slope]] = term;
  const distance = distanceOf(term, cells);
  const cell = cells[column];
  const value = level !== NUMBER ? Math.round(distance + centre) : cell === null ? null : Number(cell);
  return { value, change: slope * distance };
}

/** What a coefficient stands before: a column, a level of it, or whether it is missing. */
export function termName(name: string, levels: readonly unknown[], level: number): string {
  return level === NUMBER ? name : level === IS_MISSING ? `${name} is missing` : `${name} = ${String(levels[level])}`;
}
