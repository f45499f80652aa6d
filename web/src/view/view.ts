// The canvas with its camera: draws when something has changed, and turns clicks into nodes.
import { Lens, type Camera } from "./camera";
import { themeOf, type Theme } from "./colours";
import { Ink } from "./ink";
import type { Orientation } from "../state/state";
import { bestOrientation, breadths, layoutOf } from "./layout";
import { Minimap } from "./minimap";
import { halfCard } from "./frame";
import { paint } from "./paint";
import { listen } from "./pointer";
import { levelWords, predictionText, type Scene } from "./scene";
import type { Visible } from "./visible";
import { conditionOf, plural } from "./words";

type Parts = Omit<Scene, "layout">;

export interface Actions {
  select(node: number): void;
  toggle(node: number): void;
  oriented(orientation: Orientation): void;
}

export class View {
  scene: Scene | null = null;
  lens: Lens | null = null;
  camera: Camera = { k: 1, x: 0, y: 0 };
  private parts: Parts | null = null;
  private orientation: Orientation | null = null; // as the reader wants it
  private chosen: Orientation | null = null; // the one that fits the window
  private theme: Theme;
  private readonly context: CanvasRenderingContext2D;
  private readonly ink: Ink;
  private readonly minimap: Minimap;
  private readonly watch: ResizeObserver;
  private readonly stop: () => void;
  private laid: { visible: Visible; orientation: Orientation } | null = null;
  private waiting = 0;
  private moving = 0;
  private lastPath = ""; // that was highlighted last
  private touched = false; // the reader has moved the picture: keep it where it is

  constructor(
    private readonly canvas: HTMLCanvasElement,
    map: HTMLCanvasElement,
    private readonly tip: HTMLElement,
    private readonly actions: Actions,
  ) {
    this.context = canvas.getContext("2d", { alpha: false })!;
    this.ink = new Ink(this.context);
    this.theme = themeOf(canvas);
    this.minimap = new Minimap(map, (camera) => this.move(camera));
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(canvas.parentElement!);
    this.stop = listen(canvas, {
      lens: () => this.lens!,
      camera: () => this.camera,
      move: (camera) => this.move(camera),
      click: (x, y, twice) => this.click(x, y, twice),
      hover: (x, y) => this.hover(x, y),
    });
    canvas.addEventListener("pointerleave", () => (this.tip.hidden = true));
  }

  close(): void {
    this.stop();
    this.watch.disconnect();
    cancelAnimationFrame(this.waiting);
    cancelAnimationFrame(this.moving);
  }

  recolour(): void {
    this.theme = themeOf(this.canvas);
    this.minimap.forget();
    this.draw();
  }

  /** Show another scene. The node that is selected stays where it is on the screen, unless the layout turns. */
  show(parts: Parts, orientation: Orientation | null): void {
    const before = this.scene;
    const changedNode = before !== null && before.selected !== parts.selected;
    this.parts = parts;
    this.orientation = orientation;
    const relaid = this.relay();
    const turned = before !== null && before.layout.orientation !== this.scene?.layout.orientation;
    if (relaid && before && this.touched && !turned) this.hold(before, parts.selected);
    else if (relaid) this.camera = this.lens!.fit();
    const path = [...parts.highlighted].join();
    if (path && path !== this.lastPath) this.frameNodes(parts.highlighted);
    else if (changedNode || !before) this.bringIntoView(parts.selected);
    this.lastPath = path;
    this.draw();
  }

  private relay(): boolean {
    const { parts } = this;
    const around = this.canvas.parentElement!.getBoundingClientRect();
    const box = { width: Math.floor(around.width), height: Math.floor(around.height) }; // else every frame is resampled
    if (!parts || !box.width || !box.height) return false;
    const known = this.laid?.visible === parts.visible ? this.scene : null;
    const sized = this.lens?.width === box.width && this.lens.height === box.height;
    if (known && sized && (this.orientation === null || this.orientation === this.laid!.orientation)) {
      this.scene = { ...parts, layout: known.layout };
      return false;
    }
    const spread = { vertical: breadths(parts.tree, parts.visible, "vertical"), horizontal: breadths(parts.tree, parts.visible, "horizontal") };
    const levels = levelWords(parts.payload, parts.tree, parts.visible);
    // chosen once per size of the window, so that the tree does not flip while it is read
    if (!sized || !this.chosen) this.chosen = bestOrientation(parts.visible, spread, levels, box.width, box.height);
    const orientation = this.orientation ?? this.chosen;
    this.actions.oriented(orientation);
    this.scene = { ...parts, layout: layoutOf(parts.tree, parts.visible, spread[orientation], orientation, levels) };
    this.lens = new Lens(this.scene.layout, box.width, box.height);
    this.laid = { visible: parts.visible, orientation };
    this.minimap.forget();
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(box.width * ratio);
    this.canvas.height = Math.round(box.height * ratio);
    this.canvas.style.width = `${box.width}px`;
    this.canvas.style.height = `${box.height}px`;
    return true;
  }

  private resize(): void {
    if (!this.relay()) return;
    this.camera = this.touched ? this.lens!.kept(this.camera) : this.lens!.fit();
    this.drawNow();
  }

  // After expansionAfter, the node that was touched stays under the pointer.
  private hold(before: Scene, node: number): void {
    const { lens, scene } = this;
    if (!lens || !scene) return;
    const old = new Lens(before.layout, lens.width, lens.height);
    const seen = before.visible.seen[node] ? node : 0;
    const [px, py] = [old.sx(this.camera, before.layout.x[seen]), old.sy(this.camera, before.layout.y[seen])];
    const k = Math.max(lens.least, this.camera.k);
    this.camera = lens.at(k, scene.layout.x[seen], scene.layout.y[seen], px / lens.width, py / lens.height);
  }

  // -- moving

  move(camera: Camera): void {
    this.touched = true;
    this.tip.hidden = true;
    this.camera = camera;
    this.draw();
  }

  fit(): void {
    if (this.lens) this.glide(this.lens.fit());
    this.touched = false; // another layout is fitted too
  }

  zoom(factor: number): void {
    if (this.lens) this.glide(this.lens.zoomed(this.camera, factor, this.lens.width / 2, this.lens.height / 2));
  }

  bringIntoView(node: number): void {
    const { lens, scene } = this;
    if (!lens || !scene || !scene.visible.seen[node]) return;
    const [x, y] = [lens.sx(this.camera, scene.layout.x[node]), lens.sy(this.camera, scene.layout.y[node])];
    const half = halfCard(lens, this.camera.k);
    const inside = x > half.x && x < lens.width - half.x && y > half.y && y < lens.height - half.y;
    if (!inside) this.glide(lens.at(this.camera.k, scene.layout.x[node], scene.layout.y[node], 0.5, 0.4));
  }

  /** Show all of these nodes, unless they are in the window already. */
  private frameNodes(nodes: ReadonlySet<number>): void {
    const { lens, scene } = this;
    if (!lens || !scene) return;
    const seen = [...nodes].filter((node) => scene.visible.seen[node]);
    const half = halfCard(lens, this.camera.k);
    const inside = (at: number, margin: number, size: number) => at >= margin && at <= size - margin;
    const shown = seen.every((node) => {
      const [x, y] = [lens.sx(this.camera, scene.layout.x[node]), lens.sy(this.camera, scene.layout.y[node])];
      return inside(x, half.x, lens.width) && inside(y, half.y, lens.height);
    });
    if (!shown) this.glide(lens.around(seen));
  }

  private glide(to: Camera): void {
    cancelAnimationFrame(this.moving);
    this.touched = true;
    const from = this.camera;
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) return this.move(to);
    const start = performance.now();
    const step = (now: number) => {
      const t = Math.min(1, Math.max(0, (now - start) / 180));
      const ease = 1 - (1 - t) ** 3;
      const mix = (a: number, b: number) => a + (b - a) * ease;
      this.camera = { k: mix(from.k, to.k), x: mix(from.x, to.x), y: mix(from.y, to.y) };
      this.drawNow();
      if (t < 1) this.moving = requestAnimationFrame(step);
    };
    this.moving = requestAnimationFrame(step);
  }

  // -- pointing

  /** The node at a pixel, or -1. */
  nodeAt(px: number, py: number): number {
    const { lens, scene } = this;
    if (!lens || !scene) return -1;
    const half = halfCard(lens, this.camera.k);
    const [w, h] = [Math.max(half.x, 4), Math.max(half.y, 5)];
    let [found, nearest] = [-1, Infinity];
    for (const node of scene.visible.order) {
      const dx = Math.abs(lens.sx(this.camera, scene.layout.x[node]) - px);
      const dy = Math.abs(lens.sy(this.camera, scene.layout.y[node]) - py);
      if (dx <= w && dy <= h && dx + dy < nearest) [found, nearest] = [node, dx + dy];
    }
    return found;
  }

  private click(x: number, y: number, twice: boolean): void {
    const node = this.nodeAt(x, y);
    if (node < 0) return twice ? this.glide(this.lens!.zoomed(this.camera, 2, x, y)) : undefined;
    this.touched = true;
    if (twice && !this.scene!.visible.cut[node]) this.actions.toggle(node);
    else this.actions.select(node);
  }

  private hover(x: number, y: number): void {
    const node = this.nodeAt(x, y);
    this.canvas.style.cursor = node < 0 ? "grab" : "pointer";
    this.tip.hidden = node < 0;
    if (node < 0) return;
    const { tree, payload } = this.scene!;
    const path = node > 0 ? conditionOf(payload, node).text : "All rows";
    this.tip.textContent = `${path}\n${predictionText(tree, node)} · ${plural(tree.rows[node], "row")}`;
    const { width, height } = this.lens!;
    this.tip.style.left = `${Math.max(0, Math.min(x + 14, width - 230))}px`;
    const above = y + 16 + this.tip.offsetHeight > height && y > height / 2;
    this.tip.style.top = `${above ? y - 8 - this.tip.offsetHeight : y + 16}px`;
  }

  // -- drawing

  draw(): void {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => this.drawNow());
  }

  drawNow(): void {
    cancelAnimationFrame(this.waiting);
    this.waiting = 0;
    const { scene, lens, context, ink, camera, theme } = this;
    if (!scene || !lens) return;
    const ratio = this.canvas.width / lens.width;
    paint({ context, ink, scene, lens, camera, theme, ratio });
    this.minimap.draw(scene, lens, camera, theme);
  }
}
