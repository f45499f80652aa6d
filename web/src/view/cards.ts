// The nodes: cards with words, bars and marks, or from afar patches of colour.
import { classColour } from "./colours";
import { halfCard, spot, TITLES, WORDS, type Frame, type Spot } from "./frame";
import { CARD } from "./layout";
import { cardTitle, predictionText, probabilityText, type Scene } from "./scene";
import { count } from "./words";

export function paintNodes(frame: Frame): void {
  const { context, scene, lens, camera } = frame;
  const half = halfCard(lens, camera.k);
  const flat = camera.k < TITLES;
  let last = NaN;
  for (const node of scene.visible.order) {
    const { x, y } = spot(frame, node);
    if (x < -half.x - 8 || x > lens.width + half.x + 8 || y < -half.y - 8 || y > lens.height + half.y + 8) continue;
    if (!flat) {
      paintCard(frame, node, x, y);
      continue;
    }
    const place = Math.round(scene.layout.orientation === "vertical" ? x : y) + 1e6 * scene.tree.depth[node];
    if (place === last && node !== scene.selected) continue;
    last = place;
    context.fillStyle = scene.colours[node];
    context.fillRect(x - half.x, y - half.y, half.x * 2, half.y * 2);
    paintRing(frame, node, x, y, half);
  }
}

function paintRing(frame: Frame, node: number, x: number, y: number, half: Spot): void {
  const { context, scene, theme } = frame;
  const chosen = node === scene.selected;
  if (!chosen && !scene.marked.has(node) && !scene.highlighted.has(node)) return;
  context.beginPath();
  context.roundRect(x - half.x - 2, y - half.y - 2, half.x * 2 + 4, half.y * 2 + 4, 6);
  context.strokeStyle = chosen || scene.highlighted.has(node) ? theme.accent : theme.ink;
  context.lineWidth = chosen ? 2.5 : 1.6;
  context.stroke();
}

/** Half the size of a card: as wide as its title needs, where its neighbours leave the room. */
function sizeOf(frame: Frame, node: number, title: string, more: number): Spot {
  const { context, scene, camera, lens } = frame;
  const needed = context.measureText(title).width + more + 26 * camera.k;
  const room = scene.layout.free[node] * lens.kx(camera.k);
  return { x: Math.max(CARD.width * camera.k, Math.min(needed, room)) / 2, y: (CARD.height * camera.k) / 2 };
}

function paintCard(frame: Frame, node: number, x: number, y: number): void {
  const { context, scene, camera, theme, ink } = frame;
  const { tree, visible } = scene;
  const k = camera.k;
  const leaf = visible.cut[node] === 1;
  const words = k >= WORDS;
  const collapsed = !leaf && !visible.open[node];
  const tag = leaf && scene.positive?.[node] === 1;
  const share = leaf && !words ? probabilityText(tree, node, scene.output) : "";
  context.font = `${leaf ? 600 : 500} ${words ? Math.max(10.5, 13 * k) : Math.max(9.5, 15 * k)}px ${theme.font}`;
  const taken = (tag || collapsed ? 20 * k : 0) + (share ? context.measureText(share).width + 6 : 0);
  const half = sizeOf(frame, node, cardTitle(scene, node), taken);
  paintBox(frame, node, x, y, half);
  const left = x - half.x + 15 * k;
  const room = half.x * 2 - 24 * k;
  const line = y - half.y + (words ? 14 : 19) * k;
  context.textBaseline = "middle";
  context.textAlign = "left";
  context.fillStyle = theme.ink;
  context.fillText(ink.named(cardTitle(scene, node), room - taken), left, line);
  if (share) {
    context.textAlign = "right";
    context.fillText(share, x + half.x - 6 * k - (tag ? 20 * k : 0), line);
    context.textAlign = "left";
  }
  if (tag) paintTag(frame, x + half.x - 13 * k, y - half.y + 14 * k);
  if (words) paintSecondLine(frame, node, { x: left, y: y - half.y + 31.5 * k }, room);
  paintBar(frame, node, left, y + half.y - 10 * k, room);
  if (collapsed) paintCollapsed(frame, node, x, y, half);
  paintRing(frame, node, x, y, half);
  if (node === scene.token) paintToken(frame, x - half.x, y - half.y);
}

function paintBox({ context, scene, camera: { k }, theme }: Frame, node: number, x: number, y: number, half: Spot): void {
  context.fillStyle = theme.page;
  context.strokeStyle = theme.line;
  context.lineWidth = 1;
  context.beginPath();
  context.roundRect(x - half.x, y - half.y, half.x * 2, half.y * 2, 6 * k);
  context.fill();
  context.stroke();
  context.fillStyle = scene.colours[node];
  context.beginPath();
  context.roundRect(x - half.x, y - half.y, 7 * k, half.y * 2, [6 * k, 0, 0, 6 * k]);
  context.fill();
}

function paintSecondLine(frame: Frame, node: number, at: Spot, room: number): void {
  const { context, scene, camera, theme, ink } = frame;
  context.font = `${Math.max(9.5, 11 * camera.k)}px ${theme.font}`;
  context.fillStyle = theme.muted;
  const rows = count(scene.tree.rows[node]);
  const width = context.measureText(rows).width;
  context.textAlign = "right";
  context.fillText(rows, at.x + room, at.y);
  context.textAlign = "left";
  context.fillText(ink.fitted(secondLine(scene, node, scene.visible.cut[node] === 1), room - width - 8 * camera.k), at.x, at.y);
}

/** The row of What if, at the node that it has reached. */
function paintToken(frame: Frame, x: number, y: number): void {
  const { context, theme } = frame;
  context.beginPath();
  context.arc(x, y, 8, 0, 7);
  context.fillStyle = theme.accent;
  context.fill();
  context.strokeStyle = theme.paper;
  context.lineWidth = 2.5;
  context.stroke();
}

function secondLine(scene: Scene, node: number, leaf: boolean): string {
  if (!leaf) return predictionText(scene.tree, node);
  return probabilityText(scene.tree, node, scene.output) || "rows";
}

// How many rows, as the length; which classes, as the parts.
function paintBar(frame: Frame, node: number, left: number, top: number, room: number): void {
  const { context, scene, camera, theme } = frame;
  const { tree } = scene;
  const height = 4 * camera.k;
  context.fillStyle = theme.faint;
  context.fillRect(left, top, room, height);
  const width = Math.max(1.5, (room * tree.rows[node]) / Math.max(1, tree.rows[0]));
  if (!tree.classes) {
    context.fillStyle = theme.muted;
    context.fillRect(left, top, width, height);
    return;
  }
  let at = left;
  tree.of(tree.value, node, scene.output).forEach((share, k) => {
    context.fillStyle = classColour(k, theme.dark);
    context.fillRect(at, top, width * share, height);
    at += width * share;
  });
}

function paintTag(frame: Frame, x: number, y: number): void {
  const { context, camera, theme } = frame;
  context.fillStyle = theme.accent;
  context.beginPath();
  context.arc(x, y, 7 * camera.k, 0, 7);
  context.fill();
  context.fillStyle = theme.paper;
  context.fillRect(x - 4 * camera.k, y - camera.k, 8 * camera.k, 2 * camera.k);
  context.fillRect(x - camera.k, y - 4 * camera.k, 2 * camera.k, 8 * camera.k);
}

function paintCollapsed(frame: Frame, node: number, x: number, y: number, half: Spot): void {
  const { context, scene, camera, theme } = frame;
  const down = scene.layout.orientation === "vertical";
  const leaves = scene.visible.leaves[node];
  const positives = scene.positive?.[node] ?? 0;
  const text = scene.positive ? `${count(positives)} of ${count(leaves)}` : `+${count(leaves)}`;
  context.font = `600 ${Math.max(9, 10.5 * camera.k)}px ${theme.font}`;
  const width = context.measureText(text).width + 10;
  const [left, top] = down ? [x - width / 2, y + half.y + (camera.k < WORDS ? -6 : 3)] : [x + half.x + 5, y - 8];
  context.fillStyle = positives ? theme.accent : theme.faint;
  context.beginPath();
  context.roundRect(left, top, width, 16, 8);
  context.fill();
  context.fillStyle = positives ? theme.paper : theme.muted;
  context.textAlign = "left";
  context.fillText(text, left + 5, top + 8.5);
}
