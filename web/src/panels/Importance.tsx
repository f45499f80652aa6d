// How much each column matters, by two measures, with intervals.
import { useState } from "preact/hooks";
import { useAppState } from "../app";
import { num } from "../model/parse";
import { importanceAt } from "../model/pruned";
import type { ImportanceRow, Num } from "../payload";
import { Breakable } from "../view/ConditionText";
import { usePaper } from "../view/paper";
import { interval, short } from "../view/words";
import { Section } from "./Section";

const FIRST = 12;

export function Importance() {
  const [app, state] = useAppState();
  const { payload, tree } = app;
  const pruned = app.leavesUnpruned(state) !== null;
  const [all, setAll] = useState(false);
  const paper = usePaper();
  const { importance, importance_note } = payload;
  if (!importance) return importance_note ? <Section id="importance" name="Importance"><p class="quiet">{importance_note}</p></Section> : null;
  const rows = pruned ? importanceAt(tree, app.cut(state), importance.rows) : importance.rows;
  const shown = all || paper ? rows : rows.slice(0, FIRST);
  const measures = (["permutation", "impurity"] as const).filter((key) => rows.some((row) => row[key] !== null));
  return (
    <Section id="importance" name="Importance" words={pruned ? "Share of the gain of all splits, in the pruned tree. Permutation importance is hidden while the tree is pruned: it needs predictions for shuffled rows, which this page does not hold." : importance.words}>
      <div class="scroll" tabIndex={0} role="group" aria-label="Table of importances">
        <table class="importance">
          <thead>
            <tr>
              <th scope="col">Column</th>
              {measures.map((key) => <th key={key} scope="col" colSpan={2}>{key === "permutation" ? "Permutation importance" : "Share of the gain"}</th>)}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.column}>
                <th scope="row"><bdi><Breakable text={row.column} /></bdi></th>
                {measures.map((key) => <Measure key={key} row={row} of={key} rows={rows} />)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < rows.length && <button type="button" onClick={() => setAll(true)}>Show all {rows.length} columns</button>}
    </Section>
  );
}

function Measure({ row, of, rows }: { row: ImportanceRow; of: "permutation" | "impurity"; rows: ImportanceRow[] }) {
  const read = (each: ImportanceRow, part: "" | "_low" | "_high") => num(each[`${of}${part}`] as Num | null);
  const ends = rows.flatMap((each) => [read(each, ""), read(each, "_high")]).filter(Number.isFinite);
  const least = Math.min(0, ...rows.map((each) => read(each, "_low")).filter(Number.isFinite));
  const most = Math.max(...ends, 1e-12);
  const x = (value: number) => 200 * ((value - least) / (most - least));
  const [value, low, high] = [read(row, ""), read(row, "_low"), read(row, "_high")];
  return (
    <>
      <td class="plot">
        <svg viewBox="0 0 200 14" preserveAspectRatio="none" aria-hidden="true">
          <rect class="front" x={Math.min(x(0), x(value) || 0)} width={Math.abs((x(value) || 0) - x(0))} y={2} height={10} />
          {Number.isFinite(low + high) && <line class="whisker" x1={x(low)} x2={x(high)} y1={7} y2={7} />}
          {least < 0 && <line class="axis" x1={x(0)} x2={x(0)} y1={0} y2={14} />}
        </svg>
      </td>
      <td class="number">
        {short(value)}
        {Number.isFinite(low + high) && low < high && <small> {interval(low, high)}</small>}
      </td>
    </>
  );
}
