// One state for the whole page. Views read it; whatever changes it calls `update`.
import { useLayoutEffect, useState } from "preact/hooks";

export type Tab = "node" | "case" | "prune" | "decide" | "residuals" | "card";
export type ExpandMode = "auto" | "all";
export type Orientation = "vertical" | "horizontal";

/** What a counterfactual is to reach; null is any other class, the side that it is not on, the mean of all rows. */
export interface Aim {
  label: number | null;
  side: "above" | "below" | null;
  level: number | null;
}

export type RuleKey = "text" | "prediction" | "support" | "confidence" | "lift";

export interface RuleView {
  key: RuleKey;
  down: boolean;
  query: string;
}

export interface State {
  node: number; // selected
  step: number; // of pruning
  mode: ExpandMode;
  expanded: ReadonlySet<number>; // nodes that the reader expanded, whatever the mode is
  collapsed: ReadonlySet<number>; // and those that were collapsed
  orientation: Orientation | null; // null: whichever fits better
  tab: Tab;
  cells: Readonly<Record<number, string>>; // the case, by column, as typed; "" is missing
  locked: ReadonlySet<number>; // columns that a counterfactual must not change
  aim: Aim; // of a counterfactual
  point: number | "model" | null; // operating point: how many segments are called positive; null: the cheapest
  costs: readonly [number, number] | null; // of a false positive and a false negative
  prevalence: number | null;
  query: string;
  missing: boolean; // whether missing-value paths are drawn
  outline: boolean; // whether it is shown
  walk: number | null; // how far the row of What if has gone; null: its whole path is shown
  playing: boolean; // whether it moves by itself
  rules: RuleView;
}

export const START: State = {
  node: 0,
  step: 0,
  mode: "auto",
  expanded: new Set(),
  collapsed: new Set(),
  orientation: null,
  tab: "node",
  cells: {},
  locked: new Set(),
  aim: { label: null, side: null, level: null },
  point: null,
  costs: null,
  prevalence: null,
  query: "",
  missing: false,
  outline: false,
  walk: null,
  playing: false,
  rules: { key: "support", down: true, query: "" },
};

type Listener = (state: State) => void;

export class Store {
  private listeners = new Set<Listener>();
  private law: (state: State) => State = (state) => state;

  constructor(private current: State) {}

  get state(): State {
    return this.current;
  }

  update(patch: Partial<State>): void {
    this.current = this.law({ ...this.current, ...patch });
    for (const listener of [...this.listeners]) listener(this.current);
  }

  /** From now on every state goes through a function that mends it. */
  obey(law: (state: State) => State): void {
    this.law = law;
    this.current = law(this.current);
  }

  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/** The state, and the component drawn anew when it changes. */
export function useStore(store: Store): State {
  const [state, set] = useState(store.state);
  useLayoutEffect(() => {
    set(store.state);
    return store.listen(set);
  }, [store]);
  return state;
}
