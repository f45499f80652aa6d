// Numbers and names as the page writes them.
import type { Cell } from "interpreter";
import { num } from "../model/parse";
import { timeText } from "../model/times";
import type { Tree } from "../model/tree";
import type { Num, Payload } from "../payload";
import { isNumeral, rounded } from "./digits";

const WHOLE = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

const LARGE = 1e7;
const COMPACT = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 4 });

/** A number with about four digits that count; a large one as 12.35M, 8.922B or 1.5T. */
export function short(given: Num | null | undefined): string {
  const x = num(given);
  if (Number.isNaN(x)) return "–";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  const size = Math.abs(x);
  if (x === 0) return "0";
  if (size >= LARGE && size < 1e15) return COMPACT.format(x).replace("-", "−");
  if (size >= 1e15 || size < 1e-4) return x.toExponential(2).replace("e+", "e").replaceAll("-", "−");
  if (size >= 1000) return WHOLE.format(x).replace("-", "−");
  const digits = Number.isInteger(x) ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : size >= 0.1 ? 3 : 4;
  return x.toFixed(digits).replace("-", "−");
}

export function count(n: number): string {
  return WHOLE.format(n);
}

/** A share in percent; what is not all and not nothing is never written as if it were. */
export function percent(share: Num | null | undefined): string {
  const x = num(share);
  if (Number.isNaN(x)) return "–";
  const hundred = 100 * x;
  const gap = Math.min(hundred, 100 - hundred);
  if (gap > 0 && gap < 0.05) return hundred < 50 ? "< 0.1 %" : "> 99.9 %";
  return `${hundred.toFixed(gap > 0 && gap < 0.95 ? 1 : 0)} %`;
}

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

export function interval(low: Num | null | undefined, high: Num | null | undefined, write = short): string {
  if (Number.isNaN(num(low)) || Number.isNaN(num(high))) return "";
  const [from, to] = [write(low), write(high)];
  return from === to ? `about ${from}` : `${from} to ${to}`;
}

/** Names for a canvas: one line, no control characters, its direction its own affair. */
export function oneLine(text: string): string {
  const flat = text.slice(0, 400).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, " ");
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/.test(flat) ? `\u2068${flat}\u2069` : flat;
}

/** The parts of a name, between which it may be broken: after marks such as - or _, and before a capital letter. */
export function partsOf(name: string): string[] {
  return name.split(/(?<=[-_ ./])|(?<=[\p{Ll}\d])(?=\p{Lu})/u);
}

/** The least width of so many lines at most that hold parts of these widths. */
export function leastWidth(parts: readonly number[], most: number): number {
  const lines = (width: number) => {
    let [n, used] = [1, 0];
    for (const part of parts) [n, used] = used + part > width ? [n + 1, part] : [n, used + part];
    return n;
  };
  const runs: number[] = [];
  parts.forEach((_, first) => {
    let sum = 0;
    for (const part of parts.slice(first)) runs.push((sum += part));
  });
  const widest = Math.max(...parts);
  return Math.min(...runs.filter((width) => width >= widest && lines(width) <= most));
}

export interface Condition {
  text: string;
  name: string;
  rest: string; // what follows the name
  fixed: boolean; // a sign and a number, which must not be cut
}

const SIGNS: Record<string, string> = { "<=": "≤", ">=": "≥" };

/** The condition of the branch to a node: all of it, and its two parts. */
export function conditionOf(payload: Payload, node: number): Condition {
  const text = payload.words.edge[node] ?? `branch ${node}`;
  const parts = payload.words.edge_parts[node];
  if (!parts) return { text, name: text, rest: "", fixed: false };
  const [sign, value, missing] = parts;
  const length = sign.length + value.length + 2 + (missing ? OR_MISSING.length : 0);
  return {
    text,
    name: text.slice(0, text.length - length),
    rest: text.slice(text.length - length + 1),
    fixed: isNumeral(value),
  };
}

/** Texts for one edge, from the longest to the shortest; those of a number are never cut. */
export interface EdgeTexts {
  texts: string[];
  fixed: boolean;
}

/** A number with its unit: a currency stands before it. */
export function withUnit(number: string, unit: string): string {
  if (!unit) return number;
  if (!/^\p{Sc}/u.test(unit)) return `${number} ${unit}`;
  return /^[-\u2212]/.test(number) ? `${number[0]}${unit}${number.slice(1)}` : unit + number;
}

const OR_MISSING = " or missing";

/** The condition without the name of the column, for the edge: in full, then shorter and shorter. */
export function edgeTexts(payload: Payload, node: number): EdgeTexts {
  const parts = payload.words.edge_parts[node];
  if (!parts) return { texts: [oneLine(payload.words.edge[node] ?? `branch ${node}`)], fixed: false };
  const [sign, value, missing] = parts;
  if (sign === "is") return { texts: [`is ${value}`, value], fixed: false };
  const also = missing ? OR_MISSING : "";
  const signed = (text: string) => `${SIGNS[sign] ?? sign} ${text}`;
  if (isNumeral(value)) {
    const texts = [6, 5, 4, 3].map((digits) => signed(rounded(value, digits)) + (digits === 6 ? also : missing ? OR_MISSING : ""));
    return { texts: [...new Set(texts)], fixed: true };
  }
  if (sign === "=") return { texts: [oneLine(value + also)], fixed: false };
  if (sign === "in") return { texts: [oneLine(value.slice(1, -1) + also)], fixed: false };
  const full = signed(value) + also;
  const day = /^\d{4}-\d\d-\d\d /.exec(value);
  return { texts: day ? [full, signed(`${day[0]}…`)] : [oneLine(full)], fixed: false };
}

export function likeliest(shares: ArrayLike<number>): number {
  let best = 0;
  for (let k = 1; k < shares.length; k++) if (shares[k] > shares[best]) best = k;
  return best;
}

/** A cell of a case for the eye: numbers rounded. */
export function cellShown(tree: Tree, column: number, cell: Cell): string {
  return typeof cell === "number" && tree.columns[column].kind === "number" ? rounded(String(cell)) : cellText(tree, column, cell);
}

/** A cell of a case in words, exactly. */
export function cellText(tree: Tree, column: number, cell: Cell): string {
  if (cell === null) return "missing";
  const { kind } = tree.columns[column];
  if (kind === "nominal" || kind === "ordered") return String(tree.levels[column][Number(cell)] ?? "another level");
  if (kind === "boolean") return cell ? "true" : "false";
  if (kind === "datetime" || kind === "duration") return timeText(kind, cell);
  return String(cell);
}
