// One state for the whole page. Views read it; whatever changes it calls `update`.
import { useLayoutEffect, useState } from "preact/hooks";

export type Tab = "node" | "case" | "prune" | "decide" | "residuals";
export type FoldMode = "auto" | "all";
export type Turn = "down" | "across";

export interface State {
  node: number; // selected
  step: number; // of pruning
  mode: FoldMode;
  flips: ReadonlySet<number>; // nodes that are folded or unfolded against the mode
  turn: Turn | null; // null: whichever fits better
  tab: Tab;
  cells: Readonly<Record<number, string>>; // the case, by column, as typed; "" is missing
  locked: ReadonlySet<number>; // columns that a counterfactual must not change
  point: number | null; // operating point: how many segments are called positive; null: the cheapest
  costs: readonly [number, number] | null; // of a false positive and a false negative
  prevalence: number | null;
  query: string;
  missing: boolean; // whether ways of missing values are drawn
}

export const START: State = {
  node: 0,
  step: 0,
  mode: "auto",
  flips: new Set(),
  turn: null,
  tab: "node",
  cells: {},
  locked: new Set(),
  point: null,
  costs: null,
  prevalence: null,
  query: "",
  missing: false,
};

type Listener = (state: State) => void;

export class Store {
  private listeners = new Set<Listener>();

  constructor(private current: State) {}

  get state(): State {
    return this.current;
  }

  update(patch: Partial<State>): void {
    this.current = { ...this.current, ...patch };
    for (const listener of [...this.listeners]) listener(this.current);
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
