// The drawing of the tree. It is for eyes and pointers; the outline beside it is the same tree for keys and ears.
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { useAppState } from "../app";
import type { Orientation } from "../state/state";
import { View } from "../view/view";
import { useDark } from "../view/dark";
import { sceneOf } from "./sceneOf";

interface Props {
  handle: (view: View | null) => void;
  oriented: (orientation: Orientation) => void;
}

export function TreeCanvas({ handle, oriented }: Props) {
  const [app, state] = useAppState();
  const dark = useDark();
  const canvas = useRef<HTMLCanvasElement>(null);
  const map = useRef<HTMLCanvasElement>(null);
  const tip = useRef<HTMLDivElement>(null);
  const view = useRef<View | null>(null);
  const scene = useMemo(() => sceneOf(app, state, dark), [app, state, dark]);

  useLayoutEffect(() => {
    const made = new View(canvas.current!, map.current!, tip.current!, {
      select: (node) => app.select(node, app.store.state.tab === "node" ? "node" : undefined),
      toggle: (node) => app.toggle(node),
      oriented,
    });
    view.current = made;
    handle(made);
    return () => {
      handle(null);
      made.close();
    };
  }, [app, handle, oriented]);
  useLayoutEffect(() => view.current?.show(scene, state.orientation), [scene, state.orientation]);
  useLayoutEffect(() => view.current?.recolour(), [dark]);

  return (
    <div class="canvas" aria-hidden="true">
      <canvas ref={canvas} class="drawing" data-testid="drawing" />
      <canvas ref={map} class="minimap" data-testid="minimap" />
      <div ref={tip} class="tip" hidden />
    </div>
  );
}
