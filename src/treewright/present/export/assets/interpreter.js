/**
 * What the tests compare: a number, the code of a level (-1: unknown), microseconds; null where it is missing.
 * @typedef {number | bigint | null} Cell
 *
 * A column (behind the columns: a sum), a threshold or the child of each level, whether the test is < instead of <=,
 * and of a surrogate whether its two sides are exchanged.
 * @typedef {[column: number, cut: number | bigint | Map<number, number>, strict: boolean, reversed: boolean]} Test
 *
 * An inner node: its test, the first child, the child of missing values (-1: the row ends here; a list: it goes down
 * every child, with these shares), and the surrogates, which are tried first.
 * @typedef {[column: number, cut: Test[1], strict: boolean, first: number, missing: number | number[], surrogates: Test[]]} Inner
 *
 * What a node predicts per output: the place of the class, and its probabilities or one number.
 * @typedef {[labels: (number | null)[], values: ArrayLike<number>[]]} Outcome
 *
 * A linear leaf: per score a constant and bounds, and the terms. A term has a column, a level (-2: the number itself;
 * -1: whether it is missing), a centre, and a coefficient per score.
 * @typedef {[column: number, level: number, centre: number, coefficients: number[]]} Term
 * @typedef {[constant: number[], lower: number[], upper: number[], terms: Term[]]} Model
 *
 * A node where a row ends, and how much of the row does.
 * @typedef {{ node: number, share: number }} End
 *
 * A fitted tree. A leaf is null in `nodes`; `sums` has [column, coefficient] of every term; `models` replaces
 * `outcomes` in trees of linear leaves; `strength` smooths the mean of a row's ends, each with its `rowsBehind`;
 * `costs` are by true and by predicted class.
 * @typedef {{
 *   columns: readonly unknown[], sums: [number, number][][], nodes: (Inner | null)[],
 *   outcomes: { get(node: number): Outcome | undefined }, models: { get(node: number): Model | undefined } | null,
 *   link: string, shares: boolean, strength: number, rowsBehind: ArrayLike<number>, costs: number[][] | null,
 * }} Tables
 */

/** A value as the tests compare it; `codes` are those of the levels. @returns {Cell} */
export function cellOf(x, /** @type {string} */ kind, /** @type {Map<unknown, number> | null} */ codes) {
  if (x === null || x === undefined || Number.isNaN(x)) return null;
  if (codes) {
    if (typeof x === "boolean" || (typeof x === "bigint" && Number.isSafeInteger(Number(x)))) x = Number(x);
    return codes.get(x) ?? (kind === "nominal" ? -1 : null);
  }
  if (kind === "nominal") return null; // the column had no value when the tree was fitted
  if (x instanceof Date) return x.getTime() * 1000;
  return typeof x === "boolean" ? Number(x) : x;
}

/**
 * What a test compares: a column, or a sum of columns, added in their order.
 * @param {Tables} tree @param {readonly Cell[]} cells @param {number} column @returns {Cell}
 */
export function comparedOf({ columns, sums }, cells, column) {
  if (column < columns.length) return cells[column];
  let total = null;
  for (const [place, coefficient] of sums[column - columns.length]) {
    if (cells[place] === null) return null;
    const term = coefficient * Number(cells[place]);
    total = total === null ? term : total + term;
  }
  return Number.isNaN(total) ? null : total;
}

// The child that a test names for a value; -1 where the value is missing or its level is not listed.
function sideOf(x, cut, strict, reversed) {
  if (x === null) return -1;
  const side = cut instanceof Map ? (cut.get(x) ?? -1) : (strict ? x < cut : x <= cut) ? 0 : 1;
  return reversed && side >= 0 ? 1 - side : side;
}

// The child that a row goes to; -1: it ends here; -2: it goes down every child.
function childOf(tree, node, cells) {
  if (tree.nodes[node] === null) return -1;
  const [column, cut, strict, , missing, surrogates] = tree.nodes[node];
  let side = sideOf(comparedOf(tree, cells, column), cut, strict, false);
  for (let s = 0; side < 0 && s < surrogates.length; s++) {
    const [other, at, isStrict, reversed] = surrogates[s];
    side = sideOf(cells[other], at, isStrict, reversed);
  }
  return side >= 0 ? side : typeof missing === "number" ? missing : -2;
}

/**
 * Every node where a row ends.
 * @param {Tables} tree @param {readonly Cell[]} cells @returns {End[]}
 */
export function endsOf(tree, cells) {
  const ends = [];
  const open = [{ node: 0, share: 1 }];
  while (open.length) {
    let { node, share } = open.pop();
    let child = childOf(tree, node, cells);
    for (; child >= 0; child = childOf(tree, node, cells)) node = tree.nodes[node][3] + child;
    if (child === -1) ends.push({ node, share });
    else {
      const [, , , first, parts] = tree.nodes[node];
      const below = parts.map((part, k) => ({ node: first + k, share: share * part }));
      open.push(...below.filter((each) => each.share > 0).reverse());
    }
  }
  return ends;
}

/** The node where most of a row ends; the first of equals. @param {readonly End[]} ends */
export function leafOf(ends) {
  return ends.reduce((most, end) => (end.share > most.share ? end : most)).node;
}

/** How far a row is from the centre of a term. @param {Term} term @param {readonly Cell[]} cells */
export function distanceOf([column, level, centre], cells) {
  const x = cells[column];
  if (level === -2) return x === null ? 0 : Number(x) - centre;
  return (x === (level === -1 ? null : level) ? 1 : 0) - centre;
}

function scoresOf([constant, lower, upper, terms], cells) {
  const scores = [...constant];
  for (const term of terms) {
    const distance = distanceOf(term, cells);
    term[3].forEach((coefficient, k) => (scores[k] += coefficient * distance));
  }
  return scores.map((score, k) => Math.min(Math.max(Number.isNaN(score) ? constant[k] : score, lower[k]), upper[k]));
}

function linked(link, scores) {
  if (link === "identity") return scores.map((score) => [score]);
  if (link === "logistic") {
    const e = Math.exp(-Math.abs(scores[0]));
    const [high, low] = [1 / (1 + e), e / (1 + e)];
    return [scores[0] >= 0 ? [low, high] : [high, low]];
  }
  const most = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return [powers.map((power) => power / total)];
}

function meanOf(tree, ends, cells) {
  const found = ends.map(({ node }) =>
    tree.models ? linked(tree.link, scoresOf(tree.models.get(node), cells)) : tree.outcomes.get(node)[1],
  );
  return found[0].map((first, output) =>
    Array.from(first, (_, k) => ends.reduce((sum, { share }, at) => sum + share * found[at][output][k], 0)),
  );
}

/**
 * The probabilities of every output, or one number.
 * @param {Tables} tree @param {readonly End[]} ends @param {readonly Cell[]} cells @returns {number[][]}
 */
export function valuesOf(tree, ends, cells) {
  const mean = meanOf(tree, ends, cells);
  if (!tree.strength) return mean;
  const rows = ends.reduce((sum, { node, share }) => sum + share * tree.rowsBehind[node], 0);
  const root = tree.outcomes.get(0)[1];
  return mean.map((each, output) =>
    each.map((f, k) => (rows * f + tree.strength * root[output][k]) / (rows + tree.strength)),
  );
}

/**
 * The place of the class of every output, where there are classes.
 * @param {Tables} tree @param {readonly End[]} ends @param {readonly Cell[]} cells @returns {(number | null)[]}
 */
export function labelsOf(tree, ends, cells) {
  if (!tree.models && !tree.shares) return tree.outcomes.get(ends[0].node)[0];
  const mean = meanOf(tree, ends, cells);
  return mean.map((each) => cheapest(tree.models ? each : each.map(rounded), tree.costs));
}

/**
 * The class of least expected cost, or the likeliest; the first of equals.
 * @param {readonly number[]} shares @param {number[][] | null} costs
 */
export function cheapest(shares, costs) {
  if (!costs) return shares.indexOf(Math.max(...shares));
  const expected = shares.map((_, k) => shares.reduce((sum, p, i) => sum + p * costs[i][k], 0));
  const least = Math.min(...expected) * (1 + 2 ** -40); // the last bits decide nothing
  return expected.findIndex((cost) => cost <= least);
}

function rounded(p) {
  const x = p * 2 ** 40;
  const low = Math.floor(x);
  const rest = x - low;
  return (rest < 0.5 || (rest === 0.5 && low % 2 === 0) ? low : low + 1) / 2 ** 40;
}
