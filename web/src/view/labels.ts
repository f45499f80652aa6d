// The conditions at the edges: in one line, or in two where there is room for two.
import { LEAST_LETTERS, spot, WORDS, type Frame, type Spot } from "./frame";
import { CARD, STEP } from "./layout";
import { edgeLabels } from "./scene";
import { rightEnd, sizeOf } from "./size";

/** How wide a label may be, and of how many lines. */
function roomFor(frame: Frame, node: number, half: Spot): { width: number; lines: number } {
  const { scene, lens, camera } = frame;
  const [kx, ky] = [lens.kx(camera.k), lens.ky(camera.k)];
  if (scene.layout.orientation === "vertical") {
    return { width: scene.layout.free[node] * kx + (STEP.vertical.across - CARD.width) * kx - 10, lines: STEP.vertical.along * ky - half.y * 2 >= 44 ? 2 : 1 };
  }
  const parent = sizeOf(frame, scene.tree.parent[node]).half.x * 2;
  return { width: scene.layout.steps[scene.tree.depth[node]] * kx - parent - 14, lines: camera.k >= WORDS && STEP.horizontal.across * ky >= 34 ? 2 : 1 };
}

/** Whether a label that begins at `left` would cover a card of the level before. */
function coversCard(frame: Frame, node: number, left: number, y: number): boolean {
  const { scene } = frame;
  return scene.layout.rows[scene.tree.depth[node] - 1].some((other) => {
    const at = spot(frame, other);
    return Math.abs(at.y - y) < sizeOf(frame, other).half.y + 7 && rightEnd(frame, other, at.x) > left;
  });
}

export function paintLabels(frame: Frame, half: Spot, vertical: boolean): void {
  const { context, scene, lens, camera, theme, ink } = frame;
  const size = Math.min(12, Math.max(LEAST_LETTERS, 11.5 * camera.k));
  context.textBaseline = "middle";
  for (const node of scene.visible.order) {
    if (node === 0) continue;
    const { x, y } = spot(frame, node);
    if (x < -200 || x > lens.width + 200 || y < -40 || y > lens.height + 40) continue;
    const small = camera.k < WORDS; // then the label of a horizontal tree is on its edge
    const room = roomFor(frame, node, half);
    context.font = `${size}px ${theme.font}`;
    const lines = ink.lines(edgeLabels(scene, node), room.width, room.lines);
    const wide = ink.width(lines[0]);
    if (!vertical && wide > room.width + 8 && coversCard(frame, node, x - half.x - wide - 9, y)) continue;
    context.font = `${size}px ${theme.font}`; // which may have been measured with another
    const bright = scene.path.has(node) || scene.highlighted.has(node);
    lines.forEach((text, k) => {
      const width = context.measureText(text).width;
      const left = vertical ? x - width / 2 : x - half.x - width - 7;
      const above = vertical ? (lines.length - 1 - k) * size * 1.2 + half.y + 10 : small ? 0 : k ? -9 : 8; // a second line below the edge
      context.fillStyle = theme.paper;
      context.globalAlpha = 0.86;
      context.fillRect(left - 3, y - above - size * 0.62, width + 6, size * 1.24);
      context.globalAlpha = 1;
      context.fillStyle = bright ? theme.accent : theme.muted;
      context.textAlign = "left";
      context.fillText(text, left, y - above);
    });
  }
}
