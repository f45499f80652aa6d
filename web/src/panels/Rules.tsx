// The leaves as rules, in a table that sorts and filters.
import { useMemo, useState } from "preact/hooks";
import { useAppState } from "../app";
import { num } from "../model/parse";
import { smoothingDecides } from "../model/predict";
import { rulesAt } from "../model/pruned";
import type { RuleRow } from "../payload";
import { usePaper } from "../view/paper";
import { ConditionText } from "../view/ConditionText";
import { CONTRARY, predictionText } from "../view/scene";
import { count, percent, plural, short } from "../view/words";
import type { RuleKey as Key, RuleView } from "../state/state";
import { Section } from "./Section";

const NAMES: Record<Key, string> = { text: "If", prediction: "Then", support: "Rows", confidence: "Confidence", lift: "Lift" };
const FIRST = 15;
const STEP = 100;
const ON_PAPER = 60;

function sorted(rules: RuleRow[], key: Key, down: boolean, prediction: (rule: RuleRow) => string): RuleRow[] {
  const sign = down ? -1 : 1;
  const isText = key === "text" || key === "prediction";
  const order = isText
    ? (a: RuleRow, b: RuleRow) => sign * (key === "text" ? a.text.localeCompare(b.text) : prediction(a).localeCompare(prediction(b), undefined, { numeric: true }))
    : (a: RuleRow, b: RuleRow) => sign * ((num(a[key]) || 0) - (num(b[key]) || 0));
  return [...rules].sort((a, b) => order(a, b) || a.node - b.node);
}

export function Rules() {
  const [app, state] = useAppState();
  const { key, down, query } = state.rules;
  const set = (patch: Partial<RuleView>) => app.store.update({ rules: { ...state.rules, ...patch } });
  const [most, setMost] = useState(FIRST);
  const paper = usePaper();
  const { payload, tree } = app;
  const { rules_note } = payload;
  const cut = app.cut(state);
  const rules = useMemo(() => rulesAt(payload, tree, cut), [payload, tree, cut]);
  const found = useMemo(() => {
    const wanted = query.trim().toLowerCase();
    const kept = (rules ?? []).filter((rule) => `${rule.text} ${predictionText(tree, rule.node)}`.toLowerCase().includes(wanted));
    return sorted(kept, key, down, (rule) => predictionText(tree, rule.node));
  }, [rules, query, key, down]);
  const open = (node: number) => {
    app.select(node, "node");
    document.querySelector(".workspace")?.scrollIntoView({ block: "start" });
  };
  if (rules === null) return <Section id="rules" name="Rules"><p class="quiet">The rules of a pruned tree this large are not listed. Download the tree and make a report of it.</p></Section>;
  if (!rules.length) return rules_note ? <Section id="rules" name="Rules"><p class="quiet">{rules_note}</p></Section> : null;
  const keys = (Object.keys(NAMES) as Key[]).filter((each) => rules.some((rule) => rule[each] !== null));
  const shown = found.slice(0, paper ? Math.max(most, ON_PAPER) : most);
  return (
    <Section id="rules" name="Rules" words={`${payload.rules_words ?? ""} ${tree.classes ? `Rows, confidence and lift are of the training rows${tree.weighted ? "; confidence and lift are weighted" : ""}.` : ""}`.trim()}>
      <p class="filter">
        <input type="search" aria-label="Filter the rules" placeholder="Filter" value={query} onInput={(event) => set({ query: event.currentTarget.value })} />
        <span class="quiet" role="status">{plural(found.length, "rule")}</span>
      </p>
      <div class="scroll" tabIndex={0} role="group" aria-label="Table of rules">
        <table class="rules">
          <thead>
            <tr>
              {keys.map((each) => (
                <th key={each} scope="col" class={each === "text" || each === "prediction" ? "" : "number"} aria-sort={each === key ? (down ? "descending" : "ascending") : "none"}>
                  <button type="button" class="sort" onClick={() => set({ key: each, down: each === key ? !down : each !== "text" && each !== "prediction" })}>
                    {NAMES[each]}
                    <span aria-hidden="true">{each === key ? (down ? " ↓" : " ↑") : ""}</span>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((rule) => (
              <tr key={rule.node} class={rule.node === state.node ? "chosen" : ""}>
                <td class="text">
                  <button type="button" class="link" onClick={() => open(rule.node)}><ConditionText text={rule.text || "always"} /></button>
                </td>
                <td><bdi>{predictionText(tree, rule.node)}</bdi>{smoothingDecides(tree, rule.node) && "*"}</td>
                <td class="number">{count(rule.support)}</td>
                {keys.includes("confidence") && <td class="number">{percent(rule.confidence)}</td>}
                {keys.includes("lift") && <td class="number">{short(rule.lift)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.some((rule) => smoothingDecides(tree, rule.node)) && <p class="quiet fine">{CONTRARY}</p>}
      {shown.length < found.length && <button type="button" onClick={() => setMost(most + STEP)}>Show more of {count(found.length)}</button>}
      {paper && shown.length < found.length && <p class="quiet">{count(found.length - shown.length)} more are on the page.</p>}
      {rules_note && rules === payload.rules && <p class="quiet">{rules_note}</p>}
    </Section>
  );
}
