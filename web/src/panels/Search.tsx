// Find the nodes that test a column.
import { useAppState } from "../app";
import { plural } from "../view/words";
import { matches } from "./sceneOf";

export function Search() {
  const [app, state] = useAppState();
  const found = matches(app, state.query);
  const step = (by: number) => {
    if (!found.length) return;
    const at = found.indexOf(state.node);
    const next = at < 0 ? (by > 0 ? 0 : found.length - 1) : (at + by + found.length) % found.length;
    app.select(found[next]);
  };
  return (
    <form
      class="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        step(1);
      }}
    >
      <input
        type="search"
        aria-label="Find a column in the tree"
        placeholder="Find a column"
        value={state.query}
        onInput={(event) => app.store.update({ query: event.currentTarget.value })}
      />
      <span class="found" role="status">{state.query.trim() ? plural(found.length, "node") : ""}</span>
      {found.length > 0 && (
        <span class="group">
          <button type="button" aria-label="Previous node" onClick={() => step(-1)}>↑</button>
          <button type="button" aria-label="Next node" onClick={() => step(1)}>↓</button>
        </span>
      )}
    </form>
  );
}
