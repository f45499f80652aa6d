// What every view shares: the payload, the tree, the state, and what follows from these, computed once.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { readCell, type Cell } from "./model/row";
import { outcomeOf, type Outcome } from "./model/predict";
import { plain } from "./model/parse";
import { timeText } from "./model/times";
import type { Cut, Tree } from "./model/tree";
import type { Payload } from "./payload";
import { Store, useStore, type State, type Tab } from "./state/state";
import { cutAt, revealing, visibleOf, type Visible } from "./view/visible";

/** What the form writes for the level that is an empty text; an empty field is a missing value. */
export const EMPTY_LEVEL = "\u2400";

export interface Case {
  cells: Cell[];
  errors: Map<number, string>;
  outcome: Outcome;
}

export class App {
  private known: { key: string; flips: unknown; visible: Visible } | null = null;
  private asked: { typed: unknown; step: number; found: Case } | null = null;
  private cuts: { step: number; cut: Uint8Array } | null = null;

  constructor(
    readonly payload: Payload,
    readonly tree: Tree,
    readonly store: Store,
  ) {}

  /** The nodes that are leaves at the state's step of pruning. */
  cut({ step }: State): Uint8Array {
    if (this.cuts?.step !== step) this.cuts = { step, cut: cutAt(this.tree, this.payload.pruning, step) };
    return this.cuts.cut;
  }

  /** What is to be seen in a state; the same object as long as nothing of it changes. */
  visible(state: State = this.store.state): Visible {
    const lit = state.tab === "case" ? this.case(state).outcome.passed : [];
    const key = `${state.step} ${state.mode} ${lit.join()}`;
    if (this.known && this.known.key === key && this.known.flips === state.flips) return this.known.visible;
    const visible = visibleOf(this.tree, this.cut(state), state, lit);
    this.known = { key, flips: state.flips, visible };
    return visible;
  }

  /** Select a node and unfold what hides it. */
  select(node: number, tab?: Tab): void {
    const { flips } = this.store.state;
    const shown = this.nearestShown(node);
    this.store.update({ node: shown, flips: revealing(this.tree, this.visible(), flips, shown), ...(tab && { tab }) });
  }

  /** The node, or where it is pruned away the leaf that stands for it. */
  nearestShown(node: number): number {
    const cut = this.cut(this.store.state);
    return this.tree.path(node).find((each) => cut[each]) ?? node;
  }

  /** The text in a field of the form: as typed, or the usual value. */
  fieldText(column: number, state: State): string {
    return state.cells[column] ?? this.typicalText(column);
  }

  typicalText(column: number): string {
    const facts = this.payload.columns[column];
    if (!facts || facts.typical === null || facts.typical === undefined) return "";
    if (facts.typical === "") return EMPTY_LEVEL;
    const { kind } = this.tree.columns[column];
    const typical = plain(facts.typical);
    return kind === "datetime" || kind === "duration" ? timeText(kind, typical as Cut) : String(typical);
  }

  /** The cell of a column, or the sentence that says what is wrong with it. */
  cell(column: number, state: State): Cell | Error {
    const text = this.fieldText(column, state);
    const { columns, levels, names } = this.tree;
    if (text === "") return null;
    const kind = columns[column].kind;
    const known = levels[column].find((level) => String(level) === (text === EMPTY_LEVEL ? "" : text));
    try {
      const given = kind === "nominal" || kind === "ordered" ? (known ?? text) : text;
      return readCell(columns[column], levels[column], names[column], given);
    } catch (error) {
      return error as Error;
    }
  }

  /** The case in the form, with errors as missing values, and where it goes. */
  case(state: State): Case {
    const known = this.asked;
    if (known && known.typed === state.cells && known.step === state.step) return known.found;
    const found = this.read(state);
    this.asked = { typed: state.cells, step: state.step, found };
    return found;
  }

  private read(state: State): Case {
    const errors = new Map<number, string>();
    const cells = this.tree.columns.map((_, column) => {
      const cell = this.cell(column, state);
      if (!(cell instanceof Error)) return cell;
      errors.set(column, cell.message);
      return null;
    });
    return { cells, errors, outcome: outcomeOf(this.tree, cells, this.cut(state)) };
  }
}

export const AppContext = createContext<App>(null as unknown as App);

export function useApp(): App {
  return useContext(AppContext);
}

/** The state of the page; the component is drawn anew when it changes. */
export function useAppState(): [App, State] {
  const app = useApp();
  return [app, useStore(app.store)];
}
