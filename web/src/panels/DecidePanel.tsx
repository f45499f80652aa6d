// The operating point: the ROC curve with its hull, what mistakes cost, and the confusion matrix that follows.
import { useAppState, type App } from "../app";
import { Axes, BOX, points, scaleOf } from "../charts/axes";
import type { RocData } from "../payload";
import { count, interval, percent, plural, short } from "../view/words";
import type { State } from "../state/state";
import { DEAREST } from "../state/address";
import { AboutPruned, HiddenWhilePruned, OtherFigures } from "./AboutPruned";
import { NumberField } from "./NumberField";
import { cheapestCorner, cornersOf, costAt, costsOf, currentPoint, ownPoint, positiveBelow, prevalenceOf, type Corner } from "./operating";

export function DecidePanel() {
  const [app, state] = useAppState();
  const { roc_note } = app.payload;
  const roc = app.roc(state);
  if (!roc && app.payload.roc) return <HiddenWhilePruned what="The ROC curve and the confusion matrix" />;
  if (!roc) return <p class="quiet">{roc_note ?? "There are no predictions to rank."}</p>;
  const names = app.tree.classes![0];
  const [yes, no] = [names[roc.positive], names[1 - roc.positive]];
  const costs = costsOf(roc, state);
  const prevalence = prevalenceOf(roc, state);
  const point = currentPoint(app, state);
  const cheapest = cheapestCorner(roc, costs, prevalence);
  const go = (called: State["point"]) => app.store.update({ point: called });
  return (
    <div>
      <p class="eyebrow">Operating point, {roc.source} rows</p>
      <h3 class="headline">{headline(point, yes)}</h3>
      <p class="quiet">
        AUC {short(roc.auc)} {roc.auc_low !== null && `(${interval(roc.auc_low, roc.auc_high)})`}. Leaves with a + in the tree predict <bdi>{yes}</bdi>.
      </p>
      <AboutPruned />
      <Roc roc={roc} point={point} own={ownPoint(app, state)} cheapest={cheapest} costs={costs} prevalence={prevalence} go={go} />
      <label class="slider">
        <span>Move right to predict <bdi>{yes}</bdi> more often</span>
        <input
          type="range"
          min={0}
          max={roc.segments.length}
          value={point.called}
          aria-valuetext={`${from(point)}: recall ${percent(point.tpr)}, false-positive rate ${percent(point.fpr)}`}
          onInput={(event) => go(Number(event.currentTarget.value))}
        />
      </label>
      <p class="choices">
        <button type="button" aria-pressed={state.point === null} onClick={() => go(null)}>Lowest cost</button>
        <button type="button" aria-pressed={state.point === "model"} onClick={() => go("model")}>As the model predicts</button>
      </p>
      <div class="fields three">
        <NumberField label={"Cost of a false positive"} value={costs[0]} least={0} most={DEAREST} set={(value) => app.store.update({ costs: [value, costs[1]], point: null })} />
        <NumberField label={"Cost of a false negative"} value={costs[1]} least={0} most={DEAREST} set={(value) => app.store.update({ costs: [costs[0], value], point: null })} />
        <NumberField label={<>Share of <bdi>{yes}</bdi>, %</>} value={100 * prevalence} least={0} most={100} set={(value) => app.store.update({ prevalence: value / 100, point: null })} />
      </div>
      <Confusion point={point} prevalence={prevalence} yes={yes} no={no} weighted={roc.source === "training" ? app.tree.weighted : !!app.payload.evaluation?.weighted} />
      <dl class="figures">
        <div>
          <dt>Expected cost per row</dt>
          <dd>{short(costAt(point, costs, prevalence))}<small> always <bdi>{no}</bdi>: {short(costs[1] * prevalence)}, always <bdi>{yes}</bdi>: {short(costs[0] * (1 - prevalence))}</small></dd>
        </div>
        <div><dt>Leaves{app.leavesUnpruned(state) !== null && " of the pruned tree"} that predict <bdi>{yes}</bdi></dt><dd>{positiveLeaves(app, state)}</dd></div>
      </dl>
      {roc.source === "training" && <p class="quiet">These are training rows, so the curve looks too good.</p>}
      {roc.source === "out-of-fold" && <OtherFigures />}
    </div>
  );
}

function from({ called, threshold }: Corner): string {
  return called === 0 ? "never" : threshold === 0 ? "always" : `from probability ${percent(threshold)}`;
}

function headline(point: Corner, yes: string) {
  if (point.called === 0 && !Number.isFinite(point.threshold)) return <>Never predict <bdi>{yes}</bdi></>;
  if (point.threshold === 0) return <>Always predict <bdi>{yes}</bdi></>;
  return <>Predict <bdi>{yes}</bdi> at ≥&nbsp;{percent(point.threshold).replace(" ", "\u00a0")}</>;
}

function positiveLeaves(app: App, state: State): string {
  return `${count(positiveBelow(app, state)[0])} of ${count(app.visible(state).leaves[0])}`;
}

// Points of equal cost lie on a line; its ends here are far outside of the chart, and none where nothing costs.
function equalCost({ fpr, tpr }: Corner, costs: readonly [number, number], prevalence: number): [number, number][] {
  const [across, up] = [costs[1] * prevalence, costs[0] * (1 - prevalence)];
  const most = Math.max(across, up);
  return most > 0 ? [-2, 2].map((k) => [fpr + (k * across) / most, tpr + (k * up) / most]) : [];
}

interface RocProps {
  roc: RocData;
  point: Corner;
  cheapest: Corner;
  own: Corner;
  costs: readonly [number, number];
  prevalence: number;
  go: (called: number) => void;
}

function Roc({ roc, point, cheapest, own, costs, prevalence, go }: RocProps) {
  const corners = cornersOf(roc);
  const side = BOX.height - BOX.bottom - BOX.top - 10;
  const left = BOX.left + 20;
  const x = scaleOf(0, 1, left, left + side + 60);
  const y = scaleOf(0, 1, BOX.height - BOX.bottom, BOX.top + 10);
  x.ticks = y.ticks = [0, 0.5, 1];
  const line = (list: Corner[]) => points(list.map((each) => [x(each.fpr), y(each.tpr)] as const));
  const hull = roc.hull.map((at) => corners[at]).filter(Boolean);
  const tangent = equalCost(cheapest, costs, prevalence).map(([fpr, tpr]) => [x(fpr), y(tpr)] as const);
  const pick = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const [px, py] = [((event.clientX - box.left) / box.width) * BOX.width, ((event.clientY - box.top) / box.height) * BOX.height];
    let best = corners[0];
    const away = (each: Corner) => Math.hypot(x(each.fpr) - px, y(each.tpr) - py);
    for (const each of corners) if (away(each) < away(best)) best = each;
    go(best.called);
  };
  return (
    <div class="clickable">
      <svg class="hidden-defs" width="0" height="0" aria-hidden="true"><defs><clipPath id="roc-box"><rect x={x(0)} y={y(1)} width={x(1) - x(0)} height={y(0) - y(1)} /></clipPath></defs></svg>
      <div onClick={pick}>
        <Axes x={x} y={y} xName="False-positive rate" yName="Recall" write={percent} label={`ROC curve: at this point recall ${percent(point.tpr)}, false-positive rate ${percent(point.fpr)}`}>
          <line class="grid" x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} />
          <polyline class="line dashed" points={line(hull)} />
          <polyline class="line" points={line(corners)} />
          {tangent.length === 2 && <polyline class="line faint" clip-path="url(#roc-box)" points={points(tangent)} />}
          <rect class="dot hollow" x={x(own.fpr) - 5} y={y(own.tpr) - 5} width={10} height={10} />
          <circle class="dot hollow" cx={x(cheapest.fpr)} cy={y(cheapest.tpr)} r={6} />
          <circle class="dot" cx={x(point.fpr)} cy={y(point.tpr)} r={5} />
        </Axes>
      </div>
      <p class="key"><span class="stroke" /> ROC <span class="stroke dashed" /> hull <span class="stroke pale" /> equal cost <span class="item">○ lowest cost</span><span class="item">□ the model</span></p>
    </div>
  );
}

interface ConfusionProps {
  point: Corner;
  prevalence: number;
  yes: string;
  no: string;
  weighted: boolean; // rates are of weights
}

function Confusion({ point, prevalence, yes, no, weighted }: ConfusionProps) {
  const are = Math.round(1000 * prevalence);
  const tp = Math.min(are, Math.round(1000 * point.tpr * prevalence));
  const fp = Math.min(1000 - are, Math.round(1000 * point.fpr * (1 - prevalence)));
  const alarms = point.tpr * prevalence + point.fpr * (1 - prevalence);
  const precision = alarms > 0 ? percent((point.tpr * prevalence) / alarms) : "–";
  return (
    <table class="confusion" data-testid="confusion">
      <caption>Confusion matrix, per {weighted ? "1,000 of weight (rows count by their weights)" : "1,000 rows"}</caption>
      <thead>
        <tr><td /><th scope="col">Predicted <bdi>{yes}</bdi></th><th scope="col">Predicted <bdi>{no}</bdi></th></tr>
      </thead>
      <tbody>
        <tr><th scope="row">Actual <bdi>{yes}</bdi></th><td class="good">{count(tp)}</td><td>{count(are - tp)}</td></tr>
        <tr><th scope="row">Actual <bdi>{no}</bdi></th><td>{count(fp)}</td><td class="good">{count(1000 - are - fp)}</td></tr>
      </tbody>
      <tfoot>
        <tr><td colSpan={3}>Recall {percent(point.tpr)}. Precision {precision}. {plural(fp + are - tp, "error")}.</td></tr>
      </tfoot>
    </table>
  );
}
