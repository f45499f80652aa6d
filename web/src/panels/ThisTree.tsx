// The tree that is shown as a model file, and the command that makes the same.
import type { App } from "../app";
import { modelFile } from "../model/file";
import { sizeOf } from "../model/pruned";
import type { State } from "../state/state";
import { saveText } from "../view/save";
import { Code } from "./Code";

export function ThisTree({ app, state }: { app: App; state: State }) {
  const { payload, tree } = app;
  const { pruning } = payload;
  const step = pruning && state.step !== pruning.original ? pruning.steps[state.step] : null;
  const cut = app.cut(state);
  const save = () => {
    const { leaves, depth } = sizeOf(tree, cut);
    saveText(modelFile(payload.model, cut, step && { alpha: Number(step.alpha), leaves, depth }), payload.title, "tree.json", "application/json");
  };
  return (
    <div class="this-tree">
      <p class="choices"><button type="button" onClick={save}>Download this tree</button></p>
      <p class="quiet">A model file for <code>treewright.load</code> and the command line.</p>
      {step && <Code name="The same tree on the command line" text={`treewright prune MODEL.tree.json --alpha ${step.alpha} --output pruned.tree.json`} />}
    </div>
  );
}
