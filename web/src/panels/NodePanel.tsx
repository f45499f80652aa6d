// One node: the path to it, its prediction with an interval, and its split.
import { useAppState, type App } from "../app";
import { Histogram } from "../charts/Histogram";
import { num } from "../model/parse";
import { smoothingDecides } from "../model/predict";
import { SHARED, STOPS } from "../model/tree";
import { classColour } from "../view/colours";
import { useDark } from "../view/dark";
import { ConditionText } from "../view/ConditionText";
import { Equation } from "./LeafTerms";
import { CONTRARY, predictionText } from "../view/scene";
import { count, interval, percent, plural, short } from "../view/words";
import { SplitHistogram } from "./SplitHistogram";
import { nodeErrorAt } from "../model/evaluated";
import type { State } from "../state/state";
import { AboutPruned, HiddenWhilePruned, OtherFigures } from "./AboutPruned";

const MOST_CLASSES = 8;

export function NodePanel() {
  const [app, state] = useAppState();
  const { tree, payload } = app;
  const node = app.nearestShown(state.node);
  const leaf = app.visible(state).cut[node] === 1;
  const share = tree.rows[node] / Math.max(1, tree.rows[0]);
  return (
    <div>
      <p class="eyebrow">
        {leaf ? "Leaf" : "Node"} {node}
        {leaf && !tree.isLeaf(node) && ", pruned"}
      </p>
      <h3 class="headline"><bdi>{predictionText(tree, node)}</bdi></h3>
      <p class="quiet">
        {plural(tree.rows[node], "row")}, {percent(share)} of all
        {tree.weighted && `; weight ${short(tree.weight[node])}, ${percent(tree.weight[node] / tree.weight[0])} of all weight`}
      </p>
      {leaf && <Equation app={app} node={node} />}
      <Certainty app={app} state={state} node={node} />
      <PathHere app={app} node={node} />
      {tree.classes ? <Shares app={app} node={node} /> : <Values app={app} node={node} />}
      {leaf && smoothingDecides(tree, node) && <p class="quiet fine">{CONTRARY}</p>}
      {!leaf && <Split app={app} node={node} />}
      {node > 0 && (
        <p class="links">
          <button type="button" class="link" onClick={() => app.select(tree.parent[node])}>Go to the parent node</button>
        </p>
      )}
      {payload.target && node === 0 && <p class="quiet">Every row starts here. The target is <bdi>{payload.target}</bdi>.</p>}
    </div>
  );
}

/** Whose error on which rows it is. */
function errorName(app: App, state: State, node: number): string {
  const what = app.payload.kind === "classification" ? "Error rate" : "Mean absolute error";
  if (app.cut(state)[node]) return node === 0 ? `${what} of the tree, which is this one leaf, on unseen rows` : `${what} on the unseen rows of this leaf`;
  return node === 0 ? `${what} of the whole tree on unseen rows` : `${what} of the leaves below this node on unseen rows`;
}

function Certainty({ app, state, node }: { app: App; state: State; node: number }) {
  const facts = app.payload.nodes;
  const held_out_error = nodeErrorAt(app.payload, node, state.step);
  const range = facts?.interval?.[node];
  const isShare = app.payload.kind === "classification";
  const write = isShare ? percent : short;
  if (held_out_error === null && !range) return null;
  return (
    <>
    <dl class="figures">
      {range && !Number.isNaN(num(range[0])) && (
        <div>
          <dt>{isShare ? "Probability of the class" : app.tree.models ? "Average" : "Prediction"}, 95&nbsp;% interval</dt>
          <dd>{interval(range[0], range[1], write)}</dd>
        </div>
      )}
      {held_out_error && (
        <div>
          <dt>{errorName(app, state, node)}</dt>
          <dd>
            {write(held_out_error.error)}
            <small> {interval(held_out_error.low, held_out_error.high, write)}, {plural(held_out_error.n, "row")}</small>
          </dd>
        </div>
      )}
    </dl>
    {held_out_error && <AboutPruned />}
    {held_out_error === undefined && <HiddenWhilePruned what="Errors of nodes on unseen rows" />}
    {held_out_error && facts?.held_out_error_note && <p class="quiet fine">{facts.held_out_error_note}</p>}
    {held_out_error && node === 0 && <OtherFigures />}
    {range && facts?.interval_words && <p class="quiet fine">{facts.interval_words}</p>}
    </>
  );
}

function PathHere({ app, node }: { app: App; node: number }) {
  const path = app.tree.path(node).slice(1);
  if (!path.length) return null;
  const shown = path.length > 14 ? path.slice(-12) : path;
  return (
    <>
      <h4>Path to this node</h4>
      <ol class="path-list" start={path.length - shown.length + 1}>
        {shown.map((each) => (
          <li key={each}>
            <button type="button" class="link" onClick={() => app.select(each)}>
              <ConditionText text={app.payload.words.edge[each] ?? `branch ${each}`} />
            </button>
          </li>
        ))}
      </ol>
      {shown.length < path.length && <p class="quiet">{plural(path.length - shown.length, "earlier step")} not shown.</p>}
    </>
  );
}

function Shares({ app, node }: { app: App; node: number }) {
  const { tree } = app;
  const dark = useDark();
  return (
    <>
      {tree.classes!.map((names, output) => {
        const value = tree.of(tree.value, node, output);
        const shares = tree.of(tree.prediction, node, output);
        const smoothed = tree.prediction !== tree.value;
        const order = [...names.keys()].sort((a, b) => shares[b] - shares[a] || a - b);
        const shown = names.length <= MOST_CLASSES ? [...names.keys()] : order.slice(0, MOST_CLASSES);
        const rest = names.length - shown.length;
        return (
          <div key={output}>
            <h4>Classes{tree.classes!.length > 1 && <> of <bdi>{app.outputName(output)}</bdi></>}</h4>
            <table class="bars">
              <thead>
                <tr>
                  <th scope="col">Class</th>
                  <th scope="col"><span class="visually-hidden">as a bar</span></th>
                  <th scope="col">{smoothed ? "Estimate" : tree.weighted ? "Share of weight" : "Share"}</th>
                  {smoothed && <th scope="col">{tree.weighted ? "Share of weight" : "Observed"}</th>}
                </tr>
              </thead>
              <tbody>
                {shown.map((k) => (
                  <tr key={k}>
                    <th scope="row"><bdi>{names[k]}</bdi></th>
                    <td class="bar"><span style={{ width: `${100 * shares[k]}%`, background: classColour(k, dark) }} /></td>
                    <td class="number">{percent(shares[k])}</td>
                    {smoothed && <td class="number">{percent(value[k])}</td>}
                  </tr>
                ))}
              </tbody>
            </table>
            {rest > 0 && <p class="quiet">{plural(rest, "other class", "other classes")}, {percent(1 - shown.reduce((sum, k) => sum + shares[k], 0))} together.</p>}
          </div>
        );
      })}
    </>
  );
}

function Values({ app, node }: { app: App; node: number }) {
  const histogram = app.payload.nodes?.histogram;
  const counts = histogram?.counts[node];
  if (!histogram || !counts?.length) return null;
  return (
    <>
      <h4>Target in this node{app.payload.target ? <>: <bdi>{app.payload.target}</bdi></> : ""}</h4>
      <Histogram edges={histogram.edges.map(num)} counts={counts} all={histogram.counts[0]} mark={app.tree.of(app.tree.prediction, node)[0]} />
    </>
  );
}

/** What becomes of a missing value, as a sentence. */
function missingWords(app: App, node: number): string {
  const { tree, payload } = app;
  const shares = payload.words.missing[node];
  if (shares) return `A missing value ${shares}.`;
  const child = tree.missingChild[node];
  if (child === STOPS) return "A missing value stops here.";
  if (child === SHARED) return "A missing value goes down every branch, weighted by its share of rows.";
  return `A missing value goes to: ${payload.words.edge[tree.firstChild[node] + child] ?? `branch ${child + 1}`}.`;
}

/** How often the split is chosen again, where that was measured. */
function Stability({ app, node }: { app: App; node: number }) {
  const measured = app.payload.stability;
  const found = measured?.nodes[String(node)];
  if (!measured || !found) return null;
  return (
    <>
      <h4>Stability</h4>
      <dl class="figures">
        <div><dt>Chosen again in {count(measured.repeats)} bootstrap samples</dt><dd>{percent(found.chosen)}</dd></div>
        {node > 0 && found.if_reached !== null && <div><dt>Of those with the same splits above</dt><dd>{percent(found.if_reached)}</dd></div>}
        {found.threshold && <div><dt>Threshold there, 10&nbsp;% to 90&nbsp;%</dt><dd>{found.threshold[0]} to {found.threshold[1]}</dd></div>}
        {found.rows_moved !== null && <div><dt>Rows whose level goes to another branch there</dt><dd>{percent(found.rows_moved)}</dd></div>}
      </dl>
    </>
  );
}

function Split({ app, node }: { app: App; node: number }) {
  const { tree, payload } = app;
  const rivals = payload.next_best_splits?.[String(node)] ?? [];
  const gain = tree.gain[node];
  const total = tree.impurity[0] * tree.weight[0];
  const write = (value: number) => (total > 0 && Number.isFinite(total) ? percent(value / total) : short(value));
  const most = Math.max(gain, ...rivals.map((rival) => num(rival.gain)), 1e-12);
  return (
    <>
      <h4>Split</h4>
      <p class="test"><ConditionText text={payload.words.test[node]} /></p>
      <SplitHistogram app={app} node={node} />
      <p class="quiet"><ConditionText text={missingWords(app, node)} /></p>
      <table class="bars">
        <caption>Gain, as a share of the impurity of all rows{rivals.length ? ": this split and the next-best splits" : ""}</caption>
        <thead class="visually-hidden">
          <tr><th scope="col">split</th><th scope="col">as a bar</th><th scope="col">gain</th></tr>
        </thead>
        <tbody>
          <tr class="chosen">
            <th scope="row"><ConditionText text={payload.words.test[node]} /></th>
            <td class="bar"><span style={{ width: `${(100 * gain) / most}%` }} /></td>
            <td class="number">{write(gain)}</td>
          </tr>
          {rivals.map((rival, k) => (
            <tr key={k}>
              <th scope="row"><ConditionText text={rival.test} /></th>
              <td class="bar"><span style={{ width: `${(100 * Math.max(0, num(rival.gain))) / most}%` }} /></td>
              <td class="number">{write(num(rival.gain))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Stability app={app} node={node} />
      {payload.next_best_splits_note && <p class="quiet">{payload.next_best_splits_note}</p>}
      <h4>Branches</h4>
      <ul class="children">
        {tree.children(node).map((child) => (
          <li key={child}>
            <button type="button" class="link" onClick={() => app.select(child)}><ConditionText text={payload.words.edge[child]} /></button>
            <span class="quiet"> {count(tree.rows[child])}, <bdi>{predictionText(tree, child)}</bdi></span>
          </li>
        ))}
      </ul>
    </>
  );
}
