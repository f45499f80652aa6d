// The trees of a page: one, or several to choose from. Each has an App of its own with its own state.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { App } from "./app";
import { Tree } from "./model/tree";
import type { Payload } from "./payload";
import { read, written } from "./state/address";
import { Store } from "./state/state";

const KEY = "tree"; // in the address

export class Trees {
  readonly payloads: Payload[];
  which = 0;
  private readonly apps: (App | undefined)[] = [];
  private readonly listeners = new Set<() => void>();

  constructor(payload: Payload) {
    this.payloads = [payload, ...(payload.alternatives ?? []).map((other) => ({ ...payload, ...other }))];
  }

  get app(): App {
    return this.appAt(this.which, "");
  }

  private appAt(which: number, address: string): App {
    const known = this.apps[which];
    if (known) return known;
    const payload = this.payloads[which];
    const tree = new Tree(payload);
    const app = new App(payload, tree, new Store(read(address, { ...payload, tree })));
    app.store.listen(() => this.notify());
    return (this.apps[which] = app);
  }

  choose(which: number): void {
    this.which = which;
    this.notify();
  }

  /** Take up an address: which tree, and its state. */
  go(address: string): void {
    const wanted = Number(new URLSearchParams(address.replace(/^#/, "")).get(KEY) ?? 0);
    this.which = this.payloads[wanted] ? wanted : 0;
    const fresh = !this.apps[this.which];
    const app = this.appAt(this.which, address);
    if (!fresh) app.store.update(read(address, { ...app.payload, tree: app.tree }));
    this.notify();
  }

  get address(): string {
    const state = written(this.app.store.state);
    return this.which ? `${KEY}=${this.which}${state && `&${state}`}` : state;
  }

  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private notify(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

export const TreesContext = createContext<Trees>(null as unknown as Trees);

export function useTrees(): Trees {
  return useContext(TreesContext);
}
