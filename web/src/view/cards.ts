// The nodes: cards with words, bars and marks, or from afar patches of colour.
import { classColour } from "./colours";
import { halfCard, hasTitles, LEAST_LETTERS, spot, WORDS, type Frame, type Spot } from "./frame";
import { predictionText, probabilityText, type Scene } from "./scene";
import { sizeOf } from "./size";
import { count } from "./words";

export function paintNodes(frame: Frame): void {
  const { context, scene, lens, camera } = frame;
  const half = halfCard(lens, camera.k);
  const flat = !hasTitles(lens, camera.k);
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

function paintCard(frame: Frame, node: number, middle: number, y: number): void {
  const { context, scene, camera, theme } = frame;
  const { visible } = scene;
  const k = camera.k;
  const leaf = visible.cut[node] === 1;
  const collapsed = !leaf && !visible.open[node];
  const tag = leaf && scene.positive?.[node] === 1;
  const words = k >= WORDS;
  const { title, share, beside, font, stacked, lines, half } = sizeOf(frame, node);
  context.font = font;
  // a card of a horizontal tree grows to the right: left of it is the label of its edge
  const x = scene.layout.orientation === "vertical" ? middle : middle + half.x - halfCard(frame.lens, k).x;
  paintBox(frame, node, x, y, half);
  const left = x - half.x + (words ? 15 : 13) * k;
  const room = half.x * 2 - (words ? 24 : 18) * k;
  context.textBaseline = "middle";
  context.textAlign = "left";
  context.fillStyle = theme.ink;
  if (lines) paintLines(frame, { x: left, y: leaf ? y + 2.5 : y }, half, lines);
  else if (stacked) paintStacked(frame, { x: left, y }, half, room - beside, leaf ? [title, share] : [title]);
  else paintTitle(frame, { x: left, y: words ? y - half.y + 14 * k : y - 1.5 }, room, beside, title, share, tag);
  if (tag) paintTag(frame, x + half.x - 13 * k, y - half.y + 14 * k);
  if (words) paintSecondLine(frame, node, { x: left, y: y - half.y + 31.5 * k }, room);
  if (!lines || !leaf) paintBar(frame, node, left, words ? y + half.y - 10 * k : y + half.y - 4, room);
  if (collapsed) paintCollapsed(frame, node, x, y, half);
  paintRing(frame, node, x, y, half);
  if (node === scene.token) paintToken(frame, x - half.x, y - half.y);
}

/** The title in a line, at a leaf with the probability at its end. */
function paintTitle(frame: Frame, at: Spot, room: number, beside: number, title: string, share: string, tag: boolean): void {
  const { context, ink, camera } = frame;
  context.fillText(ink.named(title, room - beside), at.x, at.y);
  if (!share) return;
  context.textAlign = "right";
  context.fillText(share, at.x + room - (tag ? 20 * camera.k : 0), at.y);
  context.textAlign = "left";
}

/** One or two lines in the middle of a card: a leaf's prediction and probability, or a name that may be broken. */
function paintStacked(frame: Frame, at: Spot, half: Spot, room: number, given: string[]): void {
  const texts = given.filter(Boolean);
  const { ink } = frame;
  const lines = texts.length > 1 || half.y < 13 ? texts.map((text) => ink.named(text, room)) : ink.broken(texts[0], room);
  paintLines(frame, at, half, lines);
}

function paintLines({ context }: Frame, at: Spot, half: Spot, lines: readonly string[]): void {
  const height = Math.min(13, (2 * half.y - 2) / lines.length);
  lines.forEach((text, k) => context.fillText(text, at.x, at.y - 1.5 + (k - (lines.length - 1) / 2) * height));
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
  context.font = `${Math.max(LEAST_LETTERS, 11 * camera.k)}px ${theme.font}`;
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
  const height = Math.max(2, 4 * camera.k);
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
  context.font = `600 ${Math.max(LEAST_LETTERS, 10.5 * camera.k)}px ${theme.font}`;
  const width = context.measureText(text).width + 10;
  const [left, top] = down ? [x - width / 2, y + half.y + (camera.k < WORDS ? 1 : 3)] : [x + half.x + 5, y - 8];
  context.fillStyle = positives ? theme.accent : theme.faint;
  context.beginPath();
  context.roundRect(left, top, width, 16, 8);
  context.fill();
  context.fillStyle = positives ? theme.paper : theme.muted;
  context.textAlign = "left";
  context.fillText(text, left + 5, top + 8.5);
}
