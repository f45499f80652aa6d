// The scores of groups of rows: by the levels or quartiles of a column.
import { useState } from "preact/hooks";
import type { Evaluation, Num, Subgroup } from "../payload";
import { count, percent, short } from "../view/words";

const MEASURES: [keyof Subgroup, string, (value: Num | null | undefined) => string][] = [
  ["accuracy", "Accuracy", percent],
  ["recall", "Recall", percent],
  ["false_positive_rate", "False-positive rate", percent],
  ["mean_absolute_error", "Mean absolute error", short],
  ["mean_residual", "Mean residual (actual − predicted)", short],
];

export function Subgroups({ subgroups }: { subgroups: Evaluation["subgroups"] }) {
  const [chosen, choose] = useState(0);
  const { rows, by } = subgroups[chosen];
  const shown = MEASURES.filter(([key]) => rows.some((row) => row[key] !== undefined));
  return (
    <div class="block wide-block">
      <h3>By group of rows</h3>
      <label class="field">
        <span>Column</span>
        <select value={chosen} onChange={(event) => choose(Number(event.currentTarget.value))}>
          {subgroups.map(({ column }, k) => <option key={k} value={k}>{column}</option>)}
        </select>
      </label>
      <div class="scroll" tabIndex={0} role="group" aria-label="Scores by group">
        <table class="plain" data-testid="subgroups">
          <thead>
            <tr><th scope="col">{by}</th>{shown.map(([key, name]) => <th key={key} scope="col" class="number">{name}</th>)}<th scope="col" class="number">Rows</th></tr>
          </thead>
          <tbody>
            {rows.map((row, k) => (
              <tr key={k}>
                <th scope="row"><bdi>{row.name}</bdi></th>
                {shown.map(([key, , write]) => <td key={key} class="number">{write(row[key] as Num | null)}</td>)}
                <td class="number">{count(row.n)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
