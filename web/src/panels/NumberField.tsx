// A field for a number that takes effect while it is typed, as long as it makes sense.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

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

export function NumberField({ label, value, least = -Infinity, most = Infinity, set }: Props) {
  const [text, setText] = useState(written(value));
  const read = text.trim() === "" ? NaN : Number(text);
  const wrong = !(read >= least && read <= most);
  useEffect(() => {
    if (Math.abs(Number(text) - value) > 1e-6 * Math.abs(value) || text.trim() === "") setText(written(value));
  }, [value]);
  return (
    <label class="field">
      <span>{label}</span>
      <input
        inputMode="decimal"
        value={text}
        aria-invalid={wrong}
        onInput={(event) => {
          const next = event.currentTarget.value;
          setText(next);
          const number = next.trim() === "" ? NaN : Number(next);
          if (number >= least && number <= most) set(number);
        }}
      />
    </label>
  );
}
