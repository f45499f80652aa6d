// A case as the tree reads it: per column a number to compare, the code of a level, or MISSING.
import type { ColumnSchema } from "../payload";
import { readTime } from "./times";
import type { Cut, Tree } from "./tree";

export const MISSING = null;
export const UNSEEN = -1; // a level that the table of fit did not have: no test lists it
export type Cell = Cut | null;
export type Row = readonly unknown[] | Readonly<Record<string, unknown>>;

/** A number from what a person or a table gives. Throws a sentence for what is none. */
export function readNumber(given: unknown, name: string): Cell {
  if (typeof given === "bigint") return given;
  if (typeof given === "boolean") return Number(given);
  if (typeof given === "number") return Number.isNaN(given) ? MISSING : given;
  const text = String(given).trim();
  if (text === "" || /^nan$/i.test(text)) return MISSING;
  if (/^[-+]?inf(inity)?$/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  if (/^[-+]?\d+$/.test(text)) {
    const near = Number(text);
    return Number.isSafeInteger(near) ? near : BigInt(text.replace(/^\+/, ""));
  }
  const read = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text) ? Number(text) : NaN;
  if (Number.isNaN(read)) throw new Error(`${name} must be a number. Got ${JSON.stringify(text.slice(0, 40))}.`);
  return read;
}

function sameLevel(level: unknown, given: unknown): boolean {
  if (typeof level === "string" || typeof given === "string") return level === given;
  const [a, b] = [level, given].map((x) => (typeof x === "boolean" ? Number(x) : x)) as Cut[];
  return a == b; // a number and a BigInt may be equal
}

/** The code of a level; UNSEEN for one that was not there at fit. */
export function codeOf(levels: readonly unknown[], given: unknown): number {
  return levels.findIndex((level) => sameLevel(level, given));
}

export function readCell(column: ColumnSchema, levels: readonly unknown[], name: string, given: unknown): Cell {
  if (given === null || given === undefined || (typeof given === "number" && Number.isNaN(given))) return MISSING;
  switch (column.kind) {
    case "nominal":
      return levels.length ? codeOf(levels, given) : MISSING;
    case "ordered": {
      const code = codeOf(levels, given);
      return code === UNSEEN ? MISSING : code;
    }
    case "boolean": {
      const text = String(given).trim().toLowerCase();
      return text === "true" ? 1 : text === "false" ? 0 : readNumber(given, name);
    }
    case "datetime":
    case "duration":
      return readTime(column.kind, given, name);
    default:
      return readNumber(given, name);
  }
}

/** All cells of a row, which is a list or an object by column names; what is not there is missing. */
export function readRow(tree: Tree, row: Row): Cell[] {
  if (Array.isArray(row) && row.length !== tree.columns.length) {
    throw new Error(`A row must have ${tree.columns.length} values, one per column. Got ${row.length}.`);
  }
  const cells = Array.isArray(row) ? row : null;
  return tree.columns.map((column, at) => {
    const name = tree.names[at];
    const given = cells ? cells[at] : Object.hasOwn(row, name) ? (row as Record<string, unknown>)[name] : null;
    return readCell(column, tree.levels[at], name, given);
  });
}
