// On paper an SVG replaces the canvas of the tree; where its letters would be too small, an outline does.
import { useLayoutEffect, useRef } from "preact/hooks";
import { useAppState } from "../app";
import { breadths, layoutOf } from "../view/layout";
import { usePaper } from "../view/paper";
import { drawingOf } from "../view/print";
import { ConditionText } from "../view/ConditionText";
import type { Orientation } from "../state/state";
import { predictionText, probabilityText } from "../view/scene";
import { plural } from "../view/words";
import { sceneOf, type SceneParts } from "./sceneOf";

const SHEET = { width: 680, height: 880 }; // pixels of a page inside its margins
const SMALLEST = 0.45; // the least zoom at which the words of a card can be read
const MOST = 400; // rows of an outline

function layoutFor(parts: SceneParts, orientation: Orientation) {
  const levels = Array.from({ length: parts.visible.maxDepth + 1 }, () => ({ letters: 0, card: 0, least: 0, label: 0 }));
  const layout = layoutOf(parts.tree, parts.visible, breadths(parts.tree, parts.visible, orientation), orientation, levels);
  return { layout, zoom: Math.min(1, SHEET.width / layout.width, SHEET.height / layout.height) };
}

export function PrintTree() {
  const [app, state] = useAppState();
  const place = useRef<HTMLDivElement>(null);
  const paper = usePaper();
  const parts = paper ? sceneOf(app, state, false) : null;
  const laid = parts && (["vertical", "horizontal"] as const).map((orientation) => layoutFor(parts, orientation));
  const best = laid && (state.orientation ? laid[state.orientation === "vertical" ? 0 : 1] : laid[laid[0].zoom >= laid[1].zoom ? 0 : 1]);
  const drawn = parts && best && best.zoom >= SMALLEST ? drawingOf({ ...parts, layout: best.layout }) : null;
  useLayoutEffect(() => place.current?.replaceChildren(...(drawn ? [drawn] : [])));
  if (!parts) return null;
  return (
    <div class="paper-tree">
      <div ref={place} />
      {!drawn && <PaperOutline parts={parts} />}
    </div>
  );
}

function PaperOutline({ parts }: { parts: SceneParts }) {
  const { tree, visible, payload } = parts;
  const shown = [...visible.order.slice(0, MOST)];
  const left = visible.order.length - shown.length;
  return (
    <>
      <ul class="paper-outline">
        {shown.map((node) => (
          <li key={node} style={{ paddingInlineStart: `${Math.min(tree.depth[node], 20) * 10}pt` }}>
            {node === 0 ? "All rows" : <ConditionText text={payload.words.edge[node]} />}
            {": "}
            <bdi class={visible.cut[node] ? "prediction" : ""}>{predictionText(tree, node)}</bdi>{visible.cut[node] ? ` ${probabilityText(tree, node)}` : ""}, {plural(tree.rows[node], "row")}
            {!visible.cut[node] && !visible.open[node] && `, ${plural(visible.leaves[node], "leaf", "leaves")} collapsed`}
          </li>
        ))}
      </ul>
      {left > 0 && <p>{plural(left, "more node")} of the tree. Collapse some of it and print again to see it whole.</p>}
    </>
  );
}
