// Conditions as text: from left to right, only names and levels may run from right to left; thresholds are rounded, exact in the hint.
import type { Payload } from "../payload";
import { runs, tidied } from "./digits";
import { conditionOf } from "./words";

/** A text that may be broken after _ too, as names of columns are best. */
export function Breakable({ text }: { text: string }) {
  return <>{text.split(/(?<=_)(?!_)/).map((part, k) => (k ? [<wbr key={k} />, part] : part))}</>;
}

function Runs({ text }: { text: string }) {
  return <>{runs(text).map((part, k) => (k % 2 ? <bdi key={k}><Breakable text={part} /></bdi> : <Breakable key={k} text={part} />))}</>;
}

/** A condition, or several of them. */
export function ConditionText({ text }: { text: string | null | undefined }) {
  const exact = text ?? "";
  const shown = tidied(exact);
  return <span dir="ltr" title={shown === exact ? undefined : exact}><Runs text={shown} /></span>;
}

/** The condition of the branch to a node, in a line: the name is cut before a number is. */
export function BranchCondition({ payload, node }: { payload: Payload; node: number }) {
  if (node === 0) return <span class="condition">All rows</span>;
  const { name, rest, text, fixed } = conditionOf(payload, node);
  const five = tidied(rest, 5);
  const shown = five.length > 10 ? tidied(rest, 4) : five;
  return (
    <span class="condition" dir="ltr" title={text}>
      <bdi class="condition-name">{name}</bdi>
      <span class={fixed ? "condition-rest fixed" : "condition-rest"}>{" "}<Runs text={shown} /></span>
    </span>
  );
}
