// The top of the page: what the model predicts and how well. It is short, so that the whole tree is in view below it.
import { useApp } from "../app";
import { choose, useDark } from "../view/dark";
import { Summary } from "./Summary";
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
      <Summary />
    </header>
  );
}
