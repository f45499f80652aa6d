// The visible tree as an SVG: for paper, and to keep. Everything is an attribute or text, nothing is markup.
import { classColour } from "./colours";
import { Ink } from "./ink";
import { CARD, STEP } from "./layout";
import { predictionText, cardTitle, edgeLabels, probabilityText, type Scene } from "./scene";
import { saveText } from "./save";
import { count } from "./words";

const SVG = "http://www.w3.org/2000/svg";
const MOST = 400; // nodes that can be read on paper

type Attributes = Record<string, string | number>;

function make(name: string, attributes: Attributes, text?: string): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text !== undefined) element.textContent = text;
  return element;
}

const FONT = "system-ui, sans-serif";
const SPARE = 0.94; // another machine may have wider letters
let measured: { ink: Ink; context: CanvasRenderingContext2D } | null = null;

/** The pen that measures words in a size. */
function pen(size: number, weight = 400): Ink {
  if (!measured) {
    const context = document.createElement("canvas").getContext("2d")!;
    measured = { ink: new Ink(context), context };
  }
  measured.context.font = `${weight} ${size}px ${FONT}`;
  return measured.ink;
}

/** The drawing, or null where it would be too large to read. */
export function drawingOf(scene: Scene): SVGElement | null {
  const { layout, visible, tree } = scene;
  if (visible.order.length > MOST) return null;
  const pad = 16;
  const box = [layout.left - pad, layout.top - pad, layout.width + 2 * pad, layout.height + 2 * pad];
  const svg = make("svg", { xmlns: SVG, viewBox: box.map(Math.round).join(" "), "font-family": FONT, width: Math.round(box[2]), height: Math.round(box[3]) });
  svg.append(make("title", {}, scene.payload.title));
  const edges = [...visible.order].filter((node) => node > 0).map((node) => edge(scene, node));
  svg.append(...edges.map(([line]) => line), ...edges.map(([, words]) => words)); // no line over a word
  for (const node of visible.order) svg.append(card(scene, node));
  if (tree.classes) svg.setAttribute("role", "img");
  return svg;
}

function edge(scene: Scene, node: number): SVGElement[] {
  const { layout, tree } = scene;
  const above = tree.parent[node];
  const down = layout.orientation === "vertical";
  const [x0, y0, x1, y1] = down
    ? [layout.x[above], layout.y[above] + CARD.height / 2, layout.x[node], layout.y[node] - CARD.height / 2]
    : [layout.x[above] + CARD.width / 2, layout.y[above], layout.x[node] - CARD.width / 2, layout.y[node]];
  const [mx, my] = [(x0 + x1) / 2, (y0 + y1) / 2];
  const d = down ? `M${x0} ${y0}C${x0} ${my} ${x1} ${my} ${x1} ${y1}` : `M${x0} ${y0}C${mx} ${y0} ${x0 + 20} ${y1} ${x0 + 60} ${y1}L${x1} ${y1}`;
  const width = 1 + (5 * tree.rows[node]) / Math.max(1, tree.rows[0]);
  const between = down ? STEP.vertical.across - 10 : layout.steps[tree.depth[node]] - CARD.width - 10;
  const words = pen(11).fittest(edgeLabels(scene, node), between * SPARE);
  const place: Attributes = down ? { x: x1, y: y1 - 9, "text-anchor": "middle" } : { x: x1 - 5, y: y1 - 5, "text-anchor": "end" };
  return [
    make("path", { d, fill: "none", stroke: "#b9bdb8", "stroke-width": width.toFixed(1) }),
    make("text", { ...place, "font-size": 11, fill: "#444", stroke: "#fff", "stroke-width": 5, "stroke-linejoin": "round", "paint-order": "stroke" }, words),
  ];
}

function card(scene: Scene, node: number): SVGElement {
  const { layout, tree, visible, colours } = scene;
  const weight = visible.cut[node] ? 600 : 500;
  const rows = count(tree.rows[node]);
  const needed = pen(13, weight).width(cardTitle(scene, node)) / SPARE + 26;
  const wide = layout.orientation === "vertical" ? Math.max(CARD.width, Math.min(needed, layout.free[node])) : CARD.width;
  const [left, top] = [layout.x[node] - wide / 2, layout.y[node] - CARD.height / 2];
  const title = pen(13, weight).named(cardTitle(scene, node), (wide - 24) * SPARE);
  const second = visible.cut[node] ? probabilityText(tree, node) : pen(11).named(predictionText(tree, node), (wide - 32 - 7 * rows.length) * SPARE);
  const group = make("g", { transform: `translate(${left} ${top})` });
  group.append(
    make("rect", { width: wide, height: CARD.height, rx: 6, fill: "#fff", stroke: "#c9cdc8" }),
    make("rect", { width: 7, height: CARD.height, rx: 3, fill: colours[node] }),
    make("text", { x: 15, y: 19, "font-size": 13, "font-weight": weight, fill: "#111" }, title),
    make("text", { x: 15, y: 34, "font-size": 11, fill: "#555" }, second),
    make("text", { x: wide - 9, y: 34, "font-size": 11, fill: "#555", "text-anchor": "end" }, rows),
  );
  const room = (wide - 24) * (tree.rows[node] / Math.max(1, tree.rows[0]));
  let at = 15;
  const shares = tree.classes ? tree.of(tree.value, node) : Float64Array.of(1);
  shares.forEach((share, k) => {
    group.append(make("rect", { x: at.toFixed(2), y: CARD.height - 10, width: Math.max(0, room * share).toFixed(2), height: 4, fill: tree.classes ? classColour(k, false) : "#888" }));
    at += room * share;
  });
  if (!visible.cut[node] && !visible.open[node]) {
    group.append(make("text", { x: wide / 2, y: CARD.height + 12, "font-size": 10, fill: "#555", "text-anchor": "middle" }, `+ ${count(visible.leaves[node])} leaves`));
  }
  return group;
}

/** Hand the drawing to the reader as a file. */
export function saveDrawing(scene: Scene, title: string): void {
  const svg = drawingOf(scene);
  if (!svg) return window.alert(`A drawing must have at most ${MOST} nodes to be read. Collapse some of the ${count(scene.visible.order.length)} first.`);
  saveText(new XMLSerializer().serializeToString(svg), title, "svg", "image/svg+xml");
}
