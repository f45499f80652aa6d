// The leaves as rules, in a table that sorts and filters.
import { useEffect, useMemo, useState } from "preact/hooks";
import { useAppState } from "../app";
import { num } from "../model/parse";
import type { RuleRow } from "../payload";
import { count, percent, plural, short } from "../view/words";
import { Section } from "./Section";

type Key = "text" | "prediction" | "support" | "confidence" | "lift";
const NAMES: Record<Key, string> = { text: "if", prediction: "then", support: "rows", confidence: "right", lift: "lift" };
const FIRST = 15;
const STEP = 100;
const ON_PAPER = 300;

function sorted(rules: RuleRow[], key: Key, down: boolean): RuleRow[] {
  const sign = down ? -1 : 1;
  const isText = key === "text" || key === "prediction";
  const order = isText
    ? (a: RuleRow, b: RuleRow) => sign * a[key].localeCompare(b[key])
    : (a: RuleRow, b: RuleRow) => sign * ((num(a[key]) || 0) - (num(b[key]) || 0));
  return [...rules].sort((a, b) => order(a, b) || a.node - b.node);
}

export function Rules() {
  const [app, state] = useAppState();
  const [key, setKey] = useState<Key>("support");
  const [down, setDown] = useState(true);
  const [query, setQuery] = useState("");
  const [most, setMost] = useState(FIRST);
  useEffect(() => {
    const more = () => setMost((now) => Math.max(now, ON_PAPER));
    window.addEventListener("beforeprint", more);
    return () => window.removeEventListener("beforeprint", more);
  }, []);
  const { rules, rules_note } = app.payload;
  const found = useMemo(() => {
    const wanted = query.trim().toLowerCase();
    const kept = (rules ?? []).filter((rule) => `${rule.text} ${rule.prediction}`.toLowerCase().includes(wanted));
    return sorted(kept, key, down);
  }, [rules, query, key, down]);
  if (!rules?.length) return rules_note ? <Section id="rules" name="Rules"><p class="quiet">{rules_note}</p></Section> : null;
  const keys = (Object.keys(NAMES) as Key[]).filter((each) => rules.some((rule) => rule[each] !== null));
  const shown = found.slice(0, most);
  return (
    <Section id="rules" name="Rules" words="Each leaf as a sentence. Exactly one of them holds for a case without missing values.">
      <p class="filter">
        <input type="search" aria-label="Filter the rules" placeholder="Filter" value={query} onInput={(event) => setQuery(event.currentTarget.value)} />
        <span class="quiet" role="status">{plural(found.length, "rule")}</span>
      </p>
      <div class="scroll" tabIndex={0} role="group" aria-label="Table of rules">
        <table class="rules">
          <thead>
            <tr>
              {keys.map((each) => (
                <th key={each} scope="col" class={each === "text" || each === "prediction" ? "" : "number"} aria-sort={each === key ? (down ? "descending" : "ascending") : "none"}>
                  <button type="button" class="sort" onClick={() => (each === key ? setDown(!down) : (setKey(each), setDown(each !== "text" && each !== "prediction")))}>
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
                  <button type="button" class="link" onClick={() => app.select(rule.node, "node")}><bdi>{rule.text || "always"}</bdi></button>
                </td>
                <td><bdi>{rule.prediction}</bdi></td>
                <td class="number">{count(rule.support)}</td>
                {keys.includes("confidence") && <td class="number">{percent(rule.confidence)}</td>}
                {keys.includes("lift") && <td class="number">{short(rule.lift)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < found.length && <button type="button" onClick={() => setMost(most + STEP)}>Show more of {count(found.length)}</button>}
      {rules_note && <p class="quiet">{rules_note}</p>}
    </Section>
  );
}
