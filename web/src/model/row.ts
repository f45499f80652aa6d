// A case as the tree reads it: per column a number to compare, the code of a level, or MISSING.
import { cellOf, type Cell } from "interpreter";
import { readTime } from "./times";
import type { Tree } from "./tree";

export const MISSING = null;
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

// What a person or a table gives, as the type of the column.
function typed(kind: string, given: unknown, name: string): unknown {
  switch (kind) {
    case "nominal":
    case "ordered":
      return given;
    case "boolean": {
      const text = String(given).trim().toLowerCase();
      return text === "true" ? 1 : text === "false" ? 0 : readNumber(given, name);
    }
    case "datetime":
    case "duration":
      return readTime(kind, given, name);
    default:
      return readNumber(given, name);
  }
}

export function readCell(tree: Tree, column: number, given: unknown): Cell {
  const { kind } = tree.columns[column];
  const known = given === null || given === undefined ? null : typed(kind, given, tree.names[column]);
  return cellOf(known, kind, tree.codes[column]);
}

/** All cells of a row, which is a list or an object by column names; what is not there is missing. */
export function readRow(tree: Tree, row: Row): Cell[] {
  if (Array.isArray(row) && row.length !== tree.columns.length) {
    throw new Error(`A row must have ${tree.columns.length} values, one per column. Got ${row.length}.`);
  }
  const cells = Array.isArray(row) ? row : null;
  return tree.columns.map((_, at) => {
    const name = tree.names[at];
    return readCell(tree, at, cells ? cells[at] : Object.hasOwn(row, name) ? (row as Record<string, unknown>)[name] : null);
  });
}
