// Which tree and which rows figures come from, where a reader could take them for something else.
import { useAppState } from "../app";

/** Shown beside figures of a pruned tree: which trees predicted the rows. */
export function AboutPruned() {
  const [app, state] = useAppState();
  if (app.leavesUnpruned(state) === null) return null;
  const folds = app.payload.pruning!.source === "out-of-fold";
  return (
    <p class="quiet about-pruned">
      Figures of the pruned tree.{folds && " The trees that predict out-of-fold rows are pruned to the same degree."}
    </p>
  );
}

/** Shown in place of figures that the page cannot compute for a pruned tree. */
export function HiddenWhilePruned({ what }: { what: string }) {
  const [app] = useAppState();
  const why = app.payload.pruning?.figures_note ?? "This page does not hold the predictions that they need: they would make it too large.";
  return <p class="quiet about-pruned">{what} are hidden while the tree is pruned. {why}</p>;
}

/** Why scores of trees that were fitted for the report are not those below the tree. */
export function OtherFigures() {
  const [app, state] = useAppState();
  const { scores } = app.payload;
  if (scores?.source !== "fit" || app.leavesUnpruned(state) !== null) return null;
  return (
    <p class="quiet fine">
      The scores below the tree differ a little: they were computed when the model was fitted, on <bdi>{scores.on}</bdi>.
      Here five trees were fitted anew, with the parameters that were chosen.
    </p>
  );
}
