// The state in the address, so that a view can be shared. What is as at the start is left out.
import type { Pruning, RocData } from "../payload";
import type { Tree } from "../model/tree";
import { START, type Aim, type RuleKey, type RuleView, type State, type Tab, type Orientation } from "./state";

const TABS: readonly string[] = ["node", "case", "prune", "decide", "residuals", "card"];
const RULE_KEYS: readonly string[] = ["text", "prediction", "support", "confidence", "lift"];
export const DEAREST = 1e9; // a cost; beyond it nothing but digits would change

export function written(state: State): string {
  const parts = new URLSearchParams();
  if (state.node) parts.set("node", String(state.node));
  if (state.step !== START.step) parts.set("prune", String(state.step));
  if (state.tab !== START.tab) parts.set("tab", state.tab);
  if (state.mode !== START.mode) parts.set("show", state.mode);
  if (state.expanded.size) parts.set("open", runs(state.expanded));
  if (state.collapsed.size) parts.set("shut", runs(state.collapsed));
  if (state.orientation) parts.set("layout", state.orientation);
  if (state.missing) parts.set("missing", "1");
  if (state.outline) parts.set("outline", "1");
  if (state.query) parts.set("find", state.query);
  if (Object.keys(state.cells).length) parts.set("case", JSON.stringify(state.cells));
  if (state.locked.size) parts.set("locked", runs(state.locked));
  if (state.aim.label !== null) parts.set("wanted", String(state.aim.label));
  if (state.aim.side) parts.set("side", state.aim.side);
  if (state.aim.level !== null) parts.set("level", String(state.aim.level));
  if (state.point !== null) parts.set("point", String(state.point));
  if (state.costs) parts.set("costs", state.costs.join("~"));
  if (state.prevalence !== null) parts.set("share", String(state.prevalence));
  const { key, down, query } = state.rules;
  if (key !== START.rules.key || down !== START.rules.down) parts.set("sort", `${key}~${down ? "down" : "up"}`);
  if (query) parts.set("rules", query);
  return parts.toString();
}

/** Numbers in order, neighbours as a run: 3.7-12.40. */
function runs(numbers: ReadonlySet<number>): string {
  const found: [number, number][] = [];
  for (const each of [...numbers].sort((a, b) => a - b)) {
    const last = found[found.length - 1];
    if (last && last[1] === each - 1) last[1] = each;
    else found.push([each, each]);
  }
  return found.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(".");
}

interface Bounds {
  tree: Tree;
  pruning: Pruning | null;
  roc: RocData | null;
}

function whole(text: string | null | undefined, most: number): number | null {
  if (text === null || text === undefined || !/^\d{1,9}$/.test(text)) return null;
  return Number(text) <= most ? Number(text) : null;
}

function list(text: string | null, most: number): Set<number> {
  const found = new Set<number>();
  for (const part of (text ?? "").split(".")) {
    const ends = part.split("-").map((end) => whole(end, most));
    const [from, to] = [ends[0], ends[ends.length - 1]];
    if (from !== null && to !== null && ends.length <= 2) for (let k = from; k <= to; k++) found.add(k);
  }
  return found;
}

function cells(text: string | null, columns: number): Record<number, string> {
  try {
    const given = JSON.parse(text ?? "{}") as Record<string, unknown>;
    const entries = Object.entries(given).filter(([key, value]) => whole(key, columns - 1) !== null && typeof value === "string");
    return Object.fromEntries(entries) as Record<number, string>;
  } catch {
    return {};
  }
}

function number(text: string | null | undefined): number {
  return text ? Number(text) : NaN;
}

function amounts(text: string | null): [number, number] | null {
  const found = (text ?? "").split("~").map(number);
  return found.length === 2 && found.every((x) => x >= 0 && x <= DEAREST) ? [found[0], found[1]] : null;
}

function aim(parts: URLSearchParams, tree: Tree): Aim {
  const side = parts.get("side");
  const level = number(parts.get("level"));
  return {
    label: tree.classes ? whole(parts.get("wanted"), tree.classes[0].length - 1) : null,
    side: side === "above" || side === "below" ? side : null,
    level: Number.isFinite(level) ? level : null,
  };
}

function ruleView(parts: URLSearchParams): RuleView {
  const [key, direction] = (parts.get("sort") ?? "").split("~");
  const query = parts.get("rules") ?? "";
  return RULE_KEYS.includes(key) ? { key: key as RuleKey, down: direction !== "up", query } : { ...START.rules, query };
}

/** The state that an address asks for; whatever makes no sense is as at the start. */
export function read(address: string, { tree, pruning, roc }: Bounds): State {
  const parts = new URLSearchParams(address.replace(/^#/, ""));
  const tab = parts.get("tab") ?? "";
  const orientation = parts.get("layout");
  const share = number(parts.get("share"));
  const point = parts.get("point");
  return {
    node: whole(parts.get("node"), tree.count - 1) ?? 0,
    step: pruning ? (whole(parts.get("prune"), pruning.steps.length - 1) ?? pruning.original) : 0,
    mode: parts.get("show") === "all" ? "all" : "auto",
    expanded: list(parts.get("open"), tree.count - 1),
    collapsed: list(parts.get("shut"), tree.count - 1),
    orientation: orientation === "vertical" || orientation === "horizontal" ? (orientation as Orientation) : null,
    tab: TABS.includes(tab) ? (tab as Tab) : "node",
    cells: cells(parts.get("case"), tree.columns.length),
    locked: list(parts.get("locked"), tree.columns.length - 1),
    aim: aim(parts, tree),
    point: !roc ? null : point === "model" ? "model" : whole(point, roc.segments.length),
    costs: roc ? amounts(parts.get("costs")) : null,
    prevalence: roc && share >= 0 && share <= 1 ? share : null,
    query: parts.get("find") ?? "",
    missing: parts.get("missing") === "1",
    outline: parts.get("outline") === "1",
    walk: null,
    playing: false,
    rules: ruleView(parts),
  };
}
