// What figures are about, where a reader could take them for something else.
import { useAppState } from "../app";
import { plural } from "../view/words";

/** Shown beside figures of the model while the drawing shows a pruned tree. */
export function AboutModel() {
  const [app, state] = useAppState();
  const leaves = app.leavesUnpruned(state);
  if (leaves === null) return null;
  return <p class="quiet about-model">About the model of {plural(leaves, "leaf", "leaves")}, not the pruned tree shown.</p>;
}

/** Why figures of trees that were grown anew are not those at the top of the page. */
export function OtherFigures() {
  const [app] = useAppState();
  if (!/left out of everything/.test(app.payload.scores?.on ?? "")) return null;
  return (
    <p class="quiet fine">
      The figures at the top are a little different: they are of folds left out of everything, of the choice of settings
      too. Here five trees were grown anew with the settings that were chosen.
    </p>
  );
}
