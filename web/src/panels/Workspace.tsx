// The tree with its tools, and beside it the panels.
import { useCallback, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useAppState } from "../app";
import type { Orientation, Tab } from "../state/state";
import { usePaper } from "../view/paper";
import { saveDrawing } from "../view/print";
import type { View } from "../view/view";
import { WHOLE } from "../view/visible";
import { count, plural } from "../view/words";
import { CasePanel } from "./CasePanel";
import { DecidePanel } from "./DecidePanel";
import { ModelCard } from "./ModelCard";
import { NodePanel } from "./NodePanel";
import { Legend, Outline } from "./Outline";
import { PrunePanel } from "./PrunePanel";
import { ResidualsPanel } from "./ResidualsPanel";
import { Search } from "./Search";
import { TreeCanvas } from "./TreeCanvas";

const NAMES: Record<Tab, string> = {
  node: "Node",
  case: "What if",
  prune: "Prune",
  decide: "Decide",
  residuals: "Residuals",
  card: "Model card",
};

const DEEP = 3; // levels below the root that a window of middle width has room for beside the panels

export function Workspace() {
  const [app, state] = useAppState();
  const view = useRef<View | null>(null);
  const handle = useCallback((made: View | null) => {
    view.current = made;
    (window as unknown as { treewrightView: View | null }).treewrightView = made;
  }, []);
  const { outline } = state;
  const visible = app.visible(state);
  const { leaves, order } = visible;
  const [orientation, oriented] = useState<Orientation>("vertical");
  const board = useRef<HTMLDivElement>(null);
  const [deep] = useState(visible.maxDepth > DEEP);
  useLayoutEffect(() => {
    // so that the style can make the board end where the window ends
    const measure = () => board.current!.style.setProperty("--top", `${Math.round(board.current!.getBoundingClientRect().top + window.scrollY)}px`);
    measure();
    window.addEventListener("resize", measure);
    return () => window.removeEventListener("resize", measure);
  }, []);
  const ends = order.reduce((sum, node) => sum + (visible.open[node] ? 0 : 1), 0); // leaves and collapsed nodes
  const collapsed = order.reduce((sum, node) => sum + (visible.open[node] || visible.cut[node] ? 0 : leaves[node]), 0);
  return (
    <section class={`workspace${outline ? "" : " wide"}`} aria-labelledby="the-tree">
      <h2 id="the-tree" class="visually-hidden">The tree</h2>
      <div class="tools" role="group" aria-label="Tree tools">
        <Search />
        <span class="space" />
        <button type="button" disabled={collapsed === 0} onClick={() => app.store.update({ mode: "all", expanded: new Set(), collapsed: new Set() })}>Expand all</button>
        <button type="button" disabled={state.mode === "auto" && !state.expanded.size && !state.collapsed.size} onClick={() => app.resetView()}>Reset view</button>
        <button type="button" aria-pressed={state.missing} onClick={() => app.store.update({ missing: !state.missing })}>Show missing-value paths</button>
        <button type="button" aria-pressed={orientation === "horizontal"} onClick={() => app.store.update({ orientation: orientation === "vertical" ? "horizontal" : "vertical" })}>Horizontal layout</button>
        <button type="button" aria-pressed={outline} onClick={() => app.store.update({ outline: !outline })}>Outline</button>
        <span class="group">
          <button type="button" aria-label="Zoom out" onClick={() => view.current?.zoom(1 / 1.6)}>−</button>
          <button type="button" onClick={() => view.current?.fit()}>Fit</button>
          <button type="button" aria-label="Zoom in" onClick={() => view.current?.zoom(1.6)}>+</button>
        </span>
        <button type="button" onClick={() => view.current?.scene && saveDrawing(view.current.scene, app.payload.title)}>Save as SVG</button>
      </div>
      <div ref={board} class={`board${deep ? " deep" : ""}`} style={{ "--leaves": ends <= WHOLE ? ends : 0 }}>
        <Outline />
        <div class="stage">
          <TreeCanvas handle={handle} oriented={oriented} />
          <div class="below">
            <Legend />
            <p class="seen" role="status">
              {plural(leaves[0], "leaf", "leaves")}
              {collapsed > 0 && `, ${collapsed === leaves[0] ? "all" : count(collapsed)} of them collapsed`}
            </p>
          </div>
        </div>
        <Side />
      </div>
    </section>
  );
}

function Side() {
  const [app, state] = useAppState();
  const { payload } = app;
  const tabs: Tab[] = ["node", "case", "prune"];
  if (payload.roc || (payload.kind === "classification" && payload.roc_note)) tabs.push("decide");
  if (payload.residuals || (payload.kind === "regression" && payload.residuals_note)) tabs.push("residuals");
  tabs.push("card");
  const tab = tabs.includes(state.tab) ? state.tab : "node";
  const panel = useRef<HTMLDivElement>(null);
  const paper = usePaper();
  const subject = tab === "node" ? app.nearestShown(state.node) : 0;
  useLayoutEffect(() => {
    if (panel.current) panel.current.scrollTop = 0;
  }, [tab, subject]);
  const press = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const to = event.key === "Home" ? 0 : event.key === "End" ? tabs.length - 1 : tabs.indexOf(tab) + step;
    if (!step && event.key !== "Home" && event.key !== "End") return;
    event.preventDefault();
    const next = tabs[(to + tabs.length) % tabs.length];
    app.store.update({ tab: next });
    document.getElementById(`tab-${next}`)?.focus();
  };
  if (paper && tab === "card") return null; // a section of its own
  return (
    <div class="side">
      <div class="tabs" role="tablist" aria-label="Panels" onKeyDown={press}>
        {tabs.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            id={`tab-${each}`}
            aria-selected={each === tab}
            aria-controls="panel"
            tabIndex={each === tab ? 0 : -1}
            onClick={() => app.store.update({ tab: each })}
          >
            {NAMES[each]}
          </button>
        ))}
      </div>
      <div id="panel" ref={panel} class="panel" role="tabpanel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
        {tab === "node" && <NodePanel />}
        {tab === "case" && <CasePanel />}
        {tab === "prune" && <PrunePanel />}
        {tab === "decide" && <DecidePanel />}
        {tab === "residuals" && <ResidualsPanel />}
        {tab === "card" && <ModelCard />}
      </div>
    </div>
  );
}
