// Light or dark: as the system says, until the reader chooses. Paper is light.
import { useLayoutEffect, useState } from "preact/hooks";
import { isPaper, onPaper } from "./paper";

export type Choice = "system" | "light" | "dark";
const KEY = "treewright-theme";
const listeners = new Set<() => void>();
const system = window.matchMedia("(prefers-color-scheme: dark)");
let choice: Choice = remembered();

function remembered(): Choice {
  try {
    const found = localStorage.getItem(KEY);
    return found === "light" || found === "dark" ? found : "system";
  } catch {
    return "system"; // a frame without storage
  }
}

function apply(): void {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  for (const listener of listeners) listener();
}

export function isDark(): boolean {
  if (isPaper()) return false;
  return choice === "system" ? system.matches : choice === "dark";
}

export function choose(next: Choice): void {
  choice = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // it holds until the page is collapsed
  }
  apply();
}

export function useDark(): boolean {
  const [dark, set] = useState(isDark());
  useLayoutEffect(() => {
    const listener = () => set(isDark());
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return dark;
}

system.addEventListener("change", apply);
onPaper(apply);
apply();
