// Axes and scales of the small charts.
import type { ComponentChildren } from "preact";
import { short } from "../view/words";

export const BOX = { width: 340, height: 230, left: 46, right: 10, top: 10, bottom: 34 };

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

interface AxesProps {
  x: Scale;
  y: Scale;
  xName: string;
  yName: string;
  write?: (value: number) => string;
  label: string;
  children: ComponentChildren;
}

/** A chart with its axes; the children are drawn between them. */
export function Axes({ x, y, xName, yName, write = short, label, children }: AxesProps) {
  const { width, height, left, right, top, bottom } = BOX;
  const floor = height - bottom;
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {y.ticks.map((tick) => (
        <g key={tick}>
          <line class="grid" x1={left} x2={width - right} y1={y(tick)} y2={y(tick)} />
          <text x={left - 6} y={y(tick) + 3.5} text-anchor="end">{write(tick)}</text>
        </g>
      ))}
      {x.ticks.map((tick) => (
        <text key={tick} x={x(tick)} y={floor + 14} text-anchor="middle">{write(tick)}</text>
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
