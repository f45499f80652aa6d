// What if: fill in a row, see its path and prediction, and the smallest change that flips it.
import type { Cell } from "interpreter";
import { useMemo, useState } from "preact/hooks";
import { levelText, useAppState, type App } from "../app";
import { Search as Nearest, type Goal, type Searched } from "../model/counterfactual";
import type { Outcome } from "../model/predict";
import type { Tree } from "../model/tree";
import type { Aim, State } from "../state/state";
import { classColour } from "../view/colours";
import { useDark } from "../view/dark";
import { cellShown, cellText, count, interval, percent, plural, short, withUnit } from "../view/words";
import { CaseWalk } from "./CaseWalk";
import { CaseField } from "./CaseField";
import { LeafTerms } from "./LeafTerms";
import { NumberField } from "./NumberField";

const FIRST = 12;

/** The columns that the tree uses, the most important first. */
export function usedColumns(app: App): number[] {
  const { tree } = app;
  const weight = new Map<number, number>();
  const others = [...(app.payload.model.tree.leaf_models?.feature ?? [])];
  tree.nodes.forEach((inner, node) => {
    for (const column of inner ? tree.columnsOf(node) : []) weight.set(column, (weight.get(column) ?? 0) + Math.max(0, tree.gain[node]) + 1e-9);
    for (const [column] of inner?.[5] ?? []) others.push(column);
  });
  for (const column of others) if (!weight.has(column)) weight.set(column, 0);
  return [...weight.keys()].sort((a, b) => weight.get(b)! - weight.get(a)! || a - b);
}

export function CasePanel() {
  const [app, state] = useAppState();
  const columns = useMemo(() => usedColumns(app), [app]);
  const [all, setAll] = useState(false);
  const found = app.case(state);
  const shown = all ? columns : columns.slice(0, FIRST);
  const usual = columns.some((column) => app.typicalText(column) !== "");
  const unused = app.tree.columns.length - columns.length;
  return (
    <div>
      <p class="eyebrow">What if</p>
      <Prediction app={app} state={state} outcome={found.outcome} errors={found.errors} />
      <CaseWalk app={app} state={state} cells={found.cells} />
      {found.outcome.ends.length === 1 && <LeafTerms app={app} node={found.outcome.leaf} cells={found.cells} />}
      {!app.tree.models && !app.tree.sums.length && <Change app={app} state={state} cells={found.cells} />}
      <h4>Your row</h4>
      <form class="case" onSubmit={(event) => event.preventDefault()}>
        {shown.map((column) => <CaseField key={column} column={column} error={found.errors.get(column)} cell={found.cells[column]} />)}
      </form>
      {!all && columns.length > shown.length && <button type="button" onClick={() => setAll(true)}>Show all {count(columns.length)} columns</button>}
      <p class="choices">
        <button type="button" disabled={!Object.keys(state.cells).length && !state.locked.size} onClick={() => app.store.update({ cells: {}, locked: new Set() })}>Reset</button>
      </p>
      <p class="quiet">
        {!columns.length && "The tree has no splits: every row gets the same prediction."}
        {columns.length > 0 && `${usual ? "The form starts from the typical value of each column." : "Typical values are not known, so the form starts empty."} An empty field is a missing value.`}
        {unused > 0 && ` The tree does not use the ${unused === 1 ? "other column" : `other ${count(unused)} columns`}.`}
      </p>
    </div>
  );
}

/** The prediction of each output: its class, or its number. */
function predictionOf(app: App, { labels, values }: Outcome): string {
  const { classes, unit } = app.tree;
  const words = classes ? labels.map((each, k) => (each === null ? "no prediction" : classes[k][each])) : values.map(([value]) => withUnit(short(value), unit));
  return words.join(", ");
}

/** Which fields could not be read. */
function Unread({ app, errors }: { app: App; errors: ReadonlyMap<number, string> }) {
  const names = [...errors.keys()].map((column) => app.tree.names[column]);
  if (!names.length) return null;
  return (
    <p class="error" role="status" data-testid="unread">
      {names.map((name, k) => <>{k > 0 && ", "}<bdi>{name}</bdi></>)} cannot be read and {names.length > 1 ? "are" : "is"} treated as missing.
    </p>
  );
}

interface PredictionProps {
  app: App;
  state: State;
  outcome: Outcome;
  errors: ReadonlyMap<number, string>;
}

function Prediction({ app, state, outcome, errors }: PredictionProps) {
  const { tree, payload } = app;
  const dark = useDark();
  // the interval of a linear leaf is that of its average, not of the case
  const range = outcome.ends.length === 1 && !tree.models ? payload.nodes?.interval?.[outcome.leaf] : null;
  const label = outcome.labels[0];
  const smoothed = tree.prediction !== tree.value;
  const pruned = app.leavesUnpruned(state) !== null;
  return (
    <div class="predicted" aria-live="polite">
      <h3 class="headline" data-testid="prediction"><bdi>{predictionOf(app, outcome)}</bdi></h3>
      <Unread app={app} errors={errors} />
      {tree.classes && tree.classes.length === 1 && (
        <div class="strip" aria-hidden="true">
          {outcome.values[0].map((p, k) => <span key={k} style={{ width: `${100 * p}%`, background: classColour(k, dark) }} />)}
        </div>
      )}
      <p class="quiet" data-testid="sure">
        {tree.classes && tree.classes.length === 1 && label !== null && `Probability ${percent(outcome.values[0][label])}${smoothed ? ", smoothed" : ""}. `}
        {outcome.ends.length > 1
          ? `A value is missing: average of ${plural(outcome.ends.length, "leaf", "leaves")}. `
          : `${range ? `95 % interval ${interval(range[0], range[1], tree.classes ? percent : short)}, from` : "From"} the ${plural(tree.rows[outcome.leaf], "training row")} of its leaf. `}
        <button type="button" class="link" onClick={() => app.select(outcome.leaf, "node")}>Open leaf {outcome.leaf}</button>
      </p>
      {pruned && <p class="quiet">By the pruned tree.</p>}
    </div>
  );
}

function Change({ app, state, cells }: { app: App; state: State; cells: Cell[] }) {
  const { tree, payload } = app;
  const names = tree.classes?.[0];
  const root = tree.of(tree.prediction, 0)[0];
  const now = app.case(state).outcome;
  const { aim } = state;
  const set = (patch: Partial<Aim>) => app.store.update({ aim: { ...aim, ...patch } });
  const wanted = aim.label === now.labels[0] ? null : aim.label;
  const level = aim.level ?? root;
  const side = aim.side ?? (now.values[0][0] > level ? "below" : "above");
  const which = tree.nClasses.length > 1 ? <bdi>{app.outputName(0)}</bdi> : "the prediction";
  const { cut } = app.visible(state);
  const searched = useMemo(() => {
    const goal: Goal = names ? { label: wanted } : side === "above" ? { above: level } : { below: level };
    return new Nearest(tree, payload.columns, cells, state.locked, cut).nearest(goal);
  }, [app, state.cells, state.locked, cut, wanted, side, level]);
  return (
    <div class="change" data-testid="change">
      <h4>Smallest change that flips the prediction</h4>
      {names && names.length > 2 && (
        <label class="field">
          <span>So that {which} becomes</span>
          <select value={wanted ?? ""} onChange={(event) => set({ label: event.currentTarget.value === "" ? null : Number(event.currentTarget.value) })}>
            <option value="">any other class</option>
            {names.map((name, k) => k !== now.labels[0] && <option key={k} value={k}>{name}</option>)}
          </select>
        </label>
      )}
      {!names && (
        <div class="fields two">
          <label class="field">
            <span>So that {which} is</span>
            <select value={side} onChange={(event) => set({ side: event.currentTarget.value as "above" | "below" })}>
              <option value="above">above</option>
              <option value="below">below</option>
            </select>
          </label>
          <NumberField label="This value" value={level} set={(value) => set({ level: value })} />
        </div>
      )}
      <Found app={app} searched={searched} />
    </div>
  );
}

// A cell as the form writes it.
function fieldTextOf(tree: Tree, column: number, cell: Cell): string {
  const { kind } = tree.columns[column];
  const level = kind === "nominal" || kind === "ordered" ? tree.levels[column][Number(cell)] : undefined;
  return cell === null ? "" : level === undefined ? cellText(tree, column, cell) : levelText(level);
}

function Found({ app, searched }: { app: App; searched: Searched }) {
  const { tree } = app;
  const found = searched.change;
  if (!found) return <p>{searched.complete ? "No change of the unlocked columns does." : "The search stopped early: the tree is too large to say whether a change of the unlocked columns does."}</p>;
  if (!found.changes.length) return <p>The prediction is that already.</p>;
  const { outcome } = found;
  const label = outcome.labels[0];
  const apply = () => {
    const texts = found.changes.map(({ column, to }) => [column, fieldTextOf(tree, column, to)]);
    app.store.update({ cells: { ...app.store.state.cells, ...Object.fromEntries(texts) } });
  };
  return (
    <>
      <ul class="changes">
        {found.changes.map(({ column, from, to }) => (
          <li key={column}>
            <bdi class="name">{tree.names[column]}</bdi> <bdi class="from" title={cellText(tree, column, from)}>{cellShown(tree, column, from)}</bdi> → <bdi class="to" title={cellText(tree, column, to)}>{cellShown(tree, column, to)}</bdi>
          </li>
        ))}
      </ul>
      <p class="quiet">
        Prediction becomes <bdi>{predictionOf(app, outcome)}</bdi>{tree.classes && tree.classes.length === 1 && label !== null && ` (${percent(outcome.values[0][label])})`}. Distance {short(found.distance)}; {plural(tree.rows[outcome.leaf], "row")} in that leaf.{" "}
        <button type="button" class="link" onClick={apply}>Apply</button>
      </p>
    </>
  );
}
