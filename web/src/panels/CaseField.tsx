// One column of the case: a field by its kind, a slider for numbers, and a lock against changes.
import { useId } from "preact/hooks";
import { levelMeant, levelText, useAppState } from "../app";
import type { Cell } from "interpreter";
import { num } from "../model/parse";
import { flipped } from "../view/visible";

const MOST_OPTIONS = 300; // in a list to choose from; more are offered while one types
const MOST_OFFERED = 5000;

export function CaseField({ column, error, cell }: { column: number; error: string | undefined; cell: Cell }) {
  const [app, state] = useAppState();
  const id = useId();
  const { tree, payload } = app;
  const { kind } = tree.columns[column];
  const text = app.fieldText(column, state);
  const set = (value: string) => app.store.update({ cells: { ...state.cells, [column]: value } });
  const levels = kind === "boolean" ? ["false", "true"] : tree.levels[column].map(levelText);
  const hasLevels = kind === "nominal" || kind === "ordered";
  const listed = (hasLevels || kind === "boolean") && levels.length <= MOST_OPTIONS;
  const unseen = hasLevels && !listed && text !== "" && !levels.includes(text);
  const locked = state.locked.has(column);
  const facts = payload.columns[column];
  const [low, high] = [num(facts?.low), num(facts?.high)];
  const slides = kind === "number" && high > low;
  const value = kind === "boolean" && text !== "" ? String(cell === 1) : text;
  return (
    <div class={`case-field${locked ? " locked" : ""}`}>
      <label for={id}><bdi>{tree.names[column]}</bdi></label>
      <button
        type="button"
        class="lock"
        aria-pressed={locked}
        aria-label={`Lock ${tree.names[column]}`}
        title="Lock: the smallest change must not alter this column"
        onClick={() => app.store.update({ locked: flipped(state.locked, column) })}
      >
        {locked ? "Locked" : "Lock"}
      </button>
      {listed ? (
        <select id={id} value={value} onChange={(event) => set(event.currentTarget.value)}>
          <option value="">(missing value)</option>
          {levels.map((level, k) => <option key={k} value={level}>{levelMeant(level) || "(empty text)"}</option>)}
          {!levels.includes(value) && value !== "" && <option value={value}>{levelMeant(value)} (not seen before)</option>}
        </select>
      ) : (
        <input
          id={id}
          value={text}
          placeholder="missing"
          inputMode={kind === "number" ? "decimal" : "text"}
          autoComplete="off"
          spellcheck={false}
          aria-invalid={error !== undefined}
          aria-describedby={error ? `${id}-error` : unseen ? `${id}-note` : undefined}
          list={hasLevels ? `${id}-levels` : undefined}
          onInput={(event) => set(event.currentTarget.value)}
        />
      )}
      {slides && (
        <input
          type="range"
          min={low}
          max={high}
          step={facts.whole ? 1 : "any"}
          class={cell === null ? "unset" : ""}
          value={cell === null ? (low + high) / 2 : Number(cell)}
          aria-valuetext={cell === null ? "missing" : undefined}
          aria-label={`${tree.names[column]} from ${low} to ${high}`}
          onInput={(event) => set(tidy(Number(event.currentTarget.value), high - low))}
        />
      )}
      {hasLevels && !listed && <datalist id={`${id}-levels`}>{levels.slice(0, MOST_OFFERED).map((level, k) => <option key={k} value={level} />)}</datalist>}
      {unseen && <p id={`${id}-note`} class="quiet">Not seen before{kind === "ordered" ? ", so it counts as missing" : ""}.</p>}
      {error && <p id={`${id}-error`} class="error">{error}</p>}
    </div>
  );
}

// As many digits as a hundredth of the range needs.
function tidy(value: number, span: number): string {
  const digits = Math.max(0, Math.min(12, 2 - Math.floor(Math.log10(span))));
  return String(Number(value.toFixed(digits)));
}
