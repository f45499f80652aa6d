// The column that a node tests, in the rows of that node: bars by class or by branch, with the threshold in them.
import type { App } from "../app";
import { num } from "../model/parse";
import type { SplitHistogram as Bins } from "../payload";
import { classColour } from "../view/colours";
import { useDark } from "../view/dark";
import { count } from "../view/words";

const WIDTH = 320;
const HEIGHT = 92;

export function SplitHistogram({ app, node }: { app: App; node: number }) {
  const found = app.payload.nodes?.split_histograms?.[String(node)];
  const dark = useDark();
  if (!found) return null;
  const column = app.tree.names[app.tree.tested(node)];
  const colour = (k: number) => (found.series[k] < 0 ? "var(--line)" : classColour(found.series[k], dark));
  const name = (k: number) => (found.series[k] < 0 ? "other classes" : app.tree.classes ? app.tree.classes[0][found.series[k]] : `branch ${k + 1}`);
  return (
    <figure class="chart split-histogram" data-testid="split-histogram">
      {found.levels ? <Levels found={found} app={app} node={node} colour={colour} /> : <Numbers found={found} column={column} colour={colour} />}
      <figcaption>
        <bdi>{column}</bdi> in the rows of this node{found.levels ? "" : ". Line: the threshold"}.
        <span class="legend">{found.series.map((_, k) => <span key={k} class="pair"><span class="swatch" style={{ background: colour(k) }} /><bdi>{name(k)}</bdi></span>)}</span>
      </figcaption>
    </figure>
  );
}

interface Props {
  found: Bins;
  colour: (series: number) => string;
}

const total = (counts: number[][], bin: number) => counts.reduce((sum, series) => sum + series[bin], 0);

function Numbers({ found, column, colour }: Props & { column: string }) {
  const edges = found.edges!.map(num);
  const bins = edges.length - 1;
  const most = Math.max(...Array.from({ length: bins }, (_, bin) => total(found.counts, bin)), 1);
  const x = (value: number) => ((value - edges[0]) / (edges[bins] - edges[0])) * WIDTH;
  const at = Math.min(WIDTH, Math.max(0, x(num(found.threshold))));
  const [low, high, threshold] = found.shown!;
  return (
    <svg viewBox={`0 -16 ${WIDTH} ${HEIGHT + 34}`} role="img" aria-label={`Histogram of ${column} from ${low} to ${high} with the threshold at ${threshold}`}>
      {Array.from({ length: bins }, (_, bin) => {
        let top = HEIGHT;
        return found.counts.map((series, k) => {
          const height = (series[bin] / most) * HEIGHT;
          top -= height;
          return height > 0 && <rect key={`${bin} ${k}`} x={x(edges[bin]) + 0.5} width={Math.max(0.5, x(edges[bin + 1]) - x(edges[bin]) - 1)} y={top} height={height} style={{ fill: colour(k) }} />;
        });
      })}
      <line class="axis" x1={0} x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
      <line class="mark" x1={at} x2={at} y1={-3} y2={HEIGHT} />
      <text x={at} y={-6} text-anchor={at < 40 ? "start" : at > WIDTH - 40 ? "end" : "middle"}>{threshold}</text>
      <text x={0} y={HEIGHT + 14}>{low}</text>
      <text x={WIDTH} y={HEIGHT + 14} text-anchor="end">{high}</text>
    </svg>
  );
}

function Levels({ found, app, node, colour }: Props & { app: App; node: number }) {
  const [, cut] = app.tree.nodes[node]!;
  const bins = found.levels!.map((_, bin) => bin);
  const most = Math.max(...bins.map((bin) => total(found.counts, bin)), 1);
  const child = (bin: number) => (cut instanceof Map ? cut.get(found.codes![bin]) : null) ?? -1;
  const order = [...bins].sort((a, b) => child(a) - child(b) || total(found.counts, b) - total(found.counts, a));
  return (
    <table class="level-bars">
      <thead class="visually-hidden"><tr><th scope="col">Level</th><th scope="col">As a bar</th><th scope="col">Rows</th><th scope="col">Branch</th></tr></thead>
      <tbody>
        {order.map((bin) => (
          <tr key={bin}>
            <th scope="row"><bdi>{found.levels![bin]}</bdi></th>
            <td class="stack"><span style={{ width: `${(100 * total(found.counts, bin)) / most}%` }}>{found.counts.map((series, k) => <span key={k} style={{ flexGrow: series[bin], background: colour(k) }} />)}</span></td>
            <td class="number">{count(total(found.counts, bin))}</td>
            <td class="quiet">{child(bin) >= 0 && `branch ${child(bin) + 1}`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
