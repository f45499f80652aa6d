// On paper the canvas gives way to an SVG of the same tree; where its letters would be too small, to an outline.
import { useLayoutEffect, useRef } from "preact/hooks";
import { useAppState } from "../app";
import { breadths, layoutOf } from "../view/layout";
import { usePaper } from "../view/paper";
import { drawingOf } from "../view/print";
import { Said } from "../view/Said";
import { answerText } from "../view/scene";
import { count, plural } from "../view/words";
import { sceneOf, type SceneParts } from "./sceneOf";

const SHEET = { width: 680, height: 880 }; // pixels of a page inside its margins
const SMALLEST = 0.5; // the least zoom at which the words of a card can be read
const MOST = 400; // rows of an outline

function layoutFor(parts: SceneParts, turn: "down" | "across") {
  const layout = layoutOf(parts.tree, parts.visible, breadths(parts.tree, parts.visible), turn);
  return { layout, zoom: Math.min(1, SHEET.width / layout.width, SHEET.height / layout.height) };
}

export function PrintTree() {
  const [app, state] = useAppState();
  const place = useRef<HTMLDivElement>(null);
  const paper = usePaper();
  const parts = paper ? sceneOf(app, state, false) : null;
  const laid = parts && (["down", "across"] as const).map((turn) => layoutFor(parts, turn));
  const best = laid && (state.turn ? laid[state.turn === "down" ? 0 : 1] : laid[laid[0].zoom >= laid[1].zoom ? 0 : 1]);
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
            {node === 0 ? "All rows" : <Said text={payload.words.edge[node]} />}
            {": "}
            <bdi class={visible.cut[node] ? "answer" : ""}>{answerText(tree, node)}</bdi>, {count(tree.rows[node])}
            {!visible.cut[node] && !visible.open[node] && `, ${plural(visible.leaves[node], "leaf", "leaves")} folded`}
          </li>
        ))}
      </ul>
      {left > 0 && <p>{plural(left, "more node")} of the tree that was shown. Fold it and print again for a whole one.</p>}
    </>
  );
}
