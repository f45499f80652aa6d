// Drawing the tree on the canvas. How much is drawn depends on the zoom: words, then colours and bars, then marks.
import { paintNodes } from "./cards";
import type { Frame } from "./frame";
import { paintEdges } from "./edges";

export function paint(frame: Frame): void {
  const { context, theme, ratio } = frame;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = theme.paper;
  context.fillRect(0, 0, context.canvas.width, context.canvas.height); // every pixel of the device
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.direction = "ltr";
  paintEdges(frame);
  paintNodes(frame);
}
