// Dragging, pinching, wheel and double click on the canvas.
import type { Camera, Lens } from "./camera";

export interface Pointing {
  lens(): Lens;
  camera(): Camera;
  move(camera: Camera): void;
  click(x: number, y: number, twice: boolean): void;
  hover(x: number, y: number): void;
}

interface Touch {
  x: number;
  y: number;
}

/** Listens to a canvas until the returned function is called. */
export function listen(canvas: HTMLCanvasElement, act: Pointing): () => void {
  const held = new Map<number, Touch>();
  let travelled = 0;
  let lastClick = 0;
  let byTouch = false;
  let armed = false; // pressed, and not left since: the wheel zooms
  const at = (event: MouseEvent): Touch => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const down = (event: PointerEvent) => {
    canvas.setPointerCapture(event.pointerId);
    held.set(event.pointerId, at(event));
    byTouch = event.pointerType === "touch";
    travelled = 0;
    armed = true;
  };
  const leave = () => void (armed = held.size > 0);
  const drag = (event: PointerEvent) => {
    const here = at(event);
    const before = held.get(event.pointerId);
    if (!before) return act.hover(here.x, here.y);
    held.set(event.pointerId, here);
    travelled += Math.abs(here.x - before.x) + Math.abs(here.y - before.y);
    if (held.size === 1) {
      if (travelled > 3) act.move(act.lens().moved(act.camera(), here.x - before.x, here.y - before.y));
      return;
    }
    const other = [...held].find(([id]) => id !== event.pointerId)![1];
    const apart = (one: Touch) => Math.hypot(one.x - other.x, one.y - other.y) || 1;
    const moved = act.lens().moved(act.camera(), (here.x - before.x) / 2, (here.y - before.y) / 2);
    act.move(act.lens().zoomed(moved, apart(here) / apart(before), (here.x + other.x) / 2, (here.y + other.y) / 2));
  };
  const up = (event: PointerEvent) => {
    const was = held.delete(event.pointerId);
    if (!was || travelled > 5 || event.type === "pointercancel") return;
    const here = at(event);
    const twice = byTouch && event.timeStamp - lastClick < 350;
    lastClick = twice ? 0 : event.timeStamp;
    act.click(here.x, here.y, twice);
  };
  const twice = (event: MouseEvent) => {
    if (byTouch) return; // not every browser tells two taps
    const here = at(event);
    act.click(here.x, here.y, true);
  };
  const wheel = (event: WheelEvent) => {
    if (!armed && !event.ctrlKey) return; // the page scrolls past a drawing that was not clicked
    const outermost = act.camera().k <= act.lens().least * 1.001;
    if (outermost && event.deltaY > 0 && !event.ctrlKey) return; // nothing left to zoom out of: the page scrolls
    event.preventDefault();
    const here = at(event);
    if (event.shiftKey) return act.move(act.lens().moved(act.camera(), -event.deltaY, -event.deltaX));
    const factor = Math.exp(-Math.max(-60, Math.min(60, event.deltaY)) * (event.ctrlKey ? 0.012 : 0.004));
    act.move(act.lens().zoomed(act.camera(), factor, here.x, here.y));
  };
  canvas.addEventListener("pointerdown", down);
  canvas.addEventListener("pointermove", drag);
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("dblclick", twice);
  canvas.addEventListener("wheel", wheel, { passive: false });
  canvas.addEventListener("pointerleave", leave);
  return () => {
    canvas.removeEventListener("pointerdown", down);
    canvas.removeEventListener("pointermove", drag);
    canvas.removeEventListener("pointerup", up);
    canvas.removeEventListener("pointercancel", up);
    canvas.removeEventListener("dblclick", twice);
    canvas.removeEventListener("wheel", wheel);
    canvas.removeEventListener("pointerleave", leave);
  };
}
