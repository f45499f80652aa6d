// Colours that colour-blind eyes tell apart (blue and orange; for more classes Okabe and Ito's set), mixed with the
// paper by how sure a node is. Nothing is said by colour alone: every card and list has the words too.
import type { Tree } from "../model/tree";

type Rgb = readonly [number, number, number];

const LIGHT: Rgb[] = [[36, 103, 176], [214, 110, 8], [0, 138, 102], [178, 88, 145], [140, 115, 0], [66, 150, 196], [176, 58, 20], [96, 96, 110]];
const DARK: Rgb[] = [[98, 164, 235], [240, 150, 60], [52, 190, 148], [218, 138, 188], [214, 190, 60], [128, 200, 240], [235, 120, 84], [165, 165, 178]];

export interface Theme {
  dark: boolean;
  paper: string;
  page: string;
  ink: string;
  muted: string;
  faint: string;
  line: string;
  accent: string;
  font: string;
}

export function themeOf(element: Element): Theme {
  const style = getComputedStyle(element);
  const read = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    dark: read("dark") === "1",
    paper: read("paper"),
    page: read("page"),
    ink: read("ink"),
    muted: read("muted"),
    faint: read("faint"),
    line: read("line"),
    accent: read("accent"),
    font: read("font") || "system-ui, sans-serif",
  };
}

export function hueOf(index: number, dark: boolean): Rgb {
  const set = dark ? DARK : LIGHT;
  return set[index] ?? wheel(index, dark);
}

// Beyond the set: far apart on the colour wheel, though no longer for every eye; the words say it too.
function wheel(index: number, dark: boolean): Rgb {
  const [angle, light] = [(index * 137.508) % 360, (dark ? 0.62 : 0.42) + ((index % 3) - 1) * 0.08];
  const part = (n: number) => {
    const k = (n + angle / 30) % 12;
    return 255 * (light - 0.5 * Math.min(light, 1 - light) * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return [part(0), part(8), part(4)];
}

export function css(colour: Rgb): string {
  return `rgb(${colour.map(Math.round).join(",")})`;
}

function mixed(hue: Rgb, strength: number, dark: boolean): string {
  const ground = dark ? 46 : 232;
  return css(hue.map((part) => ground + (part - ground) * strength) as unknown as Rgb);
}

/** The colour of a class in bars and legends. */
export function classColour(index: number, dark: boolean): string {
  return css(hueOf(index, dark));
}

/** How far the predictions of a regression lie from that of the root, at most. */
export function spreadOf(tree: Tree): number {
  let spread = 0;
  for (let node = 0; node < tree.count; node++) {
    const away = Math.abs(tree.of(tree.prediction, node)[0] - tree.of(tree.prediction, 0)[0]);
    if (Number.isFinite(away)) spread = Math.max(spread, away);
  }
  return spread;
}

/** The colour of every node: its likeliest class and how likely, or how far below or above the mean. */
function nodeColours(tree: Tree, dark: boolean): string[] {
  const spread = tree.classes ? 0 : spreadOf(tree);
  const root = tree.of(tree.prediction, 0)[0];
  return Array.from({ length: tree.count }, (_, node) => {
    const found = tree.of(tree.prediction, node);
    if (!tree.classes) {
      const away = spread ? (found[0] - root) / spread : 0;
      return mixed(hueOf(away < 0 ? 0 : 1, dark), Math.min(1, 0.12 + 0.88 * Math.abs(away || 0)), dark);
    }
    let best = 0;
    found.forEach((p, k) => (best = p > found[best] ? k : best));
    const even = 1 / found.length;
    const sure = found.length > 1 ? (found[best] - even) / (1 - even) : 1;
    return mixed(hueOf(best, dark), Math.min(1, Math.max(0.2, 0.2 + 0.8 * sure)), dark);
  });
}

const known = new WeakMap<Tree, Map<boolean, string[]>>();

/** The same, made once per tree. */
export function coloursOf(tree: Tree, dark: boolean): string[] {
  const both = known.get(tree) ?? new Map<boolean, string[]>();
  known.set(tree, both);
  let found = both.get(dark);
  if (!found) both.set(dark, (found = nodeColours(tree, dark)));
  return found;
}
