// From the tree's own units to pixels. One zoom `k`; but seen from far away the tree fills the window in both
// directions, so that a wide tree is not a thin line.
import { CARD, type Layout } from "./layout";

export const MARGIN = 16;

export interface Camera {
  k: number;
  x: number; // pixels of the layout's left edge
  y: number;
}

export class Lens {
  constructor(
    readonly layout: Layout,
    readonly width: number,
    readonly height: number,
  ) {}

  private fill(space: number, size: number): number {
    return Math.min(1, Math.max(1e-6, (space - 2 * MARGIN) / size));
  }

  get least(): number {
    const { layout } = this;
    return Math.min(this.fill(this.width, layout.width), this.fill(this.height, layout.height));
  }

  kx(k: number): number {
    return Math.max(k, this.fill(this.width, this.layout.width));
  }

  ky(k: number): number {
    return Math.max(k, this.fill(this.height, this.layout.height));
  }

  sx(camera: Camera, x: number): number {
    return (x - this.layout.left) * this.kx(camera.k) + camera.x;
  }

  sy(camera: Camera, y: number): number {
    return (y - this.layout.top) * this.ky(camera.k) + camera.y;
  }

  /** The whole tree in the middle; no larger than life. */
  fit(): Camera {
    return this.centred({ k: this.least, x: 0, y: 0 });
  }

  private centred(camera: Camera): Camera {
    const w = this.layout.width * this.kx(camera.k);
    const h = this.layout.height * this.ky(camera.k);
    return { k: camera.k, x: (this.width - w) / 2, y: (this.height - h) / 2 };
  }

  /** A view with a point of the tree at a place of the window, as shares of its width and height. */
  at(k: number, x: number, y: number, acrossWindow: number, downWindow: number): Camera {
    const place = {
      k,
      x: this.width * acrossWindow - (x - this.layout.left) * this.kx(k),
      y: this.height * downWindow - (y - this.layout.top) * this.ky(k),
    };
    return this.kept(place);
  }

  /** A view with all of these nodes in it, as large as can be read. */
  around(nodes: readonly number[]): Camera {
    const [xs, ys] = [nodes.map((node) => this.layout.x[node]), nodes.map((node) => this.layout.y[node])];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const wide = (this.width - 2 * MARGIN) / (right - left + CARD.width);
    const high = (this.height - 2 * MARGIN) / (bottom - top + CARD.height);
    const k = Math.max(this.least, Math.min(0.8, wide, high));
    return this.at(k, (left + right) / 2, (top + bottom) / 2, 0.5, 0.5);
  }

  /** Zoomed by a factor with the pixel (px, py) staying where it is. */
  zoomed(camera: Camera, factor: number, px: number, py: number): Camera {
    const k = Math.min(2.5, Math.max(this.least, camera.k * factor));
    const x = (px - camera.x) / this.kx(camera.k);
    const y = (py - camera.y) / this.ky(camera.k);
    return this.kept({ k, x: px - x * this.kx(k), y: py - y * this.ky(k) });
  }

  moved(camera: Camera, dx: number, dy: number): Camera {
    return this.kept({ ...camera, x: camera.x + dx, y: camera.y + dy });
  }

  /** Never all of the tree out of sight: what fits stays inside, what does not covers the window. */
  kept(camera: Camera): Camera {
    const hold = (at: number, size: number, space: number) => {
      const [low, high] = size + 2 * MARGIN <= space ? [MARGIN, space - MARGIN - size] : [space - MARGIN - size, MARGIN];
      const slack = space * 0.4;
      return Math.min(high + slack, Math.max(low - slack, at));
    };
    const w = this.layout.width * this.kx(camera.k);
    const h = this.layout.height * this.ky(camera.k);
    return { k: camera.k, x: hold(camera.x, w, this.width), y: hold(camera.y, h, this.height) };
  }
}
