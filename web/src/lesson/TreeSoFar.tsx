// The tree after so many steps. The leaf that is split next is marked, and so are the leaves that the last step made.
import { useLayoutEffect, useRef } from "preact/hooks";
import { useDark } from "../view/dark";
import { classColour } from "../view/colours";
import { CARD, placed } from "./layout";
import type { Lesson } from "./payload";

const PAD = 6;
const MOST_DOWN = 5; // leaves: a tree of more is drawn to the right
const fitted = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

interface Props {
  lesson: Lesson;
  done: number; // steps
}

export function TreeSoFar({ lesson, done }: Props) {
  const { nodes, steps } = lesson;
  const split = new Set(steps.slice(0, done).map((step) => step.node));
  const right = nodes.filter((node) => !node.children.length).length > MOST_DOWN;
  const drawn = placed(nodes, split, right);
  const next = steps[done]?.node ?? -1;
  const made = new Set(done ? nodes[steps[done - 1].node].children : []);
  const [width, height] = [drawn.width + 2 * PAD, drawn.height + 2 * PAD];
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {   // the leaf that is split next is in the middle, where the tree is larger than its frame
    const room = frame.current!.getBoundingClientRect();
    const card = (frame.current!.querySelector(".next") ?? frame.current!.querySelector(".tree-card"))!.getBoundingClientRect();
    frame.current!.scrollBy({ left: card.left + card.width / 2 - room.left - room.width / 2, top: card.top + card.height / 2 - room.top - room.height / 2 });
  }, [done]);
  return (
    <div class="so-far" ref={frame} tabIndex={0} role="region" aria-label="The tree so far, can be scrolled">
      <svg viewBox={`${-PAD} ${-PAD} ${width} ${height}`} style={{ width: `max(${Math.round(0.8 * width)}px, min(100%, ${Math.round(width)}px))` }} role="img" aria-label={inWords(lesson, split)}>
        {[...drawn.places.values()].map(({ node, x, y }) => {
          const parent = drawn.places.get(nodes[node].parent);
          if (!parent) return null;
          const [fromX, fromY] = right ? [parent.x + CARD.width, parent.y + CARD.height / 2] : [parent.x + CARD.width / 2, parent.y + CARD.height];
          const [toX, toY] = right ? [x, y + CARD.height / 2] : [x + CARD.width / 2, y];
          const [midX, midY] = [(fromX + toX) / 2, (fromY + toY) / 2];
          const bend = right ? `C${midX},${fromY} ${midX},${toY}` : `C${fromX},${midY} ${toX},${midY}`;
          const [labelX, labelY] = right ? [toX - 4, toY - 4] : [toX, toY - 5];
          return (
            <g key={`edge ${node}`}>
              <path class="edge" d={`M${fromX},${fromY} ${bend} ${toX},${toY}`} />
              <text class="edge-label" x={labelX} y={labelY} text-anchor={right ? "end" : "middle"}>
                {fitted(nodes[node].edge, right ? 14 : 20)}
                <title>{nodes[node].edge}</title>
              </text>
            </g>
          );
        })}
        {[...drawn.places.values()].map(({ node, x, y, leaf }) => (
          <Card key={node} lesson={lesson} node={node} at={[x, y]} leaf={leaf} look={node === next ? "next" : made.has(node) ? "new" : ""} />
        ))}
      </svg>
    </div>
  );
}

function Card({ lesson, node, at: [x, y], leaf, look }: { lesson: Lesson; node: number; at: [number, number]; leaf: boolean; look: string }) {
  const dark = useDark();
  const facts = lesson.nodes[node];
  const room = CARD.width - 16;
  const rows = facts.rows.toLocaleString("en");
  const letters = Math.floor((room - 6.8 * rows.length - 10) / 8);
  let start = x + 8;
  return (
    <g class={`tree-card ${leaf ? "is-leaf" : ""} ${look}`}>
      <rect x={x} y={y} width={CARD.width} height={CARD.height} rx={7} />
      <text x={x + 8} y={y + 16} class="name">{fitted(leaf ? facts.says : facts.column, letters)}</text>
      <text x={x + CARD.width - 8} y={y + 16} text-anchor="end" class="rows">{rows}</text>
      {facts.shares?.map((share, k) => {
        const width = room * share;
        const bar = <rect key={k} class="share" x={start} y={y + 26} width={width} height={7} style={{ fill: classColour(k, dark) }} />;
        start += width;
        return bar;
      })}
      {!facts.shares && <text x={x + 8} y={y + 34} class="rows">{leaf ? "mean" : `mean ${facts.says}`}</text>}
      <title>{`node ${node}: ${leaf ? "predicts" : "tests"} ${leaf ? facts.says : facts.column}, ${facts.rows} rows`}</title>
    </g>
  );
}

/** The tree as text, for those who cannot see it. */
function inWords({ nodes }: Lesson, split: ReadonlySet<number>): string {
  const leaves = nodes.flatMap((each, node) => (split.has(each.parent) && !split.has(node) ? [node] : []));
  if (!split.size) return "One leaf with all rows.";
  const path = (node: number): string => {
    const conditions = [];
    for (let at = node; at > 0; at = nodes[at].parent) conditions.unshift(`${nodes[nodes[at].parent].column} ${nodes[at].edge}`);
    return `${conditions.join(", ")}: ${nodes[node].says}, ${nodes[node].rows} rows`;
  };
  return `${leaves.length} leaves. ${leaves.map(path).join("; ")}.`;
}
