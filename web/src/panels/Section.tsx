// A part of the page below the tree, with its heading.
import type { ComponentChildren } from "preact";

interface Props {
  id: string;
  name: string;
  words?: string | null;
  children: ComponentChildren;
}

export function Section({ id, name, words, children }: Props) {
  return (
    <section id={id} class="section" aria-labelledby={`${id}-name`}>
      <h2 id={`${id}-name`}>{name}</h2>
      <div class="content">
        {words && <p class="lead">{words}</p>}
        {children}
      </div>
    </section>
  );
}
