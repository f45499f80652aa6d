// The whole tree in small, with a frame around what the window shows; only where not all of it is shown.
import { Lens, type Camera } from "./camera";
import type { Theme } from "./colours";
import { halfCard } from "./frame";
import type { Scene } from "./scene";

const WIDTH = 168;
const HEIGHT = 96;

const CORNERS = ["bottom right", "bottom left", "top right", "top left"] as const;
const FEW = 60; // cards: so many are found without a map

/** The first corner without cards; of a large tree, where all have some, the first. */
function freeCorner(scene: Scene, lens: Lens, camera: Camera): (typeof CORNERS)[number] | null {
  const half = halfCard(lens, camera.k);
  const taken = new Set<string>();
  for (const node of scene.visible.order) {
    const [x, y] = [lens.sx(camera, scene.layout.x[node]), lens.sy(camera, scene.layout.y[node])];
    if (x < -half.x || x > lens.width + half.x || y < -half.y || y > lens.height + half.y) continue;
    const left = x - half.x < WIDTH + 18;
    const right = x + half.x > lens.width - WIDTH - 18;
    const top = y - half.y < HEIGHT + 18;
    const bottom = y + half.y > lens.height - HEIGHT - 18;
    for (const corner of CORNERS) {
      const [up, side] = corner.split(" ");
      if ((up === "top" ? top : bottom) && (side === "left" ? left : right)) taken.add(corner);
    }
    if (taken.size === CORNERS.length) break;
  }
  return CORNERS.find((corner) => !taken.has(corner)) ?? (scene.visible.order.length > FEW ? CORNERS[0] : null);
}

export class Minimap {
  private picture: HTMLCanvasElement | null = null;
  private lens: Lens | null = null;
  private window: { lens: Lens; camera: Camera } | null = null;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly move: (camera: Camera) => void,
  ) {
    const steer = (event: PointerEvent) => {
      if (event.buttons !== 1 || !this.lens || !this.window) return;
      const box = canvas.getBoundingClientRect();
      const fit = this.lens.fit();
      const { lens, camera } = this.window;
      const x = (event.clientX - box.left - fit.x) / this.lens.kx(fit.k) + lens.layout.left;
      const y = (event.clientY - box.top - fit.y) / this.lens.ky(fit.k) + lens.layout.top;
      this.move(lens.at(camera.k, x, y, 0.5, 0.5));
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      steer(event);
    });
    canvas.addEventListener("pointermove", steer);
  }

  forget(): void {
    this.picture = null;
  }

  draw(scene: Scene, lens: Lens, camera: Camera, theme: Theme): void {
    this.window = { lens, camera };
    const corner = camera.k <= lens.least * 1.05 || lens.width < 420 ? null : freeCorner(scene, lens, camera);
    if (this.canvas.hidden !== (corner === null)) this.canvas.hidden = corner === null;
    if (corner === null) return;
    this.canvas.dataset.corner = corner;
    const ratio = window.devicePixelRatio || 1;
    if (!this.picture) this.paint(scene, theme, ratio);
    const context = this.canvas.getContext("2d")!;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.picture!, 0, 0);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const small = this.lens!;
    const fit = small.fit();
    const left = (-camera.x / lens.kx(camera.k)) * small.kx(fit.k) + fit.x;
    const top = (-camera.y / lens.ky(camera.k)) * small.ky(fit.k) + fit.y;
    context.strokeStyle = theme.accent;
    context.lineWidth = 1.5;
    const width = (lens.width / lens.kx(camera.k)) * small.kx(fit.k);
    const height = (lens.height / lens.ky(camera.k)) * small.ky(fit.k);
    const [x, y] = [Math.max(1, left), Math.max(1, top)];
    context.strokeRect(x, y, Math.min(WIDTH - 1, left + width) - x, Math.min(HEIGHT - 1, top + height) - y);
  }

  private paint(scene: Scene, theme: Theme, ratio: number): void {
    const picture = document.createElement("canvas");
    picture.width = this.canvas.width = Math.round(WIDTH * ratio);
    picture.height = this.canvas.height = Math.round(HEIGHT * ratio);
    const context = picture.getContext("2d")!;
    context.scale(ratio, ratio);
    context.fillStyle = theme.page;
    context.fillRect(0, 0, WIDTH, HEIGHT);
    const small = (this.lens = new Lens(scene.layout, WIDTH + 36, HEIGHT + 36));
    const fit = small.fit();
    fit.x -= 18;
    fit.y = Math.min(fit.y, 90) - 18;
    small.fit = () => fit;
    for (const node of scene.visible.order) {
      context.fillStyle = scene.colours[node];
      context.fillRect(small.sx(fit, scene.layout.x[node]) - 1, small.sy(fit, scene.layout.y[node]) - 1, 2.5, 2.5);
    }
    this.picture = picture;
  }
}
