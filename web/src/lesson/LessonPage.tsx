// The lesson page: how a tree grows, step by step, from one JSON payload.
import { useEffect, useRef, useState } from "preact/hooks";
import { classColour } from "../view/colours";
import { choose as chooseTheme, useDark } from "../view/dark";
import { Candidates } from "./Candidates";
import { ColumnPlot } from "./ColumnPlot";
import { Controls } from "./Controls";
import { percent, plural } from "../view/words";
import type { Lesson, Step } from "./payload";
import { TreeSoFar } from "./TreeSoFar";

const PAUSE = 2600; // milliseconds of a step that is played
const figure = (value: number) => Number(value.toPrecision(3)).toLocaleString("en");

function stepInAddress(last: number): number {
  const found = Number(/step=(\d+)/.exec(location.hash)?.[1] ?? 1) - 1;
  return Math.max(0, Math.min(last, found));
}

export function LessonPage({ lesson }: { lesson: Lesson }) {
  const last = lesson.steps.length;
  const [at, set] = useState(stepInAddress(last));
  const [shown, choose] = useState(0);
  const [playing, play] = useState(false);
  const now = useRef(at); // keys may follow each other before the page is drawn again
  const go = (to: number) => {
    const next = Math.max(0, Math.min(last, to));
    now.current = next;
    set(next);
    choose(0);
    history.replaceState(null, "", `#step=${next + 1}`);
  };
  const playOrPause = () => (now.current >= last && go(0), play(!playing));
  useEffect(() => {
    const follow = () => go(stepInAddress(last));
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, []);
  useEffect(() => {
    if (!playing) return;
    if (at >= last) return play(false);
    const timer = setTimeout(() => go(at + 1), PAUSE);
    return () => clearTimeout(timer);
  }, [playing, at]);
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      const inside = event.target as HTMLElement;
      if (event.altKey || event.ctrlKey || event.metaKey || inside.tagName === "INPUT") return;
      const to: Record<string, number> = { ArrowRight: now.current + 1, ArrowLeft: now.current - 1, Home: 0, End: last };
      if (event.key === " " && inside.tagName !== "BUTTON") playOrPause();
      else if (event.key in to && !inside.classList.contains("so-far")) go(to[event.key]);
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  });
  const step = lesson.steps[at];
  return (
    <>
      <Header lesson={lesson} />
      <main>
        <Controls at={at} last={last} playing={playing} go={(to) => (play(false), go(to))} play={playOrPause} />
        <p class="visually-hidden" role="status">{step ? `Step ${at + 1} of ${last}. ${step.sentence}` : "The tree is finished."}</p>
        <div class="lesson">
          <section aria-labelledby="so-far-name" class="lesson-tree">
            <h2 id="so-far-name">The tree so far</h2>
            <TreeSoFar lesson={lesson} done={at} />
            <Key lesson={lesson} />
          </section>
          <section aria-labelledby="question-name" class="lesson-step">
            {step ? <Question lesson={lesson} step={step} shown={shown} choose={choose} /> : <End lesson={lesson} />}
          </section>
          {step && <OnData lesson={lesson} step={step} shown={shown} />}
        </div>
        <HowToRead lesson={lesson} />
      </main>
    </>
  );
}

function Header({ lesson }: { lesson: Lesson }) {
  const dark = useDark();
  const rows = `${plural(lesson.rows, "row")}, ${plural(lesson.columns, "column")}, ${plural(lesson.splits, "split")}.`;
  return (
    <header class="title">
      <div>
        <h1><bdi>{lesson.title}</bdi></h1>
        <p class="quiet">{rows} Criterion: {lesson.criterion}. Order: {lesson.order}.</p>
      </div>
      <div class="actions"><button type="button" onClick={() => chooseTheme(dark ? "light" : "dark")}>{dark ? "Light" : "Dark"}</button></div>
    </header>
  );
}

function Question({ lesson, step, shown, choose }: { lesson: Lesson; step: Step; shown: number; choose: (place: number) => void }) {
  const facts = lesson.nodes[step.node];
  return (
    <>
      <h2 id="question-name">Which split for {step.node ? "this leaf" : "all rows"}?</h2>
      <p>
        {step.path ? <><bdi>{step.path}</bdi>: </> : ""}
        {plural(facts.rows, "row")}, {lesson.impurity} {step.impurity}
      </p>
      {facts.shares && step.counts && <Shares lesson={lesson} shares={facts.shares} counts={step.counts} />}
      <p class="why"><strong><bdi>{step.sentence}</bdi></strong></p>
      {step.waiting.length > 0 && <p class="quiet">This leaf comes first: splitting it gains {figure(step.gain)} in total. The best of the other leaves gains {figure(Math.max(...step.waiting.map(([, gain]) => gain)))}.</p>}
      <Candidates lesson={lesson} step={step} shown={shown} choose={choose} />
    </>
  );
}

function OnData({ lesson, step, shown }: { lesson: Lesson; step: Step; shown: number }) {
  const candidate = step.candidates[Math.min(shown, step.candidates.length - 1)];
  return (
    <section class="lesson-data" aria-labelledby="data-name">
      <h2 id="data-name"><bdi>{candidate.column}</bdi> in the rows of {step.node ? "this leaf" : "the table"}</h2>
      <ColumnPlot lesson={lesson} candidate={candidate} />
    </section>
  );
}

function Shares({ lesson, shares, counts }: { lesson: Lesson; shares: number[]; counts: number[] }) {
  const dark = useDark();
  const words = counts.flatMap((rows, k) => (rows > 0 ? [`${lesson.classes![k]}: ${rows.toLocaleString("en")}${lesson.weighted ? ` (${percent(shares[k])} by weight)` : ""}`] : []));
  return (
    <>
      <div class="strip" aria-hidden="true">{shares.map((share, k) => <span key={k} style={{ width: `${100 * share}%`, background: classColour(k, dark) }} />)}</div>
      <p class="quiet"><bdi>{words.slice(0, 8).join(", ")}</bdi>{words.length > 8 && ", …"}</p>
    </>
  );
}

function End({ lesson }: { lesson: Lesson }) {
  return (
    <>
      <h2 id="question-name">The tree is finished</h2>
      <p>No leaf is split any more.</p>
      <ul class="ends">{lesson.ends.map((end) => <li key={end}>{end}</li>)}</ul>
    </>
  );
}

function Key({ lesson }: { lesson: Lesson }) {
  const dark = useDark();
  return (
    <p class="key">
      <span class="mark next-mark" /> split next <span class="mark new-mark" /> new
      {lesson.classes?.slice(0, 8).map((name, k) => <span key={k} class="item" title={name}><span class="swatch" style={{ background: classColour(k, dark) }} /> <bdi>{name}</bdi></span>)}
      {(lesson.classes?.length ?? 0) > 8 && ` … and ${plural(lesson.classes!.length - 8, "more class", "more classes")}`}
    </p>
  );
}

function HowToRead({ lesson }: { lesson: Lesson }) {
  return (
    <section class="how">
      <h2>How to read this page</h2>
      <p>
        A tree grows by splitting one leaf at a time. For every column the best split of the rows in that leaf is found. Its gain is how much
        lower the impurity ({lesson.impurity}) is on average after the split, per row. {lesson.rule} Select
        another split in the list to see it on its data. The number on a card is its
        rows; {lesson.classes ? `the bar shows their classes${lesson.weighted ? " by weight" : ""}.` : "a dot in the plot is a row, or the mean target of many rows, larger for more of them."}
      </p>
      <p class="quiet">Keys: left and right arrow for one step, Home and End for the first and the last, space to play.</p>
      {lesson.notes.map((note) => <p key={note} class="quiet">{note}</p>)}
    </section>
  );
}

