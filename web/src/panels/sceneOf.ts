// The scene of a state: what is selected, highlighted, found and decided.
import type { App } from "../app";
import type { State } from "../state/state";
import { coloursOf } from "../view/colours";
import type { Scene } from "../view/scene";
import { positiveBelow } from "./operating";

export type SceneParts = Omit<Scene, "layout">;

/** The nodes that test a column whose name has the text in it. */
export function matches(app: App, query: string): number[] {
  const wanted = query.trim().toLowerCase();
  if (!wanted) return [];
  const hit = app.tree.names.map((name) => name.toLowerCase().includes(wanted));
  const { cut } = app.visible();
  const found: number[] = [];
  app.tree.nodes.forEach((inner, node) => {
    if (inner && hit[inner[0]] && !cut[node]) found.push(node);
  });
  return found;
}

export function sceneOf(app: App, state: State, dark: boolean): SceneParts {
  const { payload, tree } = app;
  const visible = app.visible(state);
  const passed = state.tab === "case" ? app.case(state).outcome.passed : [];
  const walked = state.walk !== null ? passed.slice(0, state.walk + 1) : passed;
  const positive = state.tab === "decide" && app.roc(state) ? positiveBelow(app, state) : null;
  return {
    payload,
    tree,
    visible,
    colours: coloursOf(tree, dark),
    selected: app.nearestShown(state.node),
    path: new Set(tree.path(state.node)),
    highlighted: new Set(walked),
    token: state.walk !== null && walked.length ? walked[walked.length - 1] : null,
    marked: new Set(matches(app, state.query)),
    positive,
    missing: state.missing,
    output: 0,
  };
}
