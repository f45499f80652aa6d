// The few rules that most rows fall under, one line each.
import { useAppState } from "../app";
import { smoothingDecides } from "../model/predict";
import { rulesAt } from "../model/pruned";
import { coloursOf } from "../view/colours";
import { ConditionText } from "../view/ConditionText";
import { useDark } from "../view/dark";
import { CONTRARY, predictionText, probabilityText } from "../view/scene";
import { percent } from "../view/words";

const MOST = 5;

export function TopRules() {
  const [app, state] = useAppState();
  const { payload, tree } = app;
  const rules = rulesAt(payload, tree, app.cut(state));
  const colours = coloursOf(tree, useDark());
  if (!rules?.length || !(tree.rows[0] > 0)) return null;
  const largest = [...rules].sort((a, b) => b.support - a.support || a.node - b.node).slice(0, MOST);
  const covered = largest.reduce((sum, rule) => sum + rule.support, 0) / tree.rows[0];
  const all = largest.length === rules.length;
  return (
    <section class="top-rules" aria-labelledby="top-rules-name">
      <h2 id="top-rules-name">{all ? "The rules of the tree" : `The ${largest.length} rules that cover most rows`}</h2>
      <ol>
        {largest.map((rule) => (
          <li key={rule.node}>
            <button type="button" class="link one-line" title={rule.text} onClick={() => app.select(rule.node, "node")}>
              <ConditionText text={rule.short} />
            </button>
            <span class="then">
              <span class="swatch" style={{ background: colours[rule.node] }} />
              <bdi class="prediction">{predictionText(tree, rule.node)}</bdi> {probabilityText(tree, rule.node)}
            </span>
            <span class="share" title="Share of all training rows">{percent(rule.support / tree.rows[0])}</span>
          </li>
        ))}
      </ol>
      <p class="quiet fine">
        {tree.classes ? "Prediction with its probability, and share of rows." : tree.models ? "Average of the leaf's rows, and share of rows. The leaf has the equation." : "Prediction, and share of rows."}
        {largest.some((rule) => smoothingDecides(tree, rule.node)) && ` ${CONTRARY}`}
        {!all && ` Together ${percent(covered)} of rows. `}
        {!all && <a href="#rules" onClick={(event) => { event.preventDefault(); document.getElementById("rules")?.scrollIntoView(); }}>All rules</a>}
      </p>
    </section>
  );
}
