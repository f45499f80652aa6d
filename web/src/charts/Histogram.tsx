// Counts in bins as bars, those of all rows behind them.
import { short } from "../view/words";

interface Props {
  edges: number[];
  counts: number[];
  all: number[];
  mark: number; // the prediction
}

const WIDTH = 320;
const HEIGHT = 110;

export function Histogram({ edges, counts, all, mark }: Props) {
  const low = edges[0];
  const span = edges[edges.length - 1] - low || 1;
  const x = (value: number) => ((value - low) / span) * WIDTH;
  const share = (list: number[]) => {
    const total = list.reduce((sum, each) => sum + each, 0) || 1;
    return list.map((each, k) => each / total / ((edges[k + 1] - edges[k]) / span || 1));
  };
  const [mine, theirs] = [share(counts), share(all)];
  const top = Math.max(...mine, ...theirs, 1e-12);
  const bar = (height: number, k: number) => ({
    x: x(edges[k]) + 0.5,
    width: Math.max(0.5, x(edges[k + 1]) - x(edges[k]) - 1),
    y: HEIGHT - (height / top) * HEIGHT,
    height: (height / top) * HEIGHT,
  });
  const inside = mark >= low && mark <= low + span;
  return (
    <figure class="chart">
      <svg viewBox={`0 -6 ${WIDTH} ${HEIGHT + 26}`} role="img" aria-label={`Histogram of the target from ${short(low)} to ${short(low + span)}; the prediction is ${short(mark)}`}>
        {theirs.map((height, k) => <rect key={`a${k}`} class="back" {...bar(height, k)} />)}
        {mine.map((height, k) => <rect key={k} class="front" {...bar(height, k)} />)}
        {inside && <line class="mark" x1={x(mark)} x2={x(mark)} y1={-4} y2={HEIGHT} />}
        <line class="axis" x1={0} x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
        <text x={0} y={HEIGHT + 15}>{short(low)}</text>
        <text x={WIDTH} y={HEIGHT + 15} text-anchor="end">{short(low + span)}</text>
      </svg>
      <figcaption>Filled: rows of this node. Outlined: all rows. Line: the prediction.</figcaption>
    </figure>
  );
}
