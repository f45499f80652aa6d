// The parts of the page that are read: the data check, the comparison, the settings, the notes.
import { useState } from "preact/hooks";
import { useApp } from "../app";
import { short } from "../view/words";
import { Code } from "./Code";
import { Section } from "./Section";

const SEVERITIES = { high: "High", medium: "Medium", low: "Low" } as const;

export function Check() {
  const { payload } = useApp();
  const { check, check_note, check_summary } = payload;
  if (!check && !check_note) return null;
  return (
    <Section id="check" name="Warnings" words={check_summary}>
      {check && check.length === 0 && <p>No warnings about the data.</p>}
      {check && check.length > 0 && (
        <ul class="findings">
          {check.map((each, k) => (
            <li key={k} class={`severity-${each.severity}`}>
              <span class="tag">{SEVERITIES[each.severity]}</span>
              <bdi>{each.sentence}</bdi>
            </li>
          ))}
        </ul>
      )}
      {check_note && <p class="quiet">{check_note}</p>}
    </Section>
  );
}

export function Comparison() {
  const { payload } = useApp();
  const { comparison, comparison_note } = payload;
  if (!comparison) return comparison_note ? <Section id="comparison" name="Comparison with other models"><p class="quiet">{comparison_note}</p></Section> : null;
  const write = (cell: unknown) => (typeof cell === "number" ? short(cell) : cell === null || cell === undefined ? "–" : String(cell));
  return (
    <Section id="comparison" name="Comparison with other models" words={comparison.words}>
      <div class="scroll" tabIndex={0} role="group" aria-label="Table of models">
        <table class="plain">
          <thead>
            <tr>{comparison.columns.map((name, k) => <th key={name} scope="col" class={k ? "number" : ""}>{name}</th>)}</tr>
          </thead>
          <tbody>
            {comparison.rows.map((row, at) => (
              <tr key={at} class={row[0] === "treewright" ? "chosen" : ""}>
                {row.map((cell, k) => (k ? <td key={k} class="number">{write(cell)}</td> : <th key={k} scope="row"><bdi>{write(cell)}</bdi></th>))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

export function Settings() {
  const { payload } = useApp();
  const [all, setAll] = useState(false);
  const { settings, command, python, model } = payload;
  const changed = settings.filter((each) => each.changed);
  const shown = all ? settings : changed;
  return (
    <Section id="settings" name="Settings and code">
      {command && <Code name="On the command line" text={command} />}
      {python && <Code name="In Python" text={python.trimEnd()} />}
      {shown.length > 0 && (
        <div class="scroll" tabIndex={0} role="group" aria-label="Table of parameters">
          <table class="plain settings">
            <thead><tr><th scope="col">Parameter</th><th scope="col">Value</th><th scope="col">Default</th></tr></thead>
            <tbody>
              {shown.map((each) => (
                <tr key={each.name} class={all && each.changed ? "chosen" : ""}>
                  <th scope="row">{each.name}</th>
                  <td><bdi>{each.value}</bdi></td>
                  <td class="quiet"><bdi>{each.default}</bdi></td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {changed.length === 0 && !all && <p class="quiet">All parameters have their defaults.</p>}
      {!all && settings.length > changed.length && <button type="button" onClick={() => setAll(true)}>Show all {settings.length} parameters</button>}
      {model.decision?.words && <p class="quiet">Decision: <bdi>{model.decision.words}</bdi></p>}
    </Section>
  );
}

export function Notes() {
  const { payload } = useApp();
  if (!payload.notes.length) return null;
  return (
    <Section id="notes" name="Notes">
      <ul class="notes">{payload.notes.map((note, k) => <li key={k}><bdi>{note}</bdi></li>)}</ul>
    </Section>
  );
}
