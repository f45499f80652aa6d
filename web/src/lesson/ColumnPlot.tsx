// One candidate on its data: the values by class with the best cut, and the gain of every cut below them.
import { classColour } from "../view/colours";
import { useDark } from "../view/dark";
import { plural, short } from "../view/words";
import { fitted } from "./layout";
import type { Bins, Candidate, Dots, Lesson, Levels } from "./payload";

const LEFT = 78;
const RIGHT = 12;
const TOP = 16;
const DATA = 110; // height of the values
const GAP = 26;
const CURVE = 96;
const HIGH = TOP + DATA + GAP + CURVE + 22;
// Letters keep their size on a narrow screen: the picture is as wide as the screen allows.
const WIDE = Math.max(300, Math.min(560, window.innerWidth - 40));
const ROOM = WIDE - LEFT - RIGHT;
const LETTER = 6.8; // the width of a letter, at most on average
const figure = (value: number) => (Math.abs(value) >= 1000 ? short(value) : String(Number(value.toPrecision(3))));

export function ColumnPlot({ lesson, candidate }: { lesson: Lesson; candidate: Candidate }) {
  const { data } = candidate;
  if (!data) return <p class="quiet">There is no picture of this column.</p>;
  const missing = data.missing ? ` ${plural(data.missing, "row")} ${data.missing === 1 ? "has" : "have"} no value.` : "";
  return (
    <figure class="column-plot chart">
      {data.kind === "levels" ? <LevelBars lesson={lesson} data={data} /> : <Numbers lesson={lesson} data={data} candidate={candidate} />}
      <figcaption>
        {data.kind === "levels"
          ? `${!data.groupings.length ? "Only one split is possible: one branch per level." : `The best of ${data.all ? data.n_cuts.toLocaleString("en") : "all"} groupings of the levels.`}`
          : `The best of ${plural(data.n_cuts, "possible cut")}.`}
        {data.kind === "levels" && data.hidden > 0 && ` ${plural(data.hidden, "rarer level")} ${data.hidden === 1 ? "is" : "are"} not drawn.`}
        {missing}
      </figcaption>
    </figure>
  );
}

function Numbers({ lesson, data, candidate }: { lesson: Lesson; data: Dots | Bins; candidate: Candidate }) {
  const dark = useDark();
  const span = data.high - data.low || 1;
  const across = (value: number) => LEFT + (ROOM * (value - data.low)) / span;
  const most = Math.max(...data.gains, 1e-12);
  const under = TOP + DATA + GAP;
  const up = (gain: number) => under + CURVE * (1 - gain / most);
  const line = data.cuts.map((cut, k) => `${k ? "L" : "M"}${across(cut).toFixed(1)},${up(data.gains[k]).toFixed(1)}`).join("");
  return (
    <svg viewBox={`0 0 ${WIDE} ${HIGH}`} role="img" aria-label={`Values of ${candidate.column} by ${lesson.classes ? "class" : "target"}, and the gain of every cut. Best: ${candidate.test}, gain ${figure(candidate.gain)}.`}>
      {data.kind === "dots" ? <DotStrip lesson={lesson} data={data} across={across} dark={dark} /> : <Histogram data={data} dark={dark} />}
      <line class="axis" x1={LEFT} x2={WIDE - RIGHT} y1={TOP + DATA} y2={TOP + DATA} />
      <text x={LEFT} y={TOP + DATA + 14}>{data.ends[0]}</text>
      <text x={WIDE - RIGHT} y={TOP + DATA + 14} text-anchor="end">{data.ends[1]}</text>
      <line class="axis" x1={LEFT} x2={WIDE - RIGHT} y1={under + CURVE} y2={under + CURVE} />
      <text x={LEFT - 6} y={under + 8} text-anchor="end">{figure(most)}</text>
      <text x={LEFT - 6} y={under + CURVE} text-anchor="end">0</text>
      <text x={LEFT - 6} y={under + CURVE / 2} text-anchor="end">gain</text>
      <path class="line" d={line} />
      {data.cuts.length < 40 && data.cuts.map((cut, k) => <circle key={k} class="dot" cx={across(cut)} cy={up(data.gains[k])} r={2.6} />)}
      {data.cut !== null && (
        <g>
          <line class="best-cut" x1={across(data.cut)} x2={across(data.cut)} y1={TOP - 6} y2={under + CURVE} />
          <CutLabel x={across(data.cut)} candidate={candidate} />
        </g>
      )}
    </svg>
  );
}

/** The test at the cut; of a name without room its beginning. */
function CutLabel({ x, candidate: { column, test } }: { x: number; candidate: Candidate }) {
  const rest = test.startsWith(column) ? test.slice(column.length) : "";
  const [anchor, room] = x > WIDE * 0.7 ? ["end", x] : x < WIDE * 0.3 ? ["start", WIDE - x] : ["middle", 2 * Math.min(x, WIDE - x)];
  return <text class="best-label" x={x} y={HIGH - 6} text-anchor={anchor as "end"}>{fitted(test.slice(0, test.length - rest.length), Math.floor((room as number) / LETTER) - rest.length) + rest}<title>{test}</title></text>;
}

function DotStrip({ lesson, data, across, dark }: { lesson: Lesson; data: Dots; across: (value: number) => number; dark: boolean }) {
  if (!lesson.classes) {
    const [low, high] = [Math.min(...data.y), Math.max(...data.y)];
    const up = (value: number) => TOP + (DATA - 6) * (1 - (value - low) / (high - low || 1)) + 2;
    return (
      <g>
        <text x={LEFT - 6} y={TOP + 8} text-anchor="end">{figure(high)}</text>
        <text x={LEFT - 6} y={TOP + DATA - 2} text-anchor="end">{figure(low)}</text>
        {data.x.map((value, k) => <circle key={k} class="dot row" cx={across(value)} cy={up(data.y[k])} r={4} />)}
      </g>
    );
  }
  const present = [...new Set(data.y)].sort((a, b) => a - b);
  const lane = DATA / present.length;
  return (
    <g>
      {present.map((k, place) => (
        <text key={k} x={LEFT - 6} y={TOP + lane * (place + 0.5) + 4} text-anchor="end">{fitted(lesson.classes![k], 10)}<title>{lesson.classes![k]}</title></text>
      ))}
      {data.x.map((value, k) => (
        <circle key={k} cx={across(value)} cy={TOP + lane * (present.indexOf(data.y[k]) + 0.5) + ((k * 7) % 5 - 2) * Math.min(3, lane / 8)} r={4.2} class="row" style={{ fill: classColour(data.y[k], dark) }} />
      ))}
    </g>
  );
}

function Histogram({ data, dark }: { data: Bins; dark: boolean }) {
  const bins = data.counts[0].length;
  const width = ROOM / bins;
  if (data.means) {
    const known = data.means.filter((mean): mean is number => mean !== null);
    const [low, high] = [Math.min(...known), Math.max(...known)];
    const up = (value: number) => TOP + 5 + (DATA - 12) * (1 - (value - low) / (high - low || 1));
    const rows = data.means.map((_, k) => data.counts.reduce((sum, part) => sum + part[k], 0));
    const most = Math.max(...rows, 1);
    return (
      <g>
        <text x={LEFT - 6} y={TOP + 8} text-anchor="end">{figure(high)}</text>
        <text x={LEFT - 6} y={TOP + DATA / 2} text-anchor="end">mean</text>
        <text x={LEFT - 6} y={TOP + DATA - 2} text-anchor="end">{figure(low)}</text>
        {data.means.map((mean, k) => mean !== null && (
          <circle key={k} class="front" cx={LEFT + (k + 0.5) * width} cy={up(mean)} r={2.5 + 5 * Math.sqrt(rows[k] / most)}>
            <title>{`mean ${figure(mean)}, ${plural(rows[k], "row")}`}</title>
          </circle>
        ))}
      </g>
    );
  }
  const totals = data.counts[0].map((_, k) => data.counts.reduce((sum, part) => sum + part[k], 0));
  const most = Math.max(...totals, 1);
  return (
    <g>
      <text x={LEFT - 6} y={TOP + 8} text-anchor="end">{most.toLocaleString("en")}</text>
      <text x={LEFT - 6} y={TOP + DATA / 2} text-anchor="end">rows</text>
      {totals.map((_, k) => {
        let base = TOP + DATA;
        return data.counts.map((part, series) => {
          const height = (DATA * part[k]) / most;
          base -= height;
          return height > 0 && <rect key={`${k} ${series}`} x={LEFT + k * width + 1} width={Math.max(1, width - 2)} y={base} height={height} style={{ fill: classColour(series, dark) }} />;
        });
      })}
    </g>
  );
}

function LevelBars({ lesson, data }: { lesson: Lesson; data: Levels }) {
  const dark = useDark();
  const totals = data.levels.map((_, k) => data.counts.reduce((sum, part) => sum + part[k], 0));
  const most = Math.max(...totals, 1);
  const means = data.means ?? [];
  const [low, high] = [Math.min(0, ...means), Math.max(0, ...means)];
  const part = (value: number) => `${(100 * value) / (high - low || 1)}%`;
  return (
    <>
      <table class="levels">
        <caption class="visually-hidden">Rows by level and class, with the branch of each level</caption>
        <thead><tr><th scope="col">Level</th><th scope="col"><span class="visually-hidden">as a bar</span></th><th scope="col">{data.means ? "Mean" : "Rows"}</th><th scope="col">Branch</th></tr></thead>
        <tbody>
          {data.levels.map((level, k) => (
            <tr key={k} class={k && data.branch[k] !== data.branch[k - 1] ? "next-branch" : ""}>
              <th scope="row"><bdi>{level}</bdi></th>
              <td class="level-bar">
                <div>
                  {data.means
                    ? <span style={{ width: part(Math.abs(means[k])), marginInlineStart: part(Math.min(0, means[k]) - low), background: "var(--accent)" }} />
                    : data.counts.map((part, series) => part[k] > 0 && <span key={series} title={`${lesson.classes![series]}: ${part[k]}`} style={{ width: `${(100 * part[k]) / most}%`, background: classColour(series, dark) }} />)}
                </div>
              </td>
              <td class="number">{data.means ? figure(means[k]) : data.counts.filter((part) => part[k] > 0).length > 1 ? data.counts.map((part) => part[k]).join(" + ") : totals[k]}</td>
              <td class="number">{data.branch[k] >= 0 ? data.branch[k] + 1 : "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {data.groupings.length > 1 && (
        <table class="levels">
          <caption>Groupings with the greatest gain: the levels of branch 1</caption>
          <tbody>
            {data.groupings.map((group, k) => (
              <tr key={k}><th scope="row"><bdi>{group.levels}</bdi>{group.best && <span class="tag">this split</span>}</th><td class="level-bar"><div><span style={{ width: `${(100 * group.gain) / (data.groupings[0].gain || 1)}%`, background: k ? "var(--line)" : "var(--accent)" }} /></div></td><td class="number">{group.says}</td></tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

