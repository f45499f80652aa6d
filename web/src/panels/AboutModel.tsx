// What figures are about, where a reader could take them for something else.
import { useAppState } from "../app";
import { plural } from "../view/words";

/** Shown beside figures of the model while the drawing shows a pruned tree. */
export function AboutModel() {
  const [app, state] = useAppState();
  const leaves = app.leavesUnpruned(state);
  if (leaves === null) return null;
  return <p class="quiet about-model">About the original model of {plural(leaves, "leaf", "leaves")}, not the pruned tree shown.</p>;
}

/** Why scores of trees that were fitted for the report are not those at the top of the page. */
export function OtherFigures() {
  const [app] = useAppState();
  const { scores } = app.payload;
  if (scores?.source !== "fit") return null;
  return (
    <p class="quiet fine">
      The scores at the top differ a little: they were computed when the model was fitted, on <bdi>{scores.on}</bdi>.
      Here five trees were fitted anew, with the parameters that were chosen.
    </p>
  );
}
