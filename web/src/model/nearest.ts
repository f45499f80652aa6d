// A value inside a range, next to a cell, that reads well.
import type { Cell } from "interpreter";
import { endOf, holds, type Range, type Scale, type Stretch } from "./ranges";
import { MISSING } from "./row";
import type { Cut } from "./tree";

const TIME_STEPS = [86_400e6, 3_600e6, 60e6, 1e6, 1e3, 1];

export function nextDouble(x: number, up: boolean): number {
  if (x === 0) return up ? Number.MIN_VALUE : -Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const away = up === x > 0 ? 1n : -1n; // towards larger magnitude or smaller
  view.setBigInt64(0, view.getBigInt64(0) + away);
  return view.getFloat64(0);
}

// Multiples of round steps just beyond an end that is not part of the range, coarse steps first. Coarse means
// that the detour is at most a hundredth of the scale.
function* roundBeyond(end: number, up: boolean, scale: Scale): Generator<number> {
  const side = (step: number) => (up ? Math.floor(end / step) + 1 : Math.ceil(end / step) - 1);
  if (scale.whole) {
    for (const step of scale.time ? TIME_STEPS : [1]) {
      const found = side(step) * step;
      if (step === 1 || Math.abs(found - end) * scale.perUnit <= 0.01) yield found;
    }
  }
  const least = 0.01 / (scale.perUnit || 1);
  const most = Math.floor(Math.log10(least));
  for (let power = most; power > most - 17; power--) {
    const found = Number(`${side(10 ** power)}e${power}`);
    if (Math.abs(found - end) <= least) yield found;
  }
  yield nextDouble(end, up);
}

function beyond(range: Stretch, end: Cut, up: boolean, scale: Scale): Cut | null {
  if (typeof end === "bigint") return holds(range, up ? end + 1n : end - 1n) ? (up ? end + 1n : end - 1n) : null;
  for (const found of roundBeyond(end, up, scale)) if (holds(range, found)) return found;
  return null;
}

/** The value of a range that is nearest to a cell, or to the typical value where the cell is missing. */
export function nearestIn(range: Range, cell: Cell, scale: Scale): Cell {
  if (holds(range, cell) || range.kind === "stays") return cell;
  const from = cell === MISSING ? scale.typical : cell;
  if (holds(range, from)) return from;
  if (range.kind === "levels") return Math.min(...range.codes);
  const low = from === MISSING ? Number.isFinite(Number(range.low)) : from < range.low || from == range.low;
  const end = low ? range.low : range.high;
  const isOpen = low ? range.lowOpen : range.highOpen;
  return isOpen ? beyond(range, end, low, scale) : endOf(range, low, scale.whole);
}
