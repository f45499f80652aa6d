// The model card: what the model is for, where it comes from, and whether its file is as it was written.
import { useApp } from "../app";
import { usePaper } from "../view/paper";
import { Section } from "./Section";

const VERIFIED = "Verified: the hash in the model file matches its content.";
const UNVERIFIED = "Unverified: the model file was changed after it was written, or has no hash.";

export function ModelCard() {
  const { payload } = useApp();
  const { card } = payload;
  if (!card) return <p class="quiet">This page has no model card.</p>;
  const verified = card.verified === null ? "The model was not read from a file." : card.verified ? VERIFIED : UNVERIFIED;
  return (
    <div class="card" data-testid="card">
      <h4>Intended use</h4>
      <p>{card.intended_use ? <bdi>{card.intended_use}</bdi> : <span class="quiet">Not stated.</span>}</p>
      <h4>Verification</h4>
      <p class={card.verified === false ? "error" : ""}>{verified}</p>
      <h4>Facts</h4>
      <dl class="figures card-facts">
        {card.rows.map(([name, text]) => <div key={name}><dt>{name}</dt><dd><bdi>{text}</bdi></dd></div>)}
      </dl>
      <h4>Training data</h4>
      <p class="quiet">{card.data_note}</p>
      {card.data_sha256 && <p><code class="hash">{card.data_sha256}</code></p>}
      <h4>SHA-256 of the model file</h4>
      <p><code class="hash">{card.model_sha256}</code></p>
      <p class="quiet">All parameters and the code that fits this model are below, under “Settings and code”.</p>
    </div>
  );
}

/** On paper the card is a section of its own, whichever panel was open. */
export function PrintCard() {
  return usePaper() ? <Section id="card" name="Model card"><ModelCard /></Section> : null;
}
