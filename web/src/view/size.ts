// How wide a card is: as its words need, where its neighbours leave the room.
import { halfCard, hasLabels, LEAST_CARD, LEAST_LETTERS, WORDS, type Frame, type Spot } from "./frame";
import { CARD, STEP } from "./layout";
import { cardTitle, edgeLabels, probabilityText } from "./scene";

const LEAST_LABEL = 56; // pixels of a label that is left where a name is not broken inside a word
const [ONE_LETTER, MOST_LINES] = [8, 70]; // pixels of a name that is broken into three lines
const LINE = 11; // pixels from one small line to the next, at least
const LEAST_ROOM = 8; // pixels between a card and the next level
const AROUND_LABEL = 14; // pixels left and right of a label
const BESIDE = 17; // pixels from the middle of a card to that of a label that it would cover

/** The words of a card, and half its size. */
export interface CardSize {
  title: string;
  share: string; // the probability, where it stands beside the title or below it
  beside: number; // what stands right of the title
  font: string;
  stacked: boolean; // lines of small letters: two at most
  lines: string[] | null; // the title, where it is broken into lines
  half: Spot;
}

const known = new WeakMap<Frame, Map<number, CardSize>>();

/** The size of a card, measured once for a frame; its font is set. */
export function sizeOf(frame: Frame, node: number): CardSize {
  let sizes = known.get(frame);
  if (!sizes) known.set(frame, (sizes = new Map()));
  let found = sizes.get(node);
  if (!found) sizes.set(node, (found = measured(frame, node)));
  frame.context.font = found.font;
  return found;
}

function measured(frame: Frame, node: number): CardSize {
  const { context, scene, camera, lens, theme } = frame;
  const { k } = camera;
  const leaf = scene.visible.cut[node] === 1;
  const words = k >= WORDS;
  const stacked = !words && scene.layout.orientation === "vertical";
  const title = cardTitle(scene, node);
  const share = leaf && !words ? probabilityText(scene.tree, node, scene.output) : "";
  const font = `${leaf ? 600 : 500} ${Math.max(LEAST_LETTERS, (words ? 13 : 15) * k)}px ${theme.font}`;
  context.font = font;
  const marked = (leaf && scene.positive?.[node] === 1) || (!leaf && !scene.visible.open[node]);
  const beside = (marked ? 20 * k : 0) + (share && !stacked ? context.measureText(share).width + 7 : 0);
  const needed = context.measureText(title).width + beside + 26 * k;
  const tight = !words && !stacked; // a small horizontal tree: no wider than the words, to leave room for labels
  const least = tight ? 30 : CARD.width * k;
  const room = scene.layout.orientation === "vertical" ? scene.layout.free[node] * lens.kx(k) : roomToTheRight(frame, node, title, 24 * k + 1);
  const usual = halfCard(lens, k).y;
  const high = scene.layout.free[node] * lens.ky(k) - 1;
  if (tight && needed > room && (!leaf || high >= 2 * LINE - 1)) {
    const pad = (marked ? 20 * k : 0) + 22 * k;
    const most = Math.max(1, Math.min(3, Math.floor((high - 2) / LINE)));
    const lines = leaf ? [frame.ink.named(title, room - pad), share].filter(Boolean) : frame.ink.wrapped(title, room - pad, most);
    const width = Math.max(least, Math.min(room, pad + Math.max(...lines.map((line) => frame.ink.width(line)))));
    return { title, share, beside, font, stacked: true, lines, half: { x: width / 2, y: Math.max(usual, Math.min(high, lines.length * (LINE + 1) + 5) / 2) } };
  }
  const width = Math.max(least, Math.min(needed, room));
  return { title, share, beside, font, stacked, lines: null, half: { x: width / 2, y: usual } };
}

/** In a horizontal tree: where a card ends and the edges to its children begin. */
export function rightEnd(frame: Frame, node: number, middle: number): number {
  return middle - halfCard(frame.lens, frame.camera.k).x + sizeOf(frame, node).half.x * 2;
}

// In a horizontal tree: the distance to the next level, but for the labels there. These may be cut so that a name has
// room in three lines, and none of its words is broken.
function roomToTheRight(frame: Frame, node: number, title: string, pad: number): number {
  const { scene, lens, camera } = frame;
  const step = scene.layout.steps[scene.tree.depth[node] + 1];
  const kx = lens.kx(camera.k);
  if (step === undefined) return (CARD.width + scene.layout.last) * kx;
  const labels = !hasLabels(frame) ? LEAST_ROOM : scene.visible.open[node] ? scene.layout.labels[scene.tree.depth[node] + 1] : labelsBeside(frame, node);
  if (camera.k >= WORDS) return Math.max(CARD.width * camera.k, step * kx - labels);
  if (!scene.visible.open[node]) return Math.max(LEAST_CARD, step * kx - labels);
  const word = frame.ink.narrowest(title, 3);
  const inLines = Math.min(MOST_LINES, frame.ink.width(title) / 3 + ONE_LETTER);
  return Math.max(LEAST_CARD, step * kx - labels, Math.min(word + pad, step * kx - LEAST_LABEL), inLines + pad);
}

// In a horizontal tree: the room for the widest label of the next level that is as high up as this card.
function labelsBeside(frame: Frame, node: number): number {
  const { context, scene, lens, camera } = frame;
  const { y, rows } = scene.layout;
  const row = rows[scene.tree.depth[node] + 1];
  const near = BESIDE / lens.ky(camera.k);
  let [low, high] = [0, row.length]; // the first of the row that is not above
  while (low < high) {
    const middle = (low + high) >> 1;
    if (y[row[middle]] <= y[node] - near) low = middle + 1;
    else high = middle;
  }
  const before = context.font;
  let room = LEAST_ROOM;
  for (; low < row.length && y[row[low]] < y[node] + near; low++) {
    const lines = labelLines(frame, row[low]);
    room = Math.max(room, ...lines.map((line) => frame.ink.width(line) + AROUND_LABEL));
  }
  context.font = before;
  return room;
}

/** The label of the edge to a node, in lines; its font is set. */
export function labelLines(frame: Frame, node: number): string[] {
  const { context, scene, camera, theme, ink } = frame;
  const { width, lines } = roomForLabel(frame, node);
  context.font = `${labelSize(camera.k)}px ${theme.font}`;
  return ink.lines(edgeLabels(scene, node), width, lines);
}

/** How high the letters of a label are. */
export function labelSize(k: number): number {
  return Math.min(12, Math.max(LEAST_LETTERS, 11.5 * k));
}

/** How wide a label may be, and of how many lines. */
export function roomForLabel(frame: Frame, node: number): { width: number; lines: number } {
  const { scene, lens, camera } = frame;
  const [kx, ky] = [lens.kx(camera.k), lens.ky(camera.k)];
  if (scene.layout.orientation === "vertical") {
    const high = STEP.vertical.along * ky - halfCard(lens, camera.k).y * 2;
    return { width: scene.layout.free[node] * kx + (STEP.vertical.across - CARD.width) * kx - 10, lines: high >= 44 ? 2 : 1 };
  }
  const parent = sizeOf(frame, scene.tree.parent[node]).half.x * 2;
  return { width: scene.layout.steps[scene.tree.depth[node]] * kx - parent - 14, lines: camera.k >= WORDS && STEP.horizontal.across * ky >= 34 ? 2 : 1 };
}
