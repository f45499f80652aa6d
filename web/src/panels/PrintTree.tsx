// On paper the canvas gives way to an SVG of the same tree, made when the page is printed.
import { useEffect, useRef } from "preact/hooks";
import { useApp } from "../app";
import { breadths, layoutOf } from "../view/layout";
import { drawingOf } from "../view/print";
import { sceneOf } from "./sceneOf";

export function PrintTree() {
  const app = useApp();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const make = () => {
      const parts = sceneOf(app, app.store.state, false);
      const turn = app.store.state.turn ?? (parts.visible.leaves[0] > 8 ? "across" : "down");
      const layout = layoutOf(parts.tree, parts.visible, breadths(parts.tree, parts.visible), turn);
      const drawing = drawingOf({ ...parts, layout });
      place.current!.replaceChildren(drawing ?? "The tree that was shown is too large for paper; fold it and print again.");
    };
    const paper = window.matchMedia("print");
    const change = () => paper.matches && make();
    window.addEventListener("beforeprint", make);
    paper.addEventListener("change", change);
    return () => {
      window.removeEventListener("beforeprint", make);
      paper.removeEventListener("change", change);
    };
  }, [app]);
  return <div class="paper-tree" ref={place} />;
}
