// The top of the page: what this is, how good it is, and light or dark.
import { useApp } from "../app";
import { num } from "../model/parse";
import type { Score } from "../payload";
import { choose, useDark } from "../view/dark";
import { interval, short } from "../view/words";

export function Header() {
  const { payload } = useApp();
  const dark = useDark();
  return (
    <header class="top">
      <div class="title">
        <h1><bdi>{payload.title}</bdi></h1>
        <p class="actions">
          <button type="button" onClick={() => window.print()}>Print</button>
          <button type="button" aria-pressed={dark} onClick={() => choose(dark ? "light" : "dark")}>Dark</button>
        </p>
      </div>
      <dl class="facts">
        {payload.facts.map(([label, text]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd><bdi>{text}</bdi></dd>
          </div>
        ))}
      </dl>
      <Scores />
    </header>
  );
}

function Scores() {
  const { payload } = useApp();
  const { scores } = payload;
  if (!scores) return payload.scores_note ? <p class="quiet scores">{payload.scores_note}</p> : null;
  const lower = scores.rows.filter((score) => score.better === "lower").map((score) => score.metric);
  return (
    <section aria-labelledby="scores" class="scores">
      <h2 id="scores" class="visually-hidden">Scores</h2>
      <div>
        {scores.verdict && <p class="verdict">{scores.verdict}</p>}
        <p class="quiet">
          Measured on {scores.on}. Grey mark: the baseline, the best constant prediction.
          {lower.length > 0 && ` Lower is better: ${lower.join(", ")}.`}
        </p>
      </div>
      <div class="score-row">
        {scores.rows.map((score) => <ScoreCard key={score.metric} score={score} />)}
      </div>
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
