// Reading the payload's text. JSON.parse rounds whole numbers beyond 2^53; these become {"$int": "digits"}.
import type { Int, Num } from "../payload";

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;
const SUSPECT = /[[,:\s]-?\d{16,}\s*[,\]}]/;

/** The payload as an object, every whole number exact. */
export function parse(text: string): unknown {
  if (!SUSPECT.test(text)) return JSON.parse(text);
  const exact = text.replace(TOKEN, (token) => {
    const isWhole = token.length > 15 && /^-?\d+$/.test(token);
    return isWhole && !Number.isSafeInteger(Number(token)) ? `{"$int":"${token}"}` : token;
  });
  return JSON.parse(exact);
}

/** A number of the payload; "nan", "inf" and "-inf" are texts there. */
export function num(given: Num | Int | null | undefined): number {
  if (typeof given === "number") return given;
  if (given === null || given === undefined) return NaN;
  if (typeof given === "object") return Number(given.$int);
  return given === "inf" ? Infinity : given === "-inf" ? -Infinity : NaN;
}

/** A level or label as the page compares and shows it: text, a number, true or false, or a BigInt. */
export function plain(given: unknown): unknown {
  if (typeof given !== "object" || given === null) return given;
  if ("$int" in given) return BigInt((given as { $int: string }).$int);
  if ("$float" in given) return num((given as { $float: string }).$float);
  return given;
}
