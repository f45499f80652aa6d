// The tree that is shown as a model file, and the command that makes the same.
import type { App } from "../app";
import { modelFile } from "../model/file";
import { sizeOf } from "../model/pruned";
import type { State } from "../state/state";
import { saveText } from "../view/save";
import { Code } from "./Code";

function prunedAt(app: App, { step }: State) {
  const { pruning } = app.payload;
  return pruning && step !== pruning.original ? pruning.steps[step] : null;
}

/** The model file of the tree that a state shows. */
export function modelFileOf(app: App, state: State): string {
  const cut = app.cut(state);
  const step = prunedAt(app, state);
  const { leaves, depth } = sizeOf(app.tree, cut);
  return modelFile(app.payload.model, cut, step && { alpha: Number(step.alpha), leaves, depth });
}

export function ThisTree({ app, state }: { app: App; state: State }) {
  const step = prunedAt(app, state);
  const save = () => saveText(modelFileOf(app, state), app.payload.title, "tree.json", "application/json");
  return (
    <div class="this-tree">
      <p class="choices"><button type="button" onClick={save}>Download this tree</button></p>
      <p class="quiet">A model file for <code>treewright.load</code> and the command line.</p>
      {step && <Code name="The same tree on the command line" text={`${app.payload.pruning!.command} ${step.alpha} --output pruned.tree.json`} />}
    </div>
  );
}
