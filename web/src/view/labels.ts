// The conditions at the edges: in one line, or in two where there is room for two.
import { spot, WORDS, type Frame, type Spot } from "./frame";
import { labelLines, labelSize, rightEnd, roomForLabel, sizeOf } from "./size";

const FAR = 200; // pixels: more than a card is high

/** Whether a label that begins at `left` would cover a card of the level before. */
function coversCard(frame: Frame, node: number, left: number, y: number): boolean {
  const { scene } = frame;
  return scene.layout.rows[scene.tree.depth[node] - 1].some((other) => {
    const at = spot(frame, other);
    if (Math.abs(at.y - y) > FAR) return false; // most are, and need not be measured
    return Math.abs(at.y - y) < sizeOf(frame, other).half.y + 7 && rightEnd(frame, other, at.x) > left;
  });
}

export function paintLabels(frame: Frame, half: Spot, vertical: boolean): void {
  const { context, scene, lens, camera, theme, ink } = frame;
  const size = labelSize(camera.k);
  context.textBaseline = "middle";
  for (const node of scene.visible.order) {
    if (node === 0) continue;
    const { x, y } = spot(frame, node);
    if (x < -200 || x > lens.width + 200 || y < -40 || y > lens.height + 40) continue;
    const small = camera.k < WORDS; // then the label of a horizontal tree is on its edge
    const room = roomForLabel(frame, node);
    const lines = labelLines(frame, node);
    const wide = ink.width(lines[0]);
    if (!vertical && wide > room.width + 8 && coversCard(frame, node, x - half.x - wide - 9, y)) continue;
    context.font = `${size}px ${theme.font}`; // which may have been measured with another
    const bright = scene.path.has(node) || scene.highlighted.has(node);
    lines.forEach((text, k) => {
      const width = context.measureText(text).width;
      const left = vertical ? x - width / 2 : x - half.x - width - 7;
      const above = vertical ? (lines.length - 1 - k) * size * 1.2 + half.y + 10 : small ? 0 : k ? -9 : 8; // a second line below the edge
      context.fillStyle = theme.paper;
      context.globalAlpha = vertical || small ? 1 : 0.86; // a label on its edge hides the line
      context.fillRect(left - 3, y - above - size * 0.62, width + 6, size * 1.24);
      context.globalAlpha = 1;
      context.fillStyle = bright ? theme.accent : theme.muted;
      context.textAlign = "left";
      context.fillText(text, left, y - above);
    });
  }
}
