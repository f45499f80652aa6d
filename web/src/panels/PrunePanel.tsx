// Pruning: a slider over the nested trees, and what each of them loses.
import { useAppState } from "../app";
import { Axes, BOX, points, scaleOf } from "../charts/axes";
import { num } from "../model/parse";
import type { Pruning } from "../payload";
import { plural, short } from "../view/words";
import { ThisTree } from "./ThisTree";

export function PrunePanel() {
  const [app, state] = useAppState();
  const { pruning, pruning_note } = app.payload;
  if (!pruning) return <><p class="quiet">{pruning_note ?? "There is nothing to prune."}</p><ThisTree app={app} state={state} /></>;
  const { steps } = pruning;
  const step = steps[state.step];
  const go = (to: number) => app.store.update({ step: to });
  const last = steps.length - 1;
  const heldOut = steps.some((each) => each.held_out_loss !== null);
  return (
    <div>
      <p class="eyebrow">Pruning</p>
      <h3 class="headline">{plural(step.leaves, "leaf", "leaves")}</h3>
      <p class="quiet">{state.step === pruning.original ? "The original model." : `The original model has ${plural(steps[pruning.original].leaves, "leaf", "leaves")}.`}</p>
      <label class="slider">
        <span>Move right for a simpler tree</span>
        <input
          type="range"
          min={0}
          max={last}
          step={1}
          value={state.step}
          aria-valuetext={`${plural(step.leaves, "leaf", "leaves")}, ${pruning.loss} ${short(step.held_out_loss ?? step.training_loss)}`}
          onInput={(event) => go(Number(event.currentTarget.value))}
        />
      </label>
      <p class="choices">
        <button type="button" aria-pressed={state.step === pruning.original} onClick={() => go(pruning.original)}>Original</button>
        {pruning.best !== null && <button type="button" aria-pressed={state.step === pruning.best} onClick={() => go(pruning.best!)}>Lowest {pruning.loss}</button>}
        {pruning.one_se !== null && <button type="button" aria-pressed={state.step === pruning.one_se} onClick={() => go(pruning.one_se!)}>Simplest within 1 SE</button>}
        <button type="button" aria-pressed={state.step === last} onClick={() => go(last)}>Root only</button>
      </p>
      <Curve pruning={pruning} step={state.step} go={go} />
      <dl class="figures">
        <div><dt>{pruning.loss}, training rows</dt><dd>{short(step.training_loss)}</dd></div>
        {heldOut && (
          <div>
            <dt>{pruning.loss}, unseen rows</dt>
            <dd>{short(step.held_out_loss)}<small>{step.held_out_loss_se !== null && ` ± ${short(step.held_out_loss_se)}`}</small></dd>
          </div>
        )}
      </dl>
      {!heldOut && !pruning_note && <p class="quiet">No loss on unseen rows: the report was made without rows.</p>}
      <ThisTree app={app} state={state} />
      {pruning_note && <p class="quiet">{pruning_note}</p>}
    </div>
  );
}

function Curve({ pruning, step, go }: { pruning: Pruning; step: number; go: (to: number) => void }) {
  const { steps } = pruning;
  const losses = steps.flatMap((each) => [num(each.training_loss), num(each.held_out_loss) - num(each.held_out_loss_se), num(each.held_out_loss) + num(each.held_out_loss_se), num(each.held_out_loss)]);
  const finite = losses.filter(Number.isFinite);
  if (!finite.length) return null;
  const [low, high] = [Math.min(...finite), Math.max(...finite)];
  const x = scaleOf(0, Math.max(1, steps.length - 1), BOX.left, BOX.width - BOX.right);
  const y = scaleOf(low, high, BOX.height - BOX.bottom, BOX.top + 12);
  x.ticks = [];
  const line = (read: (k: number) => number) => {
    const found = steps.map((_, k) => [x(k), y(read(k))] as const).filter(([, at]) => Number.isFinite(at));
    return points(found);
  };
  const band = [
    ...steps.map((each, k) => [x(k), y(num(each.held_out_loss) + num(each.held_out_loss_se))] as const),
    ...steps.map((each, k) => [x(k), y(num(each.held_out_loss) - num(each.held_out_loss_se))] as const).reverse(),
  ].filter(([, at]) => Number.isFinite(at));
  const labels = [...new Set([0, Math.floor((steps.length - 1) / 2), steps.length - 1])];
  const click = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * BOX.width;
    const share = (at - BOX.left) / (BOX.width - BOX.right - BOX.left);
    go(Math.round(Math.min(1, Math.max(0, share)) * (steps.length - 1)));
  };
  return (
    <div class="clickable" onClick={click}>
      <Axes x={x} y={y} xName="leaves" yName={pruning.loss} label={`${pruning.loss} along the pruning sequence, on training and on unseen rows`}>
        {band.length > 2 && <polygon class="band" points={points(band)} />}
        <polyline class="line train" points={line((k) => num(steps[k].training_loss))} />
        <polyline class="line" points={line((k) => num(steps[k].held_out_loss))} />
        {labels.map((k) => (
          <text key={k} x={x(k)} y={BOX.height - BOX.bottom + 14} text-anchor={k === 0 ? "start" : k === steps.length - 1 ? "end" : "middle"}>{steps[k].leaves}</text>
        ))}
        {[["dot hollow", pruning.one_se], ["dot", pruning.best]].map(([name, at]) =>
          typeof at === "number" && Number.isFinite(num(steps[at].held_out_loss)) ? <circle key={name} class={String(name)} cx={x(at)} cy={y(num(steps[at].held_out_loss))} r={name === "dot" ? 3.5 : 5} /> : null,
        )}
        <line class="mark" x1={x(step)} x2={x(step)} y1={BOX.top + 6} y2={BOX.height - BOX.bottom} />
      </Axes>
      <p class="key"><span class="stroke" /> unseen rows, ± 1 SE <span class="item"><span class="stroke dashed" /> training</span>
        {pruning.best !== null && <span class="item">● lowest {pruning.loss}</span>}
        {pruning.one_se !== null && <span class="item">○ simplest within 1 SE</span>}
        <span class="item">| the tree shown</span>
      </p>
    </div>
  );
}
