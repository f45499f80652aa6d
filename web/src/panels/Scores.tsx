// The scores with their intervals, beside those of the best constant prediction.
import { useAppState } from "../app";
import { num } from "../model/parse";
import { scoresAt } from "../model/pruned";
import type { Score } from "../payload";
import { HiddenWhilePruned } from "./AboutPruned";
import { interval, short } from "../view/words";

export function Scores() {
  const [app, state] = useAppState();
  const { payload } = app;
  const scores = scoresAt(payload, state.step);
  const leaves = app.leavesUnpruned(state);
  if (!scores && leaves !== null && payload.scores) return <HiddenWhilePruned what="Scores" />;
  if (!scores) return payload.scores_note ? <p class="quiet scores">{payload.scores_note}</p> : null;
  const lower = scores.rows.filter((score) => score.better === "lower").map((score) => score.metric);
  return (
    <section aria-labelledby="scores" class="scores">
      <h2 id="scores" class="visually-hidden">Scores</h2>
      <div class="score-row">
        {scores.rows.map((score) => <ScoreCard key={score.metric} score={score} />)}
      </div>
      <p class="quiet fine" data-testid="measured">
        {leaves !== null && "Scores of the pruned tree. "}
        Measured on {scores.on}; 95&nbsp;% intervals. Grey mark: the baseline (best constant prediction).
        {lower.length > 0 && ` Lower is better: ${lower.join(", ")}.`}
        {payload.facts.map(([label, text]) => <span key={label} class="fact">{` ${label}: `}<bdi>{text}</bdi>.</span>)}
      </p>
    </section>
  );
}

function ScoreCard({ score }: { score: Score }) {
  const [value, low, high, base] = [num(score.value), num(score.low), num(score.high), num(score.baseline)];
  const known = [value, low, high, base].filter(Number.isFinite);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const pad = (most - least) * 0.08 || 1;
  const x = (at: number) => 100 * ((at - least + pad) / (most - least + 2 * pad));
  return (
    <div class="score">
      <p class="metric">{score.metric}</p>
      <p class="value">{short(value)}</p>
      <svg viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
        {Number.isFinite(low + high) && <line class="whisker" x1={x(low)} x2={x(high)} y1={6} y2={6} />}
        {Number.isFinite(base) && <line class="base" x1={x(base)} x2={x(base)} y1={1} y2={11} />}
        <line class="at" x1={x(value)} x2={x(value)} y1={1} y2={11} />
      </svg>
      <p class="quiet">
        {interval(score.low, score.high)}
        {Number.isFinite(base) && <><br />baseline {short(base)}</>}
      </p>
    </div>
  );
}
