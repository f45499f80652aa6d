// What every view shares: the payload, the tree, the state, and what follows from these, computed once.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Cell } from "interpreter";
import { readCell } from "./model/row";
import { outcomeOf, type Outcome } from "./model/predict";
import { evaluationAt, rocAt } from "./model/evaluated";
import { plain } from "./model/parse";
import { timeText } from "./model/times";
import type { Cut, Tree } from "./model/tree";
import type { Evaluation, Payload, RocData } from "./payload";
import { Store, useStore, type ExpandMode, type State, type Tab } from "./state/state";
import { levelsAtFirst } from "./view/opening";
import { NARROW, WIDE, cutAt, expansionAfter, hiding, openAtFirst, visibleOf, type Visible } from "./view/visible";

const MARK = "\u2400"; // an empty field is a missing value, so a level that is an empty text is written as this

/** A level as the form writes it, and the level that the form means. */
export const levelText = (level: unknown) => (level === "" || String(level).startsWith(MARK) ? MARK : "") + String(level);
export const levelMeant = (text: string) => (text.startsWith(MARK) ? text.slice(1) : text);

// A number with as many digits as a person would type.
function digits(given: unknown): string {
  return typeof given === "number" && !Number.isInteger(given) ? String(Number(given.toPrecision(6))) : String(given);
}

export interface Case {
  cells: Cell[];
  errors: Map<number, string>;
  outcome: Outcome;
}

export class App {
  private known: { key: string; expansion: readonly unknown[]; visible: Visible } | null = null;
  private starts: { step: number; mode: ExpandMode; open: Uint8Array } | null = null;
  private cases: { typed: unknown; step: number; found: Case } | null = null;
  private readonly room = window.innerWidth > 760 ? WIDE : NARROW; // as wide as it was when the page was expanded
  private cuts: { step: number; cut: Uint8Array } | null = null;
  private rocs: { step: number; roc: RocData | null } | null = null;
  private evaluations: { step: number; evaluation: Evaluation | null } | null = null;

  constructor(
    readonly payload: Payload,
    readonly tree: Tree,
    readonly store: Store,
  ) {
    store.obey((state) => this.revealed(state));
  }

  /** The nodes that are leaves at the state's step of pruning. */
  cut({ step }: State): Uint8Array {
    if (this.cuts?.step !== step) this.cuts = { step, cut: cutAt(this.tree, this.payload.pruning, step) };
    return this.cuts.cut;
  }

  /** The ROC curve of the tree that a state shows; null where the page cannot tell it. */
  roc(state: State): RocData | null {
    const { step } = state;
    if (this.rocs?.step !== step) this.rocs = { step, roc: rocAt(this.payload, this.tree, this.cut(state), step) };
    return this.rocs.roc;
  }

  /** The evaluation of the tree that a state shows; null where the page cannot tell it. */
  evaluation({ step }: State): Evaluation | null {
    if (this.evaluations?.step !== step) this.evaluations = { step, evaluation: evaluationAt(this.payload, step) };
    return this.evaluations.evaluation;
  }

  /** What is to be seen in a state; the same object as long as nothing of it changes. */
  visible(state: State = this.store.state): Visible {
    const highlighted = state.tab === "case" ? this.case(state).outcome.passed : [];
    const key = `${state.step} ${state.mode} ${highlighted.join()}`;
    const expansion = [state.expanded, state.collapsed];
    const { known } = this;
    if (known && known.key === key && known.expansion.every((each, k) => each === expansion[k])) return known.visible;
    const visible = visibleOf(this.tree, this.cut(state), this.start(state), state, highlighted);
    this.known = { key, expansion, visible };
    return visible;
  }

  /** The nodes that are expanded before the reader does anything. */
  private start(state: State): Uint8Array {
    const { step, mode } = state;
    if (this.starts?.step !== step || this.starts.mode !== mode) {
      const cut = this.cut(state);
      this.starts = { step, mode, open: mode === "all" ? cut.map((leaf) => 1 - leaf) : openAtFirst(this.tree, cut, this.room, () => levelsAtFirst(this.payload, this.tree, cut)) };
    }
    return this.starts.open;
  }

  /** The state with nothing collapsed above the selected node: it is always to be seen. */
  private revealed(state: State): State {
    const node = this.nearestShown(state.node, state);
    const hidden = hiding(this.tree, this.cut(state), this.start(state), state, node);
    return hidden.length ? { ...state, ...expansionAfter(state, hidden, true) } : state;
  }

  /** Select a node; what hides it is expanded. */
  select(node: number, tab?: Tab): void {
    this.store.update({ node: this.nearestShown(node), ...(tab && { tab }) });
  }

  /** Whether a node stays expanded because the case goes through it. */
  held(node: number): boolean {
    const { state } = this.store;
    return state.tab === "case" && this.case(state).outcome.passed.includes(node);
  }

  /** Collapse a node that is expanded, or expand it, and select it. */
  toggle(node: number): void {
    const { state } = this.store;
    this.store.update(this.held(node) ? { node } : { node, ...expansionAfter(state, [node], !this.visible(state).open[node]) });
  }

  /** Collapse all that the reader expanded; the selection goes up to a node that is still seen. */
  resetView(): void {
    const state: State = { ...this.store.state, mode: "auto", expanded: new Set(), collapsed: new Set() };
    const shown = this.nearestShown(state.node, state);
    const [collapsed] = hiding(this.tree, this.cut(state), this.start(state), state, shown);
    this.store.update({ ...state, node: collapsed ?? shown });
  }

  /** What one of several outputs is called. */
  outputName(output: number): string {
    return this.payload.outputs?.[output] ?? `output ${output + 1}`;
  }

  /** The node, or where it is pruned away the leaf that stands for it. */
  nearestShown(node: number, state: State = this.store.state): number {
    const cut = this.cut(state);
    return this.tree.path(node).find((each) => cut[each]) ?? node;
  }

  /** Of a page that shows a pruned tree: the leaves of the model itself. Else null. */
  leavesUnpruned({ step }: State): number | null {
    const { pruning } = this.payload;
    return pruning && step !== pruning.original ? pruning.steps[pruning.original].leaves : null;
  }

  /** The text in a field of the form: as typed, or the usual value. */
  fieldText(column: number, state: State): string {
    return state.cells[column] ?? this.typicalText(column);
  }

  typicalText(column: number): string {
    const facts = this.payload.columns[column];
    if (!facts || facts.typical === null || facts.typical === undefined) return "";
    const { kind } = this.tree.columns[column];
    const typical = plain(facts.typical);
    if (kind === "nominal" || kind === "ordered") return levelText(typical);
    return kind === "datetime" || kind === "duration" ? timeText(kind, typical as Cut) : digits(typical);
  }

  /** The cell of a column, or the sentence that says what is wrong with it. */
  cell(column: number, state: State): Cell | Error {
    const text = this.fieldText(column, state);
    const { columns, levels } = this.tree;
    if (text === "") return null;
    const kind = columns[column].kind;
    const known = levels[column].find((level) => levelText(level) === text);
    try {
      const given = kind === "nominal" || kind === "ordered" ? (known ?? levelMeant(text)) : text;
      return readCell(this.tree, column, given);
    } catch (error) {
      return error as Error;
    }
  }

  /** The case in the form, with errors as missing values, and where it goes. */
  case(state: State): Case {
    const known = this.cases;
    if (known && known.typed === state.cells && known.step === state.step) return known.found;
    const found = this.read(state);
    this.cases = { typed: state.cells, step: state.step, found };
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
