// Numbers and names as the page writes them.
import { num } from "../model/parse";
import type { Cell } from "../model/row";
import { timeText } from "../model/times";
import type { Tree } from "../model/tree";
import type { Num, Payload } from "../payload";

const WHOLE = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** A number with about four digits that count. */
export function short(given: Num | null | undefined): string {
  const x = num(given);
  if (Number.isNaN(x)) return "–";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  const size = Math.abs(x);
  if (x === 0) return "0";
  if (size >= 1e12 || size < 1e-4) return x.toExponential(2).replace("-", "−");
  if (size >= 1000) return WHOLE.format(x).replace("-", "−");
  const digits = Number.isInteger(x) ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : size >= 0.1 ? 3 : 4;
  return x.toFixed(digits).replace("-", "−");
}

export function count(n: number): string {
  return WHOLE.format(n);
}

export function percent(share: Num | null | undefined): string {
  const x = num(share);
  if (Number.isNaN(x)) return "–";
  const hundred = 100 * x;
  const close = (hundred > 0 && hundred < 1) || (hundred > 99 && hundred < 100);
  return `${hundred.toFixed(close ? 1 : 0)} %`;
}

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

export function interval(low: Num | null | undefined, high: Num | null | undefined, write = short): string {
  return Number.isNaN(num(low)) || Number.isNaN(num(high)) ? "" : `${write(low)} to ${write(high)}`;
}

/** Names for a canvas: one line, no control characters, its direction its own affair. */
export function oneLine(text: string): string {
  const flat = text.slice(0, 400).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, " ");
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/.test(flat) ? `\u2068${flat}\u2069` : flat;
}

/** The condition on the way to a node without the name of the column, for the edge. */
export function edgeText(payload: Payload, tree: Tree, node: number): string {
  const text = payload.words.edge[node] ?? "";
  const name = tree.names[tree.test[tree.parent[node]]!.feature];
  if (!text.startsWith(`${name} `)) return oneLine(text);
  const rest = text.slice(name.length + 1);
  const tidy = rest.replace(/^<=\s*/, "≤ ").replace(/^>=\s*/, "≥ ").replace(/^([<>])\s+/, "$1 ").replace(/^= /, "");
  const bare = tidy.replace(/^in \{(.*)\}( or missing)?$/s, "$1$2");
  return oneLine(bare.replace(/^(. -?\d+\.\d{4})\d{2,}(?![\de])/, "$1…")); // the panel has all digits
}

export function likeliest(shares: ArrayLike<number>): number {
  let best = 0;
  for (let k = 1; k < shares.length; k++) if (shares[k] > shares[best]) best = k;
  return best;
}

/** A cell of a case in words. */
export function cellText(tree: Tree, column: number, cell: Cell): string {
  if (cell === null) return "missing";
  const { kind } = tree.columns[column];
  if (kind === "nominal" || kind === "ordered") return String(tree.levels[column][Number(cell)] ?? "another level");
  if (kind === "boolean") return cell ? "true" : "false";
  if (kind === "datetime" || kind === "duration") return timeText(kind, cell);
  return String(cell);
}
