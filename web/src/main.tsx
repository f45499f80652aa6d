// The page: a pure function of the payload in the document and the state in the address. It is a report or a lesson.
import { render } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { AppContext } from "./app";
import { expose } from "./api";
import { LessonPage } from "./lesson/LessonPage";
import type { Lesson } from "./lesson/payload";
import { parse } from "./model/parse";
import { Evaluation } from "./panels/Evaluation";
import { Header } from "./panels/Header";
import { Importance } from "./panels/Importance";
import { PrintCard } from "./panels/ModelCard";
import { PrintTree } from "./panels/PrintTree";
import { Rules } from "./panels/Rules";
import { Scores } from "./panels/Scores";
import { Check, Comparison, Notes, Settings } from "./panels/Sections";
import { TopRules } from "./panels/TopRules";
import { BothScores } from "./panels/TreeSwitch";
import { Workspace } from "./panels/Workspace";
import type { Payload } from "./payload";
import { Trees, TreesContext } from "./trees";

function Page({ trees }: { trees: Trees }) {
  const [which, setWhich] = useState(trees.which);
  useLayoutEffect(() => trees.listen(() => setWhich(trees.which)), [trees]);
  const { app } = trees;
  const toTree = (event: Event) => {
    event.preventDefault();
    document.querySelector<HTMLElement>('[role="treeitem"][tabindex="0"]')?.focus();
  };
  return (
    <TreesContext.Provider value={trees}>
      <AppContext.Provider value={app} key={which}>
        <a class="skip" href="#the-tree" onClick={toTree}>Go to the tree</a>
        <Header />
        <main>
          <PrintTree />
          <Workspace />
          <div class="first">
            <div>
              <Scores />
              <BothScores />
            </div>
            <TopRules />
          </div>
          <Evaluation />
          <Importance />
          <Rules />
          <Check />
          <Comparison />
          <Settings />
          <Notes />
          <PrintCard />
        </main>
        <footer class="end">Made by {app.payload.created_by}. The page is one file; it loads nothing and sends nothing.</footer>
      </AppContext.Provider>
    </TreesContext.Provider>
  );
}

function keepAddress(trees: Trees): void {
  let own = "";
  let timer = 0;
  trees.listen(() => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      own = trees.address;
      try {
        history.replaceState(null, "", own ? `#${own}` : location.pathname + location.search);
      } catch {
        // a frame without an address of its own
      }
    }, 120);
  });
  window.addEventListener("hashchange", () => {
    if (location.hash.replace(/^#/, "") !== own) trees.go(location.hash);
  });
}

function start(): void {
  const payload = parse(document.getElementById("treewright-data")!.textContent!) as Payload | Lesson;
  const place = document.getElementById("page")!;
  place.textContent = "";
  if (payload.format === "treewright lesson") return render(<LessonPage lesson={payload} />, place);
  const trees = new Trees(payload);
  trees.go(location.hash);
  expose(trees.app);
  render(<Page trees={trees} />, place);
  keepAddress(trees);
}

start();
