// The page: a pure function of the payload in the document and the state in the address.
import { render } from "preact";
import { App, AppContext } from "./app";
import { expose } from "./api";
import { parse } from "./model/parse";
import { Tree } from "./model/tree";
import { Header } from "./panels/Header";
import { Importance } from "./panels/Importance";
import { PrintTree } from "./panels/PrintTree";
import { Rules } from "./panels/Rules";
import { Check, Comparison, Notes, Settings } from "./panels/Sections";
import { Workspace } from "./panels/Workspace";
import type { Payload } from "./payload";
import { read, written } from "./state/address";
import { Store } from "./state/state";

function Page({ app }: { app: App }) {
  return (
    <AppContext.Provider value={app}>
      <a class="skip" href="#the-tree" onClick={(event) => { event.preventDefault(); document.querySelector<HTMLElement>('[role="treeitem"][tabindex="0"]')?.focus(); }}>Go to the tree</a>
      <Header />
      <main>
        <PrintTree />
        <Workspace />
        <Importance />
        <Rules />
        <Check />
        <Comparison />
        <Settings />
        <Notes />
      </main>
      <footer class="end">Made by {app.payload.created_by}. The page is one file; it loads nothing and sends nothing.</footer>
    </AppContext.Provider>
  );
}

function keepAddress(app: App): void {
  let own = "";
  let timer = 0;
  app.store.listen((state) => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      own = written(state);
      try {
        history.replaceState(null, "", own ? `#${own}` : location.pathname + location.search);
      } catch {
        // a frame without an address of its own
      }
    }, 120);
  });
  window.addEventListener("hashchange", () => {
    if (location.hash.replace(/^#/, "") !== own) app.store.update(read(location.hash, { ...app.payload, tree: app.tree }));
  });
}

function start(): void {
  const payload = parse(document.getElementById("treewright-data")!.textContent!) as Payload;
  const tree = new Tree(payload);
  const store = new Store(read(location.hash, { ...payload, tree }));
  const app = new App(payload, tree, store);
  expose(app);
  const place = document.getElementById("page")!;
  place.textContent = "";
  render(<Page app={app} />, place);
  keepAddress(app);
}

start();
