// What a picture of the tree on the canvas is made with, and the sizes that all of it shares.
import type { Camera, Lens } from "./camera";
import type { Theme } from "./colours";
import type { Ink } from "./ink";
import { CARD, smallWords, STEP } from "./layout";
import type { Scene } from "./scene";

export const WORDS = 0.67; // zoom from which cards have room for two lines
const TITLES = 0.3;
export const LEAST_CARD = 46; // pixels that are left of a level beside the labels of the next
export const LEAST_LETTERS = 11; // pixels: the size of the smallest words

export interface Frame {
  context: CanvasRenderingContext2D;
  ink: Ink;
  scene: Scene;
  lens: Lens;
  camera: Camera;
  theme: Theme;
  ratio: number; // device pixels per pixel
}

export interface Spot {
  x: number;
  y: number;
}

/** Where the middle of a node is on the screen. */
export function spot({ lens, camera, scene }: Frame, node: number): Spot {
  return { x: lens.sx(camera, scene.layout.x[node]), y: lens.sy(camera, scene.layout.y[node]) };
}

// How high a card of small letters is: two lines, or one in a horizontal tree; as far as its neighbours leave room.
function smallCard(down: boolean, ky: number): number {
  return down ? Math.min(33, STEP.vertical.along * ky - 20) : Math.min(19, STEP.horizontal.across * ky - 4);
}

/** Whether cards have words; else they are patches of colour. */
export function hasTitles(lens: Lens, k: number): boolean {
  return k >= TITLES || (lens.layout.orientation === "horizontal" && smallWords(lens.kx(k), lens.ky(k)));
}

/** Half the size of a card on the screen. */
export function halfCard(lens: Lens, k: number): Spot {
  const down = lens.layout.orientation === "vertical";
  const titles = hasTitles(lens, k);
  const w = CARD.width * Math.min(lens.kx(k), down ? k : titles ? Infinity : Math.max(k, Math.min(lens.kx(k) * 0.4, 0.2)));
  const h = titles && k < WORDS ? Math.max(CARD.height * k, smallCard(down, lens.ky(k))) : Math.max(CARD.height * k, Math.min(10, CARD.height * lens.ky(k) * 0.6));
  return { x: Math.max(1, w / 2), y: Math.max(1.5, h / 2) };
}

/** Whether there is room for words between the levels of the tree. */
export function hasLabels({ scene, lens, camera }: Frame): boolean {
  const [kx, ky] = [lens.kx(camera.k), lens.ky(camera.k)];
  if (!hasTitles(lens, camera.k)) return false;
  if (scene.layout.orientation === "vertical") return STEP.vertical.along * ky - 2 * halfCard(lens, camera.k).y >= 17 && STEP.vertical.across * kx >= 50;
  return STEP.horizontal.across * ky >= 15;
}
