// A field for a number that takes effect while it is typed, and says which numbers it takes.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useState } from "preact/hooks";

interface Props {
  label: ComponentChildren;
  value: number;
  least?: number;
  most?: number;
  set: (value: number) => void;
}

function written(value: number): string {
  return String(Number(value.toPrecision(6)));
}

// A comma may stand for the point. Where it could part thousands as well, as in 1,500, it is not guessed.
function numberIn(text: string): number {
  const bare = text.trim();
  if (!/^[-+]?(\d+[.,]?\d*|[.,]\d+)(e[-+]?\d+)?$/i.test(bare) || /^[-+]?[1-9]\d{0,2},\d{3}$/.test(bare)) return NaN;
  return Number(bare.replace(",", "."));
}

export function NumberField({ label, value, least = -Number.MAX_VALUE, most = Number.MAX_VALUE, set }: Props) {
  const id = useId();
  const [text, setText] = useState(written(value));
  const fits = (number: number) => number >= least && number <= most;
  const wrong = !fits(numberIn(text));
  useEffect(() => {
    if (!(Math.abs(numberIn(text) - value) <= 1e-6 * Math.abs(value))) setText(written(value));
  }, [value]);
  const range = least > -Number.MAX_VALUE ? ` from ${written(least)} to ${written(most)}` : "";
  return (
    <div class="field">
      <label for={id}><span>{label}</span></label>
      <input
        id={id}
        inputMode="decimal"
        autoComplete="off"
        value={text}
        aria-invalid={wrong}
        aria-describedby={wrong ? `${id}-error` : undefined}
        onInput={(event) => {
          const next = event.currentTarget.value;
          setText(next);
          if (fits(numberIn(next))) set(numberIn(next));
        }}
      />
      {wrong && <p id={`${id}-error`} class="error">A number{range}{/,/.test(text) && ", without a comma"}. {written(value)} still holds.</p>}
    </div>
  );
}
