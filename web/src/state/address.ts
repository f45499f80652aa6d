// The state in the address, so that a view can be shared. What is as at the start is left out.
import type { Pruning, Ranking } from "../payload";
import type { Tree } from "../model/tree";
import { START, type State, type Tab, type Turn } from "./state";

const TABS: readonly string[] = ["node", "case", "prune", "decide", "residuals"];

export function written(state: State): string {
  const parts = new URLSearchParams();
  if (state.node) parts.set("node", String(state.node));
  if (state.step !== START.step) parts.set("prune", String(state.step));
  if (state.tab !== START.tab) parts.set("tab", state.tab);
  if (state.mode !== START.mode) parts.set("show", state.mode);
  if (state.flips.size && state.flips.size <= 400) parts.set("flip", [...state.flips].sort((a, b) => a - b).join("."));
  if (state.turn) parts.set("turn", state.turn);
  if (state.missing) parts.set("missing", "1");
  if (state.query) parts.set("find", state.query);
  if (Object.keys(state.cells).length) parts.set("case", JSON.stringify(state.cells));
  if (state.locked.size) parts.set("keep", [...state.locked].join("."));
  if (state.point !== null) parts.set("point", String(state.point));
  if (state.costs) parts.set("costs", state.costs.join("~"));
  if (state.prevalence !== null) parts.set("share", String(state.prevalence));
  return parts.toString();
}

interface Bounds {
  tree: Tree;
  pruning: Pruning | null;
  ranking: Ranking | null;
}

function whole(text: string | null, most: number): number | null {
  if (text === null || !/^\d{1,9}$/.test(text)) return null;
  return Number(text) <= most ? Number(text) : null;
}

function list(text: string | null, most: number): Set<number> {
  const found = (text ?? "").split(".").map((part) => whole(part, most));
  return new Set(found.filter((each) => each !== null));
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

function amounts(text: string | null): [number, number] | null {
  const found = (text ?? "").split("~").map(Number);
  return found.length === 2 && found.every((x) => Number.isFinite(x) && x >= 0) ? [found[0], found[1]] : null;
}

/** The state that an address asks for; whatever makes no sense is as at the start. */
export function read(address: string, { tree, pruning, ranking }: Bounds): State {
  const parts = new URLSearchParams(address.replace(/^#/, ""));
  const tab = parts.get("tab") ?? "";
  const turn = parts.get("turn");
  const share = Number(parts.get("share") ?? NaN);
  return {
    node: whole(parts.get("node"), tree.count - 1) ?? 0,
    step: pruning ? (whole(parts.get("prune"), pruning.steps.length - 1) ?? pruning.now) : 0,
    mode: parts.get("show") === "all" ? "all" : "auto",
    flips: list(parts.get("flip"), tree.count - 1),
    turn: turn === "down" || turn === "across" ? (turn as Turn) : null,
    tab: TABS.includes(tab) ? (tab as Tab) : "node",
    cells: cells(parts.get("case"), tree.columns.length),
    locked: list(parts.get("keep"), tree.columns.length - 1),
    point: ranking ? whole(parts.get("point"), ranking.segments.length) : null,
    costs: ranking ? amounts(parts.get("costs")) : null,
    prevalence: ranking && share > 0 && share < 1 ? share : null,
    query: parts.get("find") ?? "",
    missing: parts.get("missing") === "1",
  };
}
