// Times are whole microseconds, as the model file has them.
import type { Cut } from "./tree";

const SECOND = 1_000_000n;
const DAY = 86_400n * SECOND;
const DATE = /^([-+]?\d{4,6})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?)?(?:\s?(?:UTC|Z))?$/;
const SPAN = /^(?:([-+]?\d+) days?)?\s*(?:([-+])?(\d+):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?)?$/;

function slim(micros: bigint): Cut {
  const near = Number(micros);
  return Number.isSafeInteger(near) ? near : micros;
}

// Minutes and seconds end at 59; hours do so where they are part of a day.
function isClock(hours: string | undefined, minutes: string | undefined, seconds: string | undefined, day: boolean): boolean {
  return !(day && Number(hours ?? 0) > 23) && Number(minutes ?? 0) < 60 && Number(seconds ?? 0) < 60;
}

function clock(hours = "0", minutes = "0", seconds = "0", fraction = "0"): bigint {
  return (BigInt(hours) * 3600n + BigInt(minutes) * 60n + BigInt(seconds)) * SECOND + BigInt(fraction.padEnd(6, "0"));
}

function dateMicros(text: string): bigint | null {
  const found = DATE.exec(text);
  if (!found) return null;
  const day = new Date(0);
  day.setUTCFullYear(Number(found[1]), Number(found[2]) - 1, Number(found[3]));
  const [month, date] = [Number(found[2]), Number(found[3])];
  if (Number.isNaN(day.getTime()) || day.getUTCMonth() + 1 !== month || day.getUTCDate() !== date) return null;
  if (!isClock(found[4], found[5], found[6], true)) return null;
  return BigInt(day.getTime()) * 1000n + clock(found[4], found[5], found[6], found[7]);
}

function spanMicros(text: string): bigint | null {
  const found = SPAN.exec(text);
  if (!found || !text || !isClock(found[3], found[4], found[5], found[1] !== undefined)) return null;
  const time = clock(found[3], found[4], found[5], found[6]);
  return BigInt(found[1] ?? 0) * DAY + (found[2] === "-" ? -time : time);
}

/** Microseconds of a time in words, or of a whole number. Throws a sentence for anything else. */
export function readTime(kind: "datetime" | "duration", given: unknown, name: string): Cut | null {
  if (typeof given === "number" || typeof given === "bigint") return given;
  const text = String(given).trim();
  if (text === "") return null;
  if (/^[-+]?\d{5,}$/.test(text)) return slim(BigInt(text));
  const micros = kind === "datetime" ? dateMicros(text) : spanMicros(text);
  if (micros !== null) return slim(micros);
  const like = kind === "datetime" ? "2024-03-01 or 2024-03-01 12:30:00" : "2 days 03:00:00";
  throw new Error(`${name} must be like ${like}. Got ${JSON.stringify(text.slice(0, 40))}.`);
}

function fraction(rest: bigint): string {
  return rest ? `.${String(rest).padStart(6, "0").replace(/0+$/, "")}` : "";
}

function time(micros: bigint): string {
  const seconds = micros / SECOND;
  const parts = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n];
  return parts.map((part) => String(part).padStart(2, "0")).join(":") + fraction(micros % SECOND);
}

/** Microseconds in words, as `readTime` reads them. */
export function timeText(kind: string, given: Cut): string {
  if (typeof given === "number" && !Number.isFinite(given)) return String(given);
  const micros = typeof given === "bigint" ? given : BigInt(Math.floor(given));
  const rest = ((micros % DAY) + DAY) % DAY;
  const days = (micros - rest) / DAY;
  if (kind === "duration") {
    const unit = days === 1n || days === -1n ? "day" : "days";
    if (days === 0n) return time(rest);
    return `${days} ${unit}${rest ? ` ${days < 0n ? "+" : ""}${time(rest)}` : ""}`;
  }
  const date = new Date(Number(days) * 86_400_000);
  if (Number.isNaN(date.getTime())) return String(given);
  return date.toISOString().replace(/T.*/, "") + (rest ? ` ${time(rest)}` : "");
}
