// The model in plain sentences: what it predicts, from what, and how well.
import { useAppState, type App } from "../app";
import { num } from "../model/parse";
import { scoresAt, sizeOf, type ScoresShown } from "../model/pruned";
import type { State } from "../state/state";
import { count, percent, plural, short, withUnit } from "../view/words";

export function Summary() {
  const [app, state] = useAppState();
  const size = sizeOf(app.tree, app.cut(state));
  const { payload, tree } = app;
  const scores = scoresAt(payload, state.step);
  const rows = payload.trained_on ?? tree.rows[0];
  return (
    <section class="summary" aria-labelledby="summary-name">
      <h2 id="summary-name" class="visually-hidden">Summary</h2>
      <p class="lead-in">
        {payload.clusters ? "Divides rows into" : "Predicts"} <Target app={app} />.{" "}
        {rows > 0 && `${payload.clusters ? "Found in" : "Trained on"} ${plural(rows, "row")}. `}
        {size.columns ? `${count(size.columns)} of ${plural(tree.columns.length, "column")} used` : "No column is used"}
        {`; ${plural(size.leaves, "leaf", "leaves")}, depth ${size.depth}.`}
      </p>
      {scores && <HowWell app={app} scores={scores} state={state} />}
    </section>
  );
}

function Target({ app }: { app: App }) {
  const { payload } = app;
  const { predicts } = payload;
  return payload.target ? <><strong><bdi>{payload.target}</bdi></strong> (<bdi>{predicts}</bdi>)</> : <bdi>{predicts}</bdi>;
}

/** The first score in words, beside that of the best constant prediction. */
function HowWell({ app, scores, state }: { app: App; scores: ScoresShown; state: State }) {
  const by = (metric: string) => scores.rows.find((row) => row.metric === metric);
  const [accuracy, error] = [by("accuracy"), by("mean absolute error")];
  const { tree } = app;
  let sentence = null;
  if (accuracy) {
    const largest = tree.classes?.[0][mostFrequent(tree.of(tree.value, 0))];
    sentence = <>Correct for <strong>{percent(accuracy.value)}</strong> of unseen rows.{known(accuracy.baseline) && <> Always predicting <bdi>{largest}</bdi>, the baseline, is correct for {percent(accuracy.baseline)}.</>}</>;
  } else if (error) {
    sentence = <>Off by <strong>{withUnit(short(error.value), tree.unit)}</strong> on average on unseen rows.{known(error.baseline) && <> Always predicting the same number, the baseline, is off by {withUnit(short(error.baseline), tree.unit)}.</>}</>;
  }
  const pruned = app.leavesUnpruned(state) !== null;
  return (
    <>
      <p>{sentence}{scores.verdict && !pruned && <>{" "}<span class="verdict">{scores.verdict}</span></>}</p>
    </>
  );
}

const known = (value: Parameters<typeof num>[0]) => Number.isFinite(num(value));

function mostFrequent(shares: Float64Array): number {
  return shares.reduce((best, share, k) => (share > shares[best] ? k : best), 0);
}
