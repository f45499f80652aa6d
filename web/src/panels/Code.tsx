// A command or a piece of code, with a button that copies it.
import { useState } from "preact/hooks";

export function Code({ name, text }: { name: string; text: string }) {
  const [label, setLabel] = useState("Copy");
  const copy = () => {
    const done = navigator.clipboard?.writeText(text);
    if (!done) return setLabel("Select and copy it");
    done.then(() => setLabel("Copied"), () => setLabel("Select and copy it")).then(() => setTimeout(() => setLabel("Copy"), 2500));
  };
  return (
    <div class="code">
      <p class="code-name"><span>{name}</span><button type="button" class="link" onClick={copy}>{label}</button></p>
      <pre tabIndex={0} aria-label={name}><code>{text}</code></pre>
    </div>
  );
}
