// How many levels of a small tree have room for words in the window that the page opens in.
import type { Tree } from "../model/tree";
import type { Payload } from "../payload";
import { breadths, CARD, EASY, spread, STEP } from "./layout";
import { levelWords } from "./scene";
import { visibleOf } from "./visible";

const AROUND = 250; // pixels above and below the drawing
const TWO_LINES = 23; // pixels from leaf to leaf that a prediction in two lines needs
const PANELS = 340;
const MIDDLE = 1180; // a window up to this has the panels below a deep tree, as styles/tree.css says
const SPARE = 0.87; // words may be somewhat closer than they should

/** The levels below the root to show at first: all of them where the tree can be read whole in either orientation. */
export function levelsAtFirst(payload: Payload, tree: Tree, cut: Uint8Array): number {
  const all = visibleOf(tree, cut, cut.map((leaf) => 1 - leaf), { expanded: new Set(), collapsed: new Set() }, []);
  const { innerWidth, innerHeight } = window;
  const margin = Math.min(44, Math.max(16, 0.03 * innerWidth));
  const width = Math.min(1560, innerWidth) - 2 * margin - (innerWidth > MIDDLE ? PANELS : 0) - 32;
  const height = innerHeight - AROUND;
  const down = spread(breadths(tree, all, "vertical"), all) * STEP.vertical.across + CARD.width;
  if (EASY * down <= width && EASY * (STEP.vertical.along * all.maxDepth + CARD.height) <= height) return all.maxDepth;
  const levels = levelWords(payload, tree, all);
  const [inLines, inOne] = [levels.map(({ least }) => least), levels.map(({ card }) => card)];
  const cards = height / (spread(breadths(tree, all, "horizontal"), all) + 1) >= TWO_LINES ? inLines : inOne;
  let used = cards[0];
  for (let depth = 1; depth <= all.maxDepth; depth++) {
    used += levels[depth].label + cards[depth];
    if (used * SPARE > width) return Math.max(2, depth - 1);
  }
  return all.maxDepth;
}
