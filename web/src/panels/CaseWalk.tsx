// The row of What if moving down the tree, one test at a time.
import { comparedOf, type Cell } from "interpreter";
import { useEffect } from "preact/hooks";
import type { App } from "../app";
import { MISSING } from "../model/row";
import type { State } from "../state/state";
import { ConditionText } from "../view/ConditionText";
import { predictionText } from "../view/scene";
import { cellShown, short } from "../view/words";

const PACE = 1100; // milliseconds a step

const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

export function CaseWalk({ app, state, cells }: { app: App; state: State; cells: Cell[] }) {
  const { passed } = app.case(state).outcome;
  const last = passed.length - 1;
  const walk = state.walk === null ? null : Math.min(state.walk, last); // another row may have a shorter path
  const go = (to: number | null, playing = false) => app.store.update({ walk: to, playing });
  useEffect(() => {
    if (!state.playing || walk === null || walk >= last) return;
    const timer = window.setTimeout(() => go(walk + 1, walk + 1 < last), PACE);
    return () => clearTimeout(timer);
  }, [state.playing, walk, last]);
  if (last < 1) return null;
  return (
    <div class="walk">
      <p class="choices">
        {walk === null
          ? <button type="button" onClick={() => go(0, !still())}>Walk down the tree</button>
          : <>
            <button type="button" disabled={walk === 0} onClick={() => go(walk - 1)}>Back</button>
            <button type="button" disabled={walk >= last} onClick={() => go(walk + 1)}>Next step</button>
            <button type="button" onClick={() => go(null)}>Show the whole path</button>
          </>}
      </p>
      {walk !== null && <p role="status" data-testid="walk"><Step app={app} cells={cells} node={passed[walk]} next={passed[walk + 1]} number={walk} /></p>}
    </div>
  );
}

interface StepProps {
  app: App;
  cells: Cell[];
  node: number;
  next: number | undefined;
  number: number;
}

function Step({ app, cells, node, next, number }: StepProps) {
  const { tree, payload } = app;
  if (next === undefined) return <>Leaf {node}: the prediction is <strong><bdi>{predictionText(tree, node)}</bdi></strong>.</>;
  const column = tree.tested(node);
  const cell = comparedOf(tree, cells, column);
  const shown = column < tree.columns.length ? cellShown(tree, column, cell) : cell === MISSING ? "missing" : short(Number(cell));
  return (
    <>
      Step {number + 1}: <bdi>{tree.names[column]}</bdi> is <bdi>{shown}</bdi>. Next branch: <ConditionText text={payload.words.edge[next]} />.
    </>
  );
}
