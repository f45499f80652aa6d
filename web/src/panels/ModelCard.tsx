// The model card: what the model is for, where it comes from, and whether its file is as it was written.
import { useAppState } from "../app";
import { usePaper } from "../view/paper";
import { Section } from "./Section";

const VERIFIED = "Verified: the hash in the model file matches its content.";
const UNVERIFIED = "Unverified: the model file was changed after it was written, or has no hash.";

export function ModelCard() {
  const [app, state] = useAppState();
  const { payload } = app;
  const { card } = payload;
  if (!card) return <p class="quiet">This page has no model card.</p>;
  const changed = payload.settings.filter((each) => each.changed);
  const verified = card.verified === null ? "The model was not read from a file." : card.verified ? VERIFIED : UNVERIFIED;
  return (
    <div class="card" data-testid="card">
      {app.leavesUnpruned(state) !== null && <p class="quiet">This card is of the model as fitted, not of the pruned tree shown.</p>}
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
      <h4>Options that differ from their defaults</h4>
      {changed.length > 0
        ? <dl class="figures card-facts">{changed.map(({ name, value }) => <div key={name}><dt>{name}</dt><dd><bdi>{value}</bdi></dd></div>)}</dl>
        : <p class="quiet">None.</p>}
      {payload.command && <p>Command: <code class="command">{payload.command.split(" ").map((part, k) => <span key={k}><bdi>{part}</bdi> </span>)}</code></p>}
      <p class="quiet">All parameters and the code that fits this model are below, under “Settings and code”.</p>
    </div>
  );
}

/** On paper the card is a section of its own, whichever panel was open. */
export function PrintCard() {
  return usePaper() ? <Section id="card" name="Model card"><ModelCard /></Section> : null;
}
