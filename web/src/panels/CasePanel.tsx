// What if: fill in a case, see where it goes, and what would have to change for another decision.
import { useMemo, useState } from "preact/hooks";
import { EMPTY_LEVEL, useAppState, type App } from "../app";
import { Search as Nearest, type Counterfactual, type Goal } from "../model/counterfactual";
import type { Cell } from "../model/row";
import type { Outcome } from "../model/predict";
import type { State } from "../state/state";
import { classColour } from "../view/colours";
import { useDark } from "../view/dark";
import { cellText, count, interval, percent, plural, short } from "../view/words";
import { CaseField } from "./CaseField";
import { NumberField } from "./NumberField";

const FIRST = 12;

/** The columns that the tree asks, the most important first. */
export function askedColumns(app: App): number[] {
  const { tree } = app;
  const weight = new Map<number, number>();
  tree.test.forEach((test, node) => {
    if (test) weight.set(test.feature, (weight.get(test.feature) ?? 0) + Math.max(0, tree.gain[node]) + 1e-9);
  });
  for (const tests of tree.surrogates.values()) for (const { feature } of tests) if (!weight.has(feature)) weight.set(feature, 0);
  return [...weight.keys()].sort((a, b) => weight.get(b)! - weight.get(a)! || a - b);
}

export function CasePanel() {
  const [app, state] = useAppState();
  const columns = useMemo(() => askedColumns(app), [app]);
  const [all, setAll] = useState(false);
  const found = app.case(state);
  const shown = all ? columns : columns.slice(0, FIRST);
  const usual = columns.some((column) => app.typicalText(column) !== "");
  const unasked = app.tree.columns.length - columns.length;
  return (
    <div>
      <p class="eyebrow">What if</p>
      <Said app={app} state={state} outcome={found.outcome} />
      <Change app={app} state={state} cells={found.cells} />
      <h4>The case</h4>
      <form class="case" onSubmit={(event) => event.preventDefault()}>
        {shown.map((column) => <CaseField key={column} column={column} error={found.errors.get(column)} cell={found.cells[column]} />)}
      </form>
      {!all && columns.length > shown.length && <button type="button" onClick={() => setAll(true)}>Show all {count(columns.length)} columns</button>}
      <p class="choices">
        <button type="button" disabled={!Object.keys(state.cells).length} onClick={() => app.store.update({ cells: {}, locked: new Set() })}>Start again</button>
      </p>
      <p class="quiet">
        {usual ? "It starts from the usual value of each column. " : "Nothing is known of usual values, so it starts empty. "}
        An empty field is a missing value.
        {unasked > 0 && ` The tree never asks the other ${plural(unasked, "column")}.`}
      </p>
    </div>
  );
}

function Said({ app, state, outcome }: { app: App; state: State; outcome: Outcome }) {
  const { tree, payload } = app;
  const dark = useDark();
  const range = outcome.ends.length === 1 ? payload.nodes?.interval?.[outcome.leaf] : null;
  const label = outcome.labels[0];
  const words = tree.classes
    ? outcome.labels.map((each, k) => (each === null ? "no answer" : tree.classes![k][each])).join(", ")
    : outcome.values.map(([value]) => short(value)).join(", ");
  const smoothed = tree.prediction !== tree.value;
  const pruned = state.step !== (payload.pruning?.now ?? 0);
  return (
    <div class="said">
      <h3 class="says" data-testid="said"><bdi>{words}</bdi></h3>
      {tree.classes && tree.classes.length === 1 && (
        <div class="strip" aria-hidden="true">
          {outcome.values[0].map((p, k) => <span key={k} style={{ width: `${100 * p}%`, background: classColour(k, dark) }} />)}
        </div>
      )}
      <p class="quiet" data-testid="sure">
        {tree.classes && label !== null && `Probability ${percent(outcome.values[0][label])}${smoothed ? ", smoothed" : ""}. `}
        {outcome.ends.length > 1
          ? `Shared over ${plural(outcome.ends.length, "leaf", "leaves")}, since a value is missing. `
          : `The ${plural(tree.rows[outcome.leaf], "row")} of its leaf ${range ? `alone say ${interval(range[0], range[1], tree.classes ? percent : short)}. ` : "say so. "}`}
        <button type="button" class="link" onClick={() => app.select(outcome.leaf, "node")}>Open leaf {outcome.leaf}</button>
      </p>
      {pruned && <p class="quiet">By the pruned tree that you see.</p>}
    </div>
  );
}

function goalOf(app: App, outcome: number, wanted: number | null, side: "above" | "below", level: number): Goal {
  if (app.tree.classes) return { label: wanted !== outcome ? wanted : null };
  return side === "above" ? { above: level } : { below: level };
}

function Change({ app, state, cells }: { app: App; state: State; cells: Cell[] }) {
  const { tree, payload } = app;
  const names = tree.classes?.[0];
  const root = tree.of(tree.prediction, 0)[0];
  const [wanted, setWanted] = useState<number | null>(null);
  const [level, setLevel] = useState(root);
  const now = app.case(state).outcome;
  const [chosen, setSide] = useState<"above" | "below" | null>(null);
  const side = chosen ?? (now.values[0][0] > level ? "below" : "above");
  const { cut } = app.visible(state);
  const found = useMemo(() => {
    const goal = goalOf(app, now.labels[0] ?? -1, wanted, side, level);
    return new Nearest(tree, payload.columns, cells, state.locked, cut).nearest(goal);
  }, [app, state.cells, state.locked, cut, wanted, side, level]);
  return (
    <div class="change" data-testid="change">
      <h4>The nearest change that alters it</h4>
      {names && names.length > 2 && (
        <label class="field">
          <span>so that it says</span>
          <select value={wanted ?? ""} onChange={(event) => setWanted(event.currentTarget.value === "" ? null : Number(event.currentTarget.value))}>
            <option value="">anything else</option>
            {names.map((name, k) => k !== now.labels[0] && <option key={k} value={k}>{name}</option>)}
          </select>
        </label>
      )}
      {!names && (
        <div class="fields two">
          <label class="field">
            <span>so that it is</span>
            <select value={side} onChange={(event) => setSide(event.currentTarget.value as "above" | "below")}>
              <option value="above">above</option>
              <option value="below">below</option>
            </select>
          </label>
          <NumberField label="this value" value={level} set={setLevel} />
        </div>
      )}
      <Found app={app} found={found} />
    </div>
  );
}

function Found({ app, found }: { app: App; found: Counterfactual | null }) {
  const { tree } = app;
  if (!found) return <p>No change of the free columns does.</p>;
  if (!found.changes.length) return <p>It is so already.</p>;
  const { outcome } = found;
  const label = outcome.labels[0];
  const words = label !== null && tree.classes ? tree.classes[0][label] : short(outcome.values[0][0]);
  const apply = () => {
    const texts = found.changes.map(({ column, to }) => [column, to === null ? "" : cellText(tree, column, to) || EMPTY_LEVEL]);
    app.store.update({ cells: { ...app.store.state.cells, ...Object.fromEntries(texts) } });
  };
  return (
    <>
      <ul class="changes">
        {found.changes.map(({ column, from, to }) => (
          <li key={column}>
            <bdi class="name">{tree.names[column]}</bdi> <bdi class="from">{cellText(tree, column, from)}</bdi> → <bdi class="to">{cellText(tree, column, to)}</bdi>
          </li>
        ))}
      </ul>
      <p class="quiet">
        Then it says <bdi>{words}</bdi>{tree.classes && label !== null && ` (${percent(outcome.values[0][label])})`}. Distance {short(found.distance)}; {plural(tree.rows[outcome.leaf], "row")} in that leaf.{" "}
        <button type="button" class="link" onClick={apply}>Try it</button>
      </p>
    </>
  );
}
