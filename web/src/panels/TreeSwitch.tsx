// The choice between the trees that a page holds, and their scores side by side.
import { useTrees } from "../trees";
import { num } from "../model/parse";
import type { Payload, Score } from "../payload";
import { usePaper } from "../view/paper";
import { plural, short } from "../view/words";

export function leavesOf({ model }: Pick<Payload, "model">): number {
  return model.tree.n_children.filter((n) => n === 0).length;
}

export function TreeSwitch() {
  const trees = useTrees();
  const paper = usePaper();
  if (trees.payloads.length < 2) return null;
  const shown = trees.payloads[trees.which];
  return (
    <div class="tree-switch">
      <div role="group" aria-label="Tree shown">
        {trees.payloads.map((payload, k) => (
          <button key={k} type="button" aria-pressed={trees.which === k} onClick={() => trees.choose(k)}>
            {payload.tree_name} ({plural(leavesOf(payload), "leaf", "leaves")})
          </button>
        ))}
      </div>
      {(paper || shown.tree_words) && <p class="quiet tree-words">{paper && `Shown: ${shown.tree_name.toLowerCase()}. `}{shown.tree_words}</p>}
    </div>
  );
}

/** The scores of all trees of the page, in a sentence. */
export function BothScores() {
  const { payloads } = useTrees();
  const [first, ...others] = payloads.map((payload) => payload.scores?.rows ?? []);
  return first.length > 0 && others[0]?.length > 0 ? <p class="quiet fine both-scores">{compared(payloads, first)}</p> : null;
}

/** "accuracy 0.724 against 0.731; log loss 0.54 against 0.52", in the order of the trees. */
function compared(payloads: readonly Payload[], first: readonly Score[]): string {
  const names = payloads.map((payload) => payload.tree_name.toLowerCase());
  const parts = first.flatMap((score) => {
    const values = payloads.map((payload) => payload.scores?.rows.find((row) => row.metric === score.metric)?.value);
    return values.every((value) => Number.isFinite(num(value))) ? [`${score.metric} ${values.map((value) => short(value)).join(" against ")}`] : [];
  });
  return `Scores of both trees as fitted, ${names.join(" against ")}: ${parts.join("; ")}.`;
}
