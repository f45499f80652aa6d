// Classification by class: the confusion matrix, precision and recall, and a ROC curve of each class.
import { useState } from "preact/hooks";
import { Axes, BOX, points, scaleOf } from "../charts/axes";
import { num } from "../model/parse";
import type { ClassRow, Evaluation, Num } from "../payload";
import { classColour } from "../view/colours";
import { useDark } from "../view/dark";
import { count, percent, short } from "../view/words";

/** Numbers of one column have one number of digits. */
const share = (value: Num | null) => (Number.isFinite(num(value)) ? num(value).toFixed(3) : short(value));

const MANY = 8; // classes, from which their names stand upright

export function ConfusionMatrix({ confusion, weighted }: { confusion: NonNullable<Evaluation["confusion"]>; weighted: boolean }) {
  const { labels, counts } = confusion;
  const most = Math.max(...counts.flat(), 1);
  return (
    <div class={labels.length > 5 ? "block whole-row" : "block"}>
      <h3>Confusion matrix{weighted && ": sums of weights"}</h3>
      <div class="scroll" tabIndex={0} role="group" aria-label="Confusion matrix">
        <table class={labels.length > MANY ? "matrix many" : "matrix"} data-testid="matrix">
          <thead>
            <tr><th scope="col">Actual ↓ Predicted →</th>{labels.map((label, k) => <th key={k} scope="col" title={label}><bdi>{label}</bdi></th>)}</tr>
          </thead>
          <tbody>
            {counts.map((row, i) => (
              <tr key={i}>
                <th scope="row"><bdi>{labels[i]}</bdi></th>
                {row.map((n, j) => (
                  <td key={j} class={n ? (i === j ? "right" : "") : "none"} style={{ "--share": `${(70 * n) / most}%` }}>{count(n)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

export function ClassTable({ classes, weighted }: { classes: ClassRow[]; weighted: boolean }) {
  return (
    <div class="block wide-block">
      <h3>By class{weighted && ", weighted"}</h3>
      <div class="scroll" tabIndex={0} role="group" aria-label="Scores by class">
        <table class="plain" data-testid="by-class">
          <thead>
            <tr><th scope="col">Class</th>{["Precision", "Recall", "F1", "AUC", weighted ? "Support (weight)" : "Support"].map((name) => <th key={name} scope="col" class="number">{name}</th>)}</tr>
          </thead>
          <tbody>
            {classes.map((each, k) => (
              <tr key={k}>
                <th scope="row"><bdi>{each.label}</bdi></th>
                <td class="number">{percent(each.precision)}</td>
                <td class="number">{percent(each.recall)}</td>
                <td class="number">{share(each.f1)}</td>
                <td class="number">{share(each.auc)}</td>
                <td class="number">{count(each.support)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="quiet fine">Precision: of the rows predicted as the class, how many are of it. Recall: of the rows of the class, how many are predicted as it. AUC: the class against all others.</p>
    </div>
  );
}

export function ClassRoc({ classes }: { classes: ClassRow[] }) {
  const dark = useDark();
  const [only, setOnly] = useState(-1);
  const drawn = classes.filter((each) => each.roc.length > 1);
  if (!drawn.length) return null;
  const x = scaleOf(0, 1, BOX.left, BOX.width - BOX.right);
  const y = scaleOf(0, 1, BOX.height - BOX.bottom, BOX.top + 10);
  x.ticks = y.ticks = [0, 0.5, 1];
  return (
    <div class="block">
      <h3>ROC curve by class</h3>
      <Axes x={x} y={y} xName="False-positive rate" yName="Recall" write={percent} label={`ROC curves: ${drawn.map((each) => `${each.label}, AUC ${short(each.auc)}`).join("; ")}`}>
        <line class="grid" x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} />
        {classes.map((each, k) => each.roc.length > 1 && (only < 0 || only === k) && (
          <polyline key={k} class="line" style={{ stroke: classColour(k, dark) }} points={points(each.roc.map(([fpr, tpr]) => [x(num(fpr)), y(num(tpr))] as const))} />
        ))}
      </Axes>
      <label class="field">
        <span>Class</span>
        <select value={only} onChange={(event) => setOnly(Number(event.currentTarget.value))}>
          <option value={-1}>all</option>
          {classes.map((each, k) => <option key={k} value={k}>{`${each.label}, AUC ${short(each.auc)}`}</option>)}
        </select>
      </label>
    </div>
  );
}
