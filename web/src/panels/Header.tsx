// The top of the page: what the model predicts, how well, and by which rules.
import { useApp } from "../app";
import { choose, useDark } from "../view/dark";
import { Scores } from "./Scores";
import { Summary } from "./Summary";
import { TopRules } from "./TopRules";
import { TreeSwitch } from "./TreeSwitch";

export function Header() {
  const { payload } = useApp();
  const dark = useDark();
  return (
    <header class="top">
      {payload.card?.verified === false && (
        <p class="banner" role="alert">
          <strong>Unverified model file.</strong> The file was changed after it was written, or has no hash. Nothing on this page can be relied on.
        </p>
      )}
      <div class="title">
        <h1><bdi>{payload.title}</bdi></h1>
        <p class="actions">
          <button type="button" onClick={() => window.print()}>Print</button>
          <button type="button" aria-pressed={dark} onClick={() => choose(dark ? "light" : "dark")}>Dark</button>
        </p>
      </div>
      <TreeSwitch />
      <div class="first">
        <div>
          <Summary />
          <Scores />
        </div>
        <TopRules />
      </div>
    </header>
  );
}
