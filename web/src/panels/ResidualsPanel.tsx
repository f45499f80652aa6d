// Regression: actual over predicted values, and the spread of each leaf.
import { useState } from "preact/hooks";
import { useAppState } from "../app";
import { Axes, BOX, scaleOf } from "../charts/axes";
import { pairsAt } from "../model/evaluated";
import { num } from "../model/parse";
import type { LeafBox } from "../payload";
import { predictionText } from "../view/scene";
import { count, plural, short } from "../view/words";
import { AboutPruned, HiddenWhilePruned } from "./AboutPruned";

const FIRST = 20;

export function ResidualsPanel() {
  const [app, state] = useAppState();
  const { residuals, residuals_note } = app.payload;
  const [all, setAll] = useState(false);
  if (!residuals) return <p class="quiet">{residuals_note ?? "There are no rows to compare with."}</p>;
  const held = pairsAt(app.payload, state.step);
  const pairs = (held ?? []).filter(([y, p]) => Number.isFinite(y + p));
  const off = pairs.map(([y, predicted]) => Math.abs(y - predicted)).sort((a, b) => a - b);
  const visible = app.visible(state);
  const boxes = [...residuals.leaves, ...(residuals.inner_nodes ?? [])];
  const leaves = boxes.filter(({ node }) => visible.cut[node] && app.nearestShown(node) === node).sort((a, b) => b.n - a.n);
  const pruned = app.leavesUnpruned(state) !== null;
  const shown = all ? leaves : leaves.slice(0, FIRST);
  const ends = leaves.flatMap((leaf) => [num(leaf.low), num(leaf.high)]).filter(Number.isFinite);
  const [low, high] = ends.length ? [Math.min(...ends), Math.max(...ends)] : [0, 1];
  return (
    <div>
      <p class="eyebrow">Residuals, {residuals.source} rows</p>
      {held ? <AboutPruned /> : <HiddenWhilePruned what="Residuals" />}
      {off.length > 0 && (
        <>
          <h3 class="headline">Half within ±{short(off[Math.floor(off.length / 2)])}</h3>
          <p class="quiet">Nine of ten within ±{short(off[Math.floor(off.length * 0.9)])}. {plural(pairs.length, "row")} shown.</p>
          <Scatter pairs={pairs} />
        </>
      )}
      <h4>Target by leaf</h4>
      {pruned && !residuals.inner_nodes && <p class="quiet">Leaves that were made by pruning are left out: the tree is too large to hold the distribution of every node.</p>}
      <p class="quiet">Box: the middle half. Stroke: the median. Thin line: the range.</p>
      <ul class="boxes">
        {shown.map((leaf) => (
          <li key={leaf.node}>
            <button type="button" class="link" aria-current={state.node === leaf.node} onClick={() => app.select(leaf.node)}>
              <bdi>{predictionText(app.tree, leaf.node)}</bdi>
            </button>
            <Box leaf={leaf} low={low} high={high} />
            <span class="n">{count(leaf.n)}</span>
          </li>
        ))}
      </ul>
      {shown.length < leaves.length && <button type="button" onClick={() => setAll(true)}>Show all {count(leaves.length)} leaves</button>}
    </div>
  );
}

function Scatter({ pairs }: { pairs: readonly (readonly [number, number])[] }) {
  const values = pairs.flat();
  const [low, high] = [values.reduce((a, b) => Math.min(a, b), Infinity), values.reduce((a, b) => Math.max(a, b), -Infinity)];
  const x = scaleOf(low, high, BOX.left, BOX.width - BOX.right);
  const y = scaleOf(low, high, BOX.height - BOX.bottom, BOX.top + 10);
  const path = pairs.map(([actual, predicted]) => `M${x(predicted).toFixed(1)} ${y(actual).toFixed(1)}h0`).join("");
  return (
    <Axes x={x} y={y} xName="Predicted" yName="Actual" label={`${pairs.length} rows: the target beside the prediction`}>
      <line class="grid" x1={x(low)} y1={y(low)} x2={x(high)} y2={y(high)} />
      <path class="cloud" d={path} />
    </Axes>
  );
}

/** The errors over the predictions: a good model has a level band around 0. */
export function ResidualsOverPrediction() {
  const [app, state] = useAppState();
  if (!app.payload.residuals) return null;
  const held = pairsAt(app.payload, state.step);
  if (!held) return <div class="block"><HiddenWhilePruned what="Residuals" /></div>;
  const pairs = held.map(([y, predicted]) => [predicted, y - predicted] as const).filter(([p, error]) => Number.isFinite(p + error));
  if (!pairs.length) return null;
  const [low, high] = [Math.min(...pairs.map(([p]) => p)), Math.max(...pairs.map(([p]) => p))];
  const most = Math.max(...pairs.map(([, error]) => Math.abs(error)), 1e-12);
  const x = scaleOf(low, high, BOX.left, BOX.width - BOX.right);
  const y = scaleOf(-most, most, BOX.height - BOX.bottom, BOX.top + 10);
  const path = pairs.map(([predicted, error]) => `M${x(predicted).toFixed(1)} ${y(error).toFixed(1)}h0`).join("");
  return (
    <div class="block" data-testid="residuals-plot">
      <h3>Residuals over predictions</h3>
      <Axes x={x} y={y} xName="Predicted" yName="Actual − predicted" label={`${pairs.length} rows: the residual over the prediction`}>
        <line class="axis" x1={BOX.left} x2={BOX.width - BOX.right} y1={y(0)} y2={y(0)} />
        <path class="cloud" d={path} />
      </Axes>
      <p class="quiet fine">{plural(pairs.length, "row")}. Above 0 the prediction was too low.</p>
    </div>
  );
}

function Box({ leaf, low, high }: { leaf: LeafBox; low: number; high: number }) {
  const x = scaleOf(low, high, 2, 158);
  const at = (value: LeafBox["low"]) => x(num(value)) || 0;
  return (
    <svg viewBox="0 0 160 18" role="img" aria-label={`from ${short(leaf.low)} to ${short(leaf.high)}, median ${short(leaf.median)}`}>
      <line class="axis" x1={at(leaf.low)} x2={at(leaf.high)} y1={9} y2={9} />
      <rect class="box" x={at(leaf.q1)} width={Math.max(1, at(leaf.q3) - at(leaf.q1))} y={3} height={12} rx={2} />
      <line class="median" x1={at(leaf.median)} x2={at(leaf.median)} y1={2} y2={16} />
    </svg>
  );
}
