// The tree as an outline that keys and screen readers use: the twin of the drawing, with the same selection and
// expansion. Only the rows in sight are in the page, and the row that has the focus.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useAppState, type App } from "../app";
import { smoothingDecides } from "../model/predict";
import type { Tree } from "../model/tree";
import { classColour, coloursOf } from "../view/colours";
import { useDark } from "../view/dark";
import { BranchCondition } from "../view/ConditionText";
import { CONTRARY, predictionText } from "../view/scene";
import { expansionAfter, type Visible } from "../view/visible";
import { count, plural } from "../view/words";

const ROW = 30;
const SPARE = 8; // rows above and below those in sight

function wayText(app: App, node: number): string {
  return node === 0 ? "All rows" : (app.payload.words.edge[node] ?? `branch ${node}`);
}

/** What a screen reader adds at the end of a row. */
function spoken(tree: Tree, visible: Visible, node: number): string {
  const rows = tree.rows[node] === 1 ? " row" : " rows";
  if (visible.cut[node]) return `${rows}, leaf`;
  return visible.open[node] ? rows : `${rows}, ${plural(visible.leaves[node], "leaf", "leaves")} collapsed`;
}

function keyed(app: App, visible: Visible, node: number, key: string): boolean {
  const { tree, store } = app;
  const { order } = visible;
  const at = order.indexOf(node);
  const go = (to: number | undefined) => to !== undefined && store.update({ node: to });
  const toggle = () => app.toggle(node);
  switch (key) {
    case "ArrowDown":
      go(order[at + 1]);
      return true;
    case "ArrowUp":
      go(order[at - 1]);
      return true;
    case "ArrowRight":
      if (!visible.cut[node]) visible.open[node] ? go(tree.firstChild[node]) : toggle();
      return true;
    case "ArrowLeft":
      visible.open[node] && !app.held(node) ? toggle() : node > 0 && go(tree.parent[node]);
      return true;
    case "Home":
      go(order[0]);
      return true;
    case "End":
      go(order[order.length - 1]);
      return true;
    case "PageDown":
      go(order[Math.min(order.length - 1, at + 10)]);
      return true;
    case "PageUp":
      go(order[Math.max(0, at - 10)]);
      return true;
    case "Enter":
    case " ":
      if (!visible.cut[node]) toggle();
      return true;
    case "*":
      expandSiblings(app, visible, node);
      return true;
    default:
      return false;
  }
}

function expandSiblings(app: App, visible: Visible, node: number): void {
  const siblings = node === 0 ? [0] : app.tree.children(app.tree.parent[node]);
  const collapsed = siblings.filter((each) => !visible.cut[each] && !visible.open[each]);
  app.store.update(expansionAfter(app.store.state, collapsed, true));
}

/** The next row whose words begin with what was typed. */
function typed(app: App, visible: Visible, node: number, start: string): number | undefined {
  const { order } = visible;
  const at = order.indexOf(node);
  const skip = start.length > 1 ? 0 : 1;
  for (let k = skip; k < order.length + skip; k++) {
    const each = order[(at + k) % order.length];
    if (wayText(app, each).toLowerCase().startsWith(start)) return each;
  }
  return undefined;
}

export function Outline() {
  const [app, state] = useAppState();
  const { tree } = app;
  const visible = app.visible(state);
  const active = app.nearestShown(state.node);
  const dark = useDark();
  const colours = coloursOf(tree, dark);
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(400);
  const start = useRef({ text: "", time: 0 });
  const at = Math.max(0, visible.order.indexOf(active));

  useLayoutEffect(() => {
    const watch = new ResizeObserver(() => setHeight(box.current?.clientHeight ?? 400));
    watch.observe(box.current!);
    return () => watch.disconnect();
  }, []);
  useLayoutEffect(() => {
    const list = box.current!;
    if (at * ROW < list.scrollTop) list.scrollTop = at * ROW;
    else if ((at + 1) * ROW > list.scrollTop + list.clientHeight) list.scrollTop = (at + 1) * ROW - list.clientHeight;
    const item = list.querySelector<HTMLElement>(`[data-node="${active}"]`);
    if (list.contains(document.activeElement) && document.activeElement !== item) item?.focus({ preventScroll: true });
  }, [active, at]);

  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const now = event.timeStamp;
    const typing = now - start.current.time < 600 && start.current.text !== "";
    if (!(typing && event.key === " ") && keyed(app, visible, active, event.key)) return event.preventDefault();
    if (event.key.length !== 1) return;
    const text = (typing ? start.current.text : "") + event.key.toLowerCase();
    start.current = { text, time: now };
    const found = typed(app, visible, active, text);
    if (found !== undefined) app.store.update({ node: found });
    event.preventDefault();
  };

  const first = Math.max(0, Math.floor(top / ROW) - SPARE);
  const last = Math.min(visible.order.length, Math.ceil((top + height) / ROW) + SPARE);
  const places = Array.from({ length: Math.max(0, last - first) }, (_, k) => first + k);
  if (at < first) places.unshift(at);
  else if (at >= last) places.push(at);
  const highlighted = new Set(state.tab === "case" ? app.case(state).outcome.passed : []);

  return (
    <div class="outline" ref={box} onScroll={(event) => setTop(event.currentTarget.scrollTop)}>
      <div role="tree" aria-label="Outline of the tree" class="rows" style={{ height: `${visible.order.length * ROW}px` }} onKeyDown={press}>
        {places.map((place) => {
          const node = visible.order[place];
          const siblings = node === 0 ? [0] : tree.children(tree.parent[node]);
          const leaf = visible.cut[node] === 1;
          return (
            <div
              key={node}
              role="treeitem"
              data-node={node}
              class={`row${highlighted.has(node) ? " highlighted" : ""}`}
              aria-level={tree.depth[node] + 1}
              aria-setsize={siblings.length}
              aria-posinset={siblings.indexOf(node) + 1}
              aria-expanded={leaf ? undefined : visible.open[node] === 1}
              aria-selected={node === active}
              tabIndex={node === active ? 0 : -1}
              style={{ top: `${place * ROW}px`, paddingInlineStart: `${8 + Math.min(tree.depth[node], 12) * 8}px` }}
              onClick={() => app.store.update({ node })}
            >
              <span
                class={`toggle ${leaf ? "leaf" : visible.open[node] ? "open" : "shut"}`}
                onClick={(event) => {
                  if (leaf) return;
                  event.stopPropagation();
                  app.toggle(node);
                }}
              />
              <span class="swatch" style={{ background: colours[node] }} />
              <BranchCondition payload={app.payload} node={node} />
              <span class="visually-hidden">, predicts </span>
              <bdi class={leaf ? (tree.classes ? "prediction" : "prediction fixed") : "visually-hidden"}>{predictionText(tree, node)}</bdi>
              <span class="visually-hidden">, </span>
              <span class="n">{count(tree.rows[node])}</span>
              <span class="visually-hidden">{spoken(tree, visible, node)}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

function MissingKey() {
  return <span class="missing-key"><span class="dots" /> missing-value path <span class="ring" /> prediction at this node</span>;
}

/** What the colours and lines mean. */
export function Legend() {
  const [app, state] = useAppState();
  const dark = useDark();
  const classes = app.tree.classes?.[0];
  const many = app.tree.nClasses.length > 1;
  if (!classes) {
    return (
      <p class="legend">
      {many && <span>Colours of <bdi>{app.outputName(0)}</bdi>:</span>}
        <span class="pair"><span class="swatch" style={{ background: classColour(0, dark) }} /> below the mean</span>
        <span class="pair"><span class="swatch" style={{ background: classColour(1, dark) }} /> above the mean</span>
        {state.missing && <MissingKey />}
      </p>
    );
  }
  const shown = classes.slice(0, 7);
  const { order, cut } = app.visible(state);
  const contrary = order.some((node) => cut[node] && smoothingDecides(app.tree, node));
  return (
    <p class="legend">
      {many && <span>Colours of <bdi>{app.outputName(0)}</bdi>:</span>}
      {shown.map((name, k) => (
        <span key={k} class="pair">
          <span class="swatch" style={{ background: classColour(k, dark) }} />
          <bdi title={name}>{name}</bdi>
        </span>
      ))}
      {classes.length > shown.length && <span>and {classes.length - shown.length} more</span>}
      {contrary && <span title={CONTRARY}>* most of its rows have another class</span>}
      {state.missing && <MissingKey />}
    </p>
  );
}
