// The edges between nodes: as wide as the rows that take them, with their conditions, and where missing values go.
import { halfCard, hasLabels, hasTitles, spot, type Frame, type Spot } from "./frame";
import { paintLabels } from "./labels";
import { takesMissing } from "./scene";
import { rightEnd } from "./size";

function trace(context: CanvasRenderingContext2D, down: boolean, from: Spot, to: Spot, half: Spot, move = 0): void {
  if (down) {
    const [y0, y1] = [from.y + half.y, to.y - half.y];
    const bend = (y1 - y0) * 0.5;
    context.moveTo(from.x + move, y0);
    context.bezierCurveTo(from.x + move, y0 + bend, to.x + move, y1 - bend, to.x + move, y1);
  } else {
    const [x0, x1] = [from.x + half.x, to.x - half.x];
    const bend = Math.min((x1 - x0) * 0.4, 60);
    context.moveTo(x0, from.y + move);
    context.bezierCurveTo(x0 + bend, from.y + move, x0 + bend * 0.4, to.y + move, x0 + bend * 1.6, to.y + move);
    context.lineTo(x1, to.y + move);
  }
}

/** Where the edges to the children of a node begin, as the middle of a card of usual width. */
function beginning(frame: Frame, node: number, half: Spot): Spot {
  const at = spot(frame, node);
  if (frame.scene.layout.orientation === "vertical" || !hasTitles(frame.lens, frame.camera.k)) return at;
  return { x: rightEnd(frame, node, at.x) - half.x, y: at.y };
}

export function paintEdges(frame: Frame): void {
  const { context, scene, lens, camera, theme } = frame;
  const { tree, visible, layout } = scene;
  const half = halfCard(lens, camera.k);
  const down = layout.orientation === "vertical";
  const detailed = camera.k >= 0.16 || hasTitles(lens, camera.k);
  const total = Math.max(1, tree.rows[0]);
  const bright: number[] = [];
  context.lineCap = "round";
  context.strokeStyle = theme.line;
  context.lineWidth = 1;
  if (!detailed) context.beginPath();
  let last = NaN;
  for (const node of visible.order) {
    if (node === 0) continue;
    const from = spot(frame, tree.parent[node]);
    const to = spot(frame, node);
    if (Math.max(from.x, to.x) < -half.x || Math.min(from.x, to.x) > lens.width + half.x) continue;
    if (Math.max(from.y, to.y) < -half.y || Math.min(from.y, to.y) > lens.height + half.y) continue;
    if (scene.path.has(node) || scene.highlighted.has(node)) bright.push(node);
    if (!detailed) {
      const place = Math.round((down ? to.x : to.y) * 2) + 1e6 * tree.depth[node];
      if (place === last) continue; // too close to the last one to be seen
      last = place;
      context.moveTo(from.x, from.y);
      context.lineTo(to.x, to.y);
      continue;
    }
    context.beginPath();
    context.lineWidth = 1 + 7 * (tree.rows[node] / total) * Math.min(1, camera.k);
    trace(context, down, beginning(frame, tree.parent[node], half), to, half);
    context.stroke();
  }
  if (!detailed) context.stroke();
  for (const node of bright) paintBright(frame, node, half, down);
  if (scene.missing && detailed) paintMissing(frame, half, down);
  if (hasLabels(frame)) paintLabels(frame, half, down);
}

function paintBright(frame: Frame, node: number, half: Spot, down: boolean): void {
  const { context, scene, theme } = frame;
  context.beginPath();
  context.strokeStyle = theme.accent;
  context.lineWidth = scene.highlighted.has(node) ? 3 : 2;
  trace(context, down, beginning(frame, scene.tree.parent[node], half), spot(frame, node), half);
  context.stroke();
}

function paintMissing(frame: Frame, half: Spot, down: boolean): void {
  const { context, scene, theme } = frame;
  context.save();
  context.setLineDash([2, 4]);
  context.strokeStyle = theme.ink;
  context.lineWidth = 1.4;
  context.beginPath();
  for (const node of scene.visible.order) {
    if (node === 0 || !takesMissing(scene.tree, node)) continue;
    trace(context, down, beginning(frame, scene.tree.parent[node], half), spot(frame, node), half, 5);
  }
  context.stroke();
  context.setLineDash([]);
  for (const node of scene.visible.order) {
    if (scene.visible.cut[node] || scene.tree.missingChild[node] !== -1) continue;
    const { x, y } = spot(frame, node); // rows without the value end here
    context.beginPath();
    context.arc(down ? x + 8 : x + half.x + 8, down ? y + half.y + 7 : y + 8, 3, 0, 7);
    context.stroke();
  }
  context.restore();
}
