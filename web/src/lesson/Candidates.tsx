// The candidates of a step as a list: the best split of every column with its gain. One of them is shown on its data.
import { useState } from "preact/hooks";
import { plural } from "../view/words";
import type { Lesson, Step } from "./payload";

const FIRST = 8; // candidates before the reader wants all

interface Props {
  lesson: Lesson;
  step: Step;
  shown: number;
  choose: (place: number) => void;
}

export function Candidates({ lesson, step, shown, choose }: Props) {
  const most = Math.max(...step.candidates.map((each) => each.gain), 1e-12);
  const [all, showAll] = useState(false);
  const rest = step.candidates.length - FIRST;
  const listed = all ? step.candidates : step.candidates.slice(0, FIRST);
  return (
    <>
      <table class="candidates">
        <caption>Best split of each column, and what it gains</caption>
        <thead>
          <tr>
            <th scope="col">Split</th>
            <th scope="col"><span class="visually-hidden">as a bar</span></th>
            <th scope="col" class="number">Gain</th>
            {lesson.by_ratio && <th scope="col" class="number">Ratio</th>}
            {lesson.by_test && <th scope="col" class="number">p-value</th>}
          </tr>
        </thead>
        <tbody>
          {listed.map((each, k) => (
            <tr key={k} class={k === 0 ? "chosen" : ""}>
              <th scope="row">
                {each.data ? <button type="button" class="link" aria-pressed={k === shown} onClick={() => choose(k)}><bdi>{each.test}</bdi></button> : <bdi>{each.test}</bdi>}
                {k === 0 && <span class="tag">chosen</span>}
                {each.tie && <span class="tag">tie</span>}
              </th>
              <td class="level-bar"><div><span style={{ width: `${(100 * each.gain) / most}%`, background: k ? "var(--line)" : "var(--accent)" }} /></div></td>
              <td class="number">{each.says}</td>
              {lesson.by_ratio && <td class="number">{each.ratio === undefined ? "–" : each.ratio.toFixed(3)}</td>}
              {lesson.by_test && <td class="number">{each.p_value === undefined ? "–" : Number(each.p_value.toPrecision(2))}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {rest > 0 && <p><button type="button" class="link" aria-expanded={all} onClick={() => showAll(!all)}>{all ? "Show fewer columns" : `Show ${rest} more ${rest === 1 ? "column" : "columns"}`}</button></p>}
      {listed.some((each) => !each.data) && <p class="quiet">Splits that are not underlined have no picture: their column has too few values, or the page would be too large.</p>}
      {step.more > 0 && <p class="quiet">{plural(step.more, "more column")} {step.more === 1 ? "gains" : "gain"} less.</p>}
    </>
  );
}
