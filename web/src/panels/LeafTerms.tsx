// A linear leaf: its equation, and what each of its terms changes for the case.
import type { Cell } from "interpreter";
import type { App } from "../app";
import { movedBy, termName } from "../model/linear";
import { plural, short } from "../view/words";

const MOST = 12;

/** The equation of a node, where it has one. */
export function Equation({ app, node }: { app: App; node: number }) {
  const text = app.payload.words.equation?.[node];
  if (!text) return null;
  return <p data-testid="equation"><span class="quiet">Equation: </span><bdi>{text}</bdi></p>;
}

/** The terms of the leaf that a case reaches, those that change most first. */
export function LeafTerms({ app, node, cells }: { app: App; node: number; cells: readonly Cell[] }) {
  const { tree } = app;
  const [constant, , , given] = tree.models?.get(node) ?? [[], [], [], []];
  const terms = given.map((term) => ({ term, ...movedBy(term, cells) })).sort((a, b) => Math.abs(b.change) - Math.abs(a.change));
  if (!terms.length || constant.length > 1) return null;
  const what = tree.classes ? `Log odds of ${tree.classes[0][1]}` : "Prediction";
  return (
    <div data-testid="terms">
      <h4>What each term of the leaf changes</h4>
      <p class="quiet">{what}: {short(constant[0])} on average in the leaf, plus the changes below.</p>
      <table class="terms">
        <thead><tr><th scope="col">Term</th><th scope="col">Value</th><th scope="col" title="Mean of the leaf's rows">Mean</th><th scope="col">Slope</th><th scope="col">Change</th></tr></thead>
        <tbody>
          {terms.slice(0, MOST).map(({ term: [column, level, centre, [slope]], value, change }) => (
            <tr key={`${column} ${level}`}>
              <th scope="row"><bdi>{termName(tree.names[column], tree.levels[column], level)}</bdi></th>
              <td>{value === null ? "missing" : short(value)}</td><td>{short(centre)}</td><td>{short(slope)}</td><td>{change > 0 && "+"}{short(change)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {terms.length > MOST && <p class="quiet">and {plural(terms.length - MOST, "more term")}</p>}
    </div>
  );
}
