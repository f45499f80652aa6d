// Whether the page is on paper: said by the browser before it prints, or by the medium.
import { useLayoutEffect, useState } from "preact/hooks";

const medium = window.matchMedia("print");
const listeners = new Set<() => void>();
let printing = medium.matches;

function setPrinting(is: boolean): void {
  if (is === printing) return;
  printing = is;
  for (const listener of listeners) listener();
}

window.addEventListener("beforeprint", () => setPrinting(true));
window.addEventListener("afterprint", () => setPrinting(medium.matches));
medium.addEventListener("change", () => setPrinting(medium.matches));

export function isPaper(): boolean {
  return printing;
}

/** Calls when paper comes or goes, until the returned function is called. */
export function onPaper(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function usePaper(): boolean {
  const [is, set] = useState(isPaper());
  useLayoutEffect(() => onPaper(() => set(isPaper())), []);
  return is;
}
