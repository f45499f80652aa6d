// Axes and scales of the small charts.
import type { ComponentChildren } from "preact";

export const BOX = { width: 340, height: 230, left: 50, right: 10, top: 10, bottom: 34 };

export interface Scale {
  (value: number): number;
  ticks: number[];
}

/** Round numbers between two ends. */
export function ticksOf(low: number, high: number, about = 4): number[] {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [low];
  const raw = span / about;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * power).find((each) => each >= raw) ?? raw;
  const found: number[] = [];
  for (let k = Math.ceil(low / step); k * step <= high + step * 1e-9 && found.length < 12; k++) found.push(k * step);
  return found;
}

export function scaleOf(low: number, high: number, from: number, to: number): Scale {
  const span = high - low || 1;
  const scale = ((value: number) => from + ((value - low) / span) * (to - from)) as Scale;
  scale.ticks = ticksOf(low, high);
  return scale;
}

const LONGEST = 7; // letters that stand left of the axis

/** Numbers at an axis: with the digits that tell them apart, large ones as 10M, very large ones with an exponent. */
export function tickTexts(ticks: readonly number[]): string[] {
  const size = Math.max(...ticks.map(Math.abs), 0);
  const step = ticks.length > 1 ? Math.abs(ticks[1] - ticks[0]) : size;
  const finest = step > 0 ? Math.floor(Math.log10(step) + 1e-9) : 0;
  const places = (text: string) => text.replaceAll("-", "−");
  if (size >= 1e6 && size < 1e15) {
    const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 6 });
    return ticks.map((tick) => places(compact.format(tick)));
  }
  if (size >= 1e15 || (size > 0 && size < 1e-3)) {
    return ticks.map((tick) => {
      const digits = tick === 0 ? 0 : Math.max(0, Math.floor(Math.log10(Math.abs(tick)) + 1e-9) - finest);
      return tick === 0 ? "0" : places(tick.toExponential(Math.min(digits, 12)).replace("e+", "e"));
    });
  }
  const decimals = Math.min(12, Math.max(0, -finest));
  return ticks.map((tick) => places(tick.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals })));
}

interface AxesProps {
  x: Scale;
  y: Scale;
  xName: string;
  yName: string;
  write?: (value: number) => string; // else as the ticks need
  label: string;
  children: ComponentChildren;
}

/** A chart with its axes; the children are drawn between them. */
export function Axes({ x, y, xName, yName, write, label, children }: AxesProps) {
  const { width, height, left, right, top, bottom } = BOX;
  const floor = height - bottom;
  const [across, up] = [x, y].map(({ ticks }) => (write ? ticks.map(write) : tickTexts(ticks)));
  const inside = up.some((text) => text.length > LONGEST); // too long for the margin: over the lines
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {y.ticks.map((tick, k) => (
        <g key={tick}>
          <line class="grid" x1={left} x2={width - right} y1={y(tick)} y2={y(tick)} />
          <text x={inside ? left + 2 : left - 6} y={y(tick) + (inside ? -3 : 3.5)} text-anchor={inside ? "start" : "end"}>{up[k]}</text>
        </g>
      ))}
      {x.ticks.map((tick, k) => (
        <text key={tick} x={x(tick)} y={floor + 14} text-anchor="middle">{across[k]}</text>
      ))}
      <line class="axis" x1={left} x2={width - right} y1={floor} y2={floor} />
      <text class="name" x={(left + width - right) / 2} y={height - 3} text-anchor="middle">{xName}</text>
      <text class="name" x={left} y={top - 1} text-anchor="start">{yName}</text>
      {children}
    </svg>
  );
}

export function points(list: readonly (readonly [number, number])[]): string {
  return list.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
}
