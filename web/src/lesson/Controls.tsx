// The steps: first, back, play, forward, last, and a slider. Keys do the same: see main.tsx.
interface Props {
  at: number;
  last: number;
  playing: boolean;
  go: (to: number) => void;
  play: () => void;
}

export function Controls({ at, last, playing, go, play }: Props) {
  return (
    <div class="controls" role="group" aria-label="Steps">
      <button type="button" onClick={() => go(0)} disabled={at === 0} aria-label="First step" title="First step (Home)">|◀</button>
      <button type="button" onClick={() => go(at - 1)} disabled={at === 0} aria-label="Step back" title="Step back (left arrow)">◀ Back</button>
      <button type="button" class="forward" onClick={() => go(at + 1)} disabled={at === last} aria-label="Step forward" title="Step forward (right arrow)">Forward ▶</button>
      <button type="button" onClick={() => go(last)} disabled={at === last} aria-label="Last step" title="Last step (End)">▶|</button>
      <button type="button" onClick={play} aria-pressed={playing} title="Play and pause (space)">{playing ? "Pause" : "Play"}</button>
      <label class="step-slider">
        <span>{at < last ? `Step ${at + 1} of ${last}` : `After ${last} ${last === 1 ? "step" : "steps"}`}</span>
        <input type="range" min={0} max={last} value={at} onInput={(event) => go(Number(event.currentTarget.value))} aria-valuetext={at < last ? `step ${at + 1} of ${last}` : "finished"} />
      </label>
    </div>
  );
}
