// What a column may be so that a row takes one path down the tree, and what it costs to get there from a case.
import type { Cell, Test } from "interpreter";
import type { ColumnFacts } from "../payload";
import { num } from "./parse";
import { MISSING } from "./row";
import type { Cut, Tree } from "./tree";

/** A stretch of numbers; open ends are not part of it. */
export interface Stretch {
  kind: "stretch";
  low: Cut;
  lowOpen: boolean;
  high: Cut;
  highOpen: boolean;
}
/** Some levels, by their codes. */
export interface Levels {
  kind: "levels";
  codes: ReadonlySet<number>;
}
/** A missing value that stays missing. */
export interface Stays {
  kind: "stays";
}
export type Range = Stretch | Levels | Stays;

/** How one column enters the distance. */
export interface Scale {
  perUnit: number; // for one step of a number; 0 where any change costs 1
  whole: boolean;
  time: boolean;
  typical: Cell;
}

function isWhole(cell: Cell): boolean {
  return typeof cell === "bigint" || (typeof cell === "number" && Number.isInteger(cell));
}

export function scaleOf(tree: Tree, facts: ColumnFacts | undefined, column: number, cell: Cell, typical: Cell): Scale {
  const kind = tree.columns[column].kind;
  if (kind === "nominal" || kind === "boolean") return { perUnit: 0, whole: true, time: false, typical };
  if (kind === "ordered") return { perUnit: 1, whole: true, time: false, typical };
  const [iqr, low, high] = [num(facts?.iqr), num(facts?.low), num(facts?.high)];
  const spread = iqr > 0 ? iqr : high - low > 0 ? high - low : thresholdSpread(tree, column);
  const seen = [facts?.low, facts?.high].map((each) => (each === null || each === undefined ? MISSING : num(each)));
  const whole = facts?.whole ?? [...seen, typical, cell].every((each) => each !== MISSING && isWhole(each));
  const time = kind === "datetime" || kind === "duration";
  return { perUnit: 1 / spread, whole: time || whole, time, typical };
}

function thresholdSpread(tree: Tree, column: number): number {
  const cuts = tree.nodes.flatMap((inner) => (inner?.[0] === column ? [Number(inner[1])] : []));
  const finite = cuts.filter(Number.isFinite);
  const spread = finite.length ? Math.max(...finite) - Math.min(...finite) : 0;
  if (spread > 0) return spread;
  return finite.length && finite[0] !== 0 ? Math.abs(finite[0]) : 1;
}

/** All that a column may become: a missing value may stay so or be given, a value that is there stays a value. */
export function allOf(tree: Tree, column: number, cell: Cell): Range[] {
  const levels = tree.levels[column].length;
  const nominal = tree.columns[column].kind === "nominal";
  const codes = Array.from({ length: levels }, (_, code) => code);
  const known: Range = nominal
    ? { kind: "levels", codes: new Set(cell === MISSING ? codes : [...codes, cell as number]) }
    : { kind: "stretch", low: -Infinity, lowOpen: false, high: Infinity, highOpen: false };
  return cell === MISSING ? [{ kind: "stays" }, known] : [known];
}

/** The parts of a range by the branch of a test: the number of a child, or -1 where it has none. */
export function partsOf([, cut, strict, reversed]: Test, range: Range): { range: Range; side: number }[] {
  if (range.kind === "stays") return [{ range, side: -1 }];
  if (range.kind === "levels") {
    const groups = new Map<number, number[]>();
    for (const code of range.codes) {
      const side = (cut as Map<number, number>).get(code) ?? -1;
      groups.set(side, [...(groups.get(side) ?? []), code]);
    }
    return [...groups].map(([side, codes]) => ({ side, range: { kind: "levels", codes: new Set(codes) } }));
  }
  const threshold = cut as Cut;
  const below: Stretch = { ...range };
  const above: Stretch = { ...range };
  if (threshold < range.high || (threshold == range.high && strict)) {
    below.high = threshold;
    below.highOpen = strict || (threshold == range.high && range.highOpen);
  }
  if (threshold > range.low || (threshold == range.low && !strict)) {
    above.low = threshold;
    above.lowOpen = !strict || (threshold == range.low && range.lowOpen);
  }
  const first = reversed ? 1 : 0;
  return [
    { range: below, side: first },
    { range: above, side: 1 - first },
  ].filter(({ range: part }) => !isEmpty(part));
}

function isEmpty(range: Stretch): boolean {
  return range.low > range.high || (range.low == range.high && (range.lowOpen || range.highOpen));
}

export function holds(range: Range, cell: Cell): boolean {
  if (range.kind === "stays" || cell === MISSING) return range.kind === "stays" && cell === MISSING;
  if (range.kind === "levels") return range.codes.has(cell as number);
  const above = range.lowOpen ? cell > range.low : cell >= range.low;
  return above && (range.highOpen ? cell < range.high : cell <= range.high);
}

/** The cost of moving one cell to another. */
export function costOf(scale: Scale, from: Cell, to: Cell): number {
  if (from === to || (from !== MISSING && to !== MISSING && from == to)) return 0;
  if (from === MISSING || to === MISSING || !scale.perUnit) return 1;
  const difference = typeof from === "bigint" || typeof to === "bigint" ? wideDifference(from, to) : to - from;
  return Math.abs(difference) * scale.perUnit;
}

function wideDifference(from: Cut, to: Cut): number {
  if (typeof from === "number" && !Number.isInteger(from)) return Number(to) - from;
  if (typeof to === "number" && !Number.isInteger(to)) return to - Number(from);
  return Number(BigInt(to) - BigInt(from));
}

/** The end of a stretch, or in a column of whole numbers the outermost of them inside, if there is one. */
export function endOf(range: Stretch, isLow: boolean, whole: boolean): Cut {
  const end = isLow ? range.low : range.high;
  if (!whole || typeof end === "bigint" || !Number.isFinite(end)) return end;
  const isOpen = isLow ? range.lowOpen : range.highOpen;
  const inside = isLow ? (isOpen ? Math.floor(end) + 1 : Math.ceil(end)) : isOpen ? Math.ceil(end) - 1 : Math.floor(end);
  return holds(range, inside) ? inside : end;
}

/** The least cost of moving a cell into a range; open ends count as if they were reached. */
export function leastCost(scale: Scale, cell: Cell, range: Range): number {
  if (holds(range, cell)) return 0;
  if (range.kind !== "stretch" || cell === MISSING) return 1;
  return costOf(scale, cell, endOf(range, cell < range.low || cell == range.low, scale.whole && !scale.time));
}
