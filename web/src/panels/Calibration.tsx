// Predicted probabilities beside the observed proportions.
import { Axes, BOX, points, scaleOf } from "../charts/axes";
import { num } from "../model/parse";
import type { Evaluation } from "../payload";
import { percent, short } from "../view/words";

export function Calibration({ calibration }: { calibration: NonNullable<Evaluation["calibration"]> }) {
  const { rows, of, ece } = calibration;
  const x = scaleOf(0, 1, BOX.left, BOX.width - BOX.right);
  const y = scaleOf(0, 1, BOX.height - BOX.bottom, BOX.top + 10);
  x.ticks = y.ticks = [0, 0.25, 0.5, 0.75, 1];
  const places = rows.map((row) => [x(num(row.predicted)), y(num(row.observed))] as const);
  return (
    <div class="block" data-testid="calibration">
      <h3>Calibration</h3>
      <Axes x={x} y={y} xName="Predicted probability" yName="Observed share" write={percent} label={`Calibration of ${of}: observed share over predicted probability, ${rows.length} groups of rows`}>
        <line class="grid" x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} />
        {rows.map((row, k) => <line key={k} class="whisker" x1={places[k][0]} x2={places[k][0]} y1={y(num(row.low))} y2={y(num(row.high))} />)}
        <polyline class="line" points={points(places)} />
        {places.map(([at, up], k) => <circle key={k} class="dot" cx={at} cy={up} r={3} />)}
      </Axes>
      <p class="quiet fine">Probability of <bdi>{of}</bdi>, in groups of rows with similar predictions. On the diagonal the probabilities are right. Expected calibration error {short(ece)}.</p>
    </div>
  );
}
