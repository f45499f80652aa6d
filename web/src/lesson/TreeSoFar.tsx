// The tree after so many steps. The leaf that is split next is marked, and so are the leaves that the last step made.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useDark } from "../view/dark";
import { classColour } from "../view/colours";
import { plural } from "../view/words";
import { CARD, directionOf, fitted, LEAST, placed, type Direction, type Place } from "./layout";
import type { Lesson } from "./payload";

const PAD = 6;
const FRAME = 22; // its padding and border

interface Props {
  lesson: Lesson;
  done: number; // steps
}

export function TreeSoFar({ lesson, done }: Props) {
  const { nodes, steps } = lesson;
  const frame = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);
  const direction = directionOf(nodes, new Set(steps.map((step) => step.node)), room - FRAME - 2 * PAD);
  const split = new Set(steps.slice(0, done).map((step) => step.node));
  const drawn = placed(nodes, split, direction);
  const next = steps[done]?.node ?? -1;
  const made = new Set(done ? nodes[steps[done - 1].node].children : []);
  const [width, height] = [drawn.width + 2 * PAD, drawn.height + 2 * PAD];
  useLayoutEffect(() => {
    const watch = new ResizeObserver(() => setRoom(frame.current!.offsetWidth));
    watch.observe(frame.current!);
    return () => watch.disconnect();
  }, []);
  useLayoutEffect(() => {   // the leaf that is split next is in the middle, where the tree is larger than its frame
    const room = frame.current!.getBoundingClientRect();
    const card = (frame.current!.querySelector(".next") ?? frame.current!.querySelector(".tree-card"))!.getBoundingClientRect();
    frame.current!.scrollBy({ left: card.left + card.width / 2 - room.left - room.width / 2, top: card.top + card.height / 2 - room.top - room.height / 2 });
  }, [done, direction]);
  const edges = [...drawn.places.values()].flatMap((to) => {
    const from = drawn.places.get(nodes[to.node].parent);
    return from ? [{ node: to.node, ...edge(from, to, direction) }] : [];
  });
  return (
    <div class="so-far" ref={frame} tabIndex={0} role="region" aria-label="The tree so far, can be scrolled">
      <svg viewBox={`${-PAD} ${-PAD} ${width} ${height}`} style={{ width: `max(${Math.round(LEAST * width)}px, min(100%, ${Math.round(width)}px))` }} role="img" aria-label={inWords(lesson, split)}>
        {edges.map(({ node, path }) => <path key={`edge ${node}`} class="edge" d={path} />)}
        {edges.map(({ node, x, y, anchor, letters }) => (
          <text key={`label ${node}`} class="edge-label" x={x} y={y} text-anchor={anchor}>
            {fitted(nodes[node].edge, letters)}
            <title>{nodes[node].edge}</title>
          </text>
        ))}
        {[...drawn.places.values()].map(({ node, x, y, leaf }) => (
          <Card key={node} lesson={lesson} node={node} at={[x, y]} leaf={leaf} look={node === next ? "next" : made.has(node) ? "new" : ""} />
        ))}
      </svg>
    </div>
  );
}

/** The line to a child, and where its label stands: on the side from which the line does not come. */
function edge(from: Place, to: Place, direction: Direction) {
  const [middle, half] = [CARD.height / 2, CARD.width / 2];
  if (direction === "indented") {
    return { path: `M${from.x + 11},${from.y + CARD.height} V${to.y + middle} H${to.x}`, x: to.x + 2, y: to.y - 5, anchor: "start" as const, letters: 30 };
  }
  const down = direction === "down";
  const [fromX, fromY] = down ? [from.x + half, from.y + CARD.height] : [from.x + CARD.width, from.y + middle];
  const [toX, toY] = down ? [to.x + half, to.y] : [to.x, to.y + middle];
  const [midX, midY] = [(fromX + toX) / 2, (fromY + toY) / 2];
  const path = `M${fromX},${fromY} C${down ? `${fromX},${midY} ${toX},${midY}` : `${midX},${fromY} ${midX},${toY}`} ${toX},${toY}`;
  if (down) return { path, x: toX, y: toY - 5, anchor: "middle" as const, letters: 20 };
  return { path, x: toX - 4, y: toY > fromY ? toY + 13 : toY - 5, anchor: "end" as const, letters: 14 };
}

function Card({ lesson, node, at: [x, y], leaf, look }: { lesson: Lesson; node: number; at: [number, number]; leaf: boolean; look: string }) {
  const dark = useDark();
  const facts = lesson.nodes[node];
  const rows = facts.rows.toLocaleString("en");
  const room = CARD.width - 16;
  const bar = room - 6.6 * rows.length - 8;
  let start = x + 8;
  return (
    <g class={`tree-card ${leaf ? "is-leaf" : ""} ${look}`}>
      <rect x={x} y={y} width={CARD.width} height={CARD.height} rx={7} />
      <text x={x + 8} y={y + 17} class="name">{fitted(leaf ? facts.says : facts.column, Math.floor(room / 7.4))}</text>
      <text x={x + CARD.width - 8} y={y + 36} text-anchor="end" class="rows">{rows}</text>
      {facts.shares?.map((share, k) => {
        const width = bar * share;
        const part = <rect key={k} class="share" x={start} y={y + 28} width={width} height={7} style={{ fill: classColour(k, dark) }} />;
        start += width;
        return part;
      })}
      {!facts.shares && <text x={x + 8} y={y + 36} class="rows">{leaf ? "mean" : `mean ${facts.says}`}</text>}
      <title>{`node ${node}: ${leaf ? "predicts" : "tests"} ${leaf ? facts.says : facts.column}, ${plural(facts.rows, "row")}`}</title>
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
    return `${conditions.join(", ")}: ${nodes[node].says}, ${plural(nodes[node].rows, "row")}`;
  };
  return `${leaves.length} leaves. ${leaves.map(path).join("; ")}.`;
}
