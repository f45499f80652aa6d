// Intervals of a share: Jeffreys' interval, the quantiles of a Beta distribution, as Python computes them.

const LANCZOS = [76.18009172947146, -86.50532032941677, 24.01409824083091, -1.231739572450155, 0.1208650973866179e-2, -0.5395239384953e-5];

function logGamma(x: number): number {
  const t = x + 5.5 - (x + 0.5) * Math.log(x + 5.5);
  const series = LANCZOS.reduce((sum, part, k) => sum + part / (x + k + 1), 1.000000000190015);
  return Math.log((2.5066282746310005 * series) / x) - t;
}

// The continued fraction of the incomplete beta function, by Lentz's method.
function fraction(a: number, b: number, x: number): number {
  const tiny = 1e-300;
  const far = (value: number) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / far(1 - ((a + b) * x) / (a + 1));
  let found = d;
  for (let m = 1; m <= 1000; m++) {
    for (const part of [(m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)), (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))]) {
      d = 1 / far(1 + part * d);
      c = far(1 + part / c);
      found *= c * d;
    }
    if (Math.abs(c * d - 1) < 1e-12) break;
  }
  return found;
}

/** The share of a Beta(a, b) distribution below x. */
function betaBelow(a: number, b: number, x: number): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x));
  return x < (a + 1) / (a + b + 2) ? (front * fraction(a, b, x)) / a : 1 - (front * fraction(b, a, 1 - x)) / b;
}

function betaQuantile(a: number, b: number, share: number): number {
  let [low, high] = [0, 1];
  for (let k = 0; k < 60; k++) {
    const middle = (low + high) / 2;
    if (betaBelow(a, b, middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The 95 % interval of a share of n rows; n may be a fraction. */
export function shareInterval(successes: number, n: number): [number, number] {
  if (!(n > 0)) return [NaN, NaN];
  const [a, b] = [successes + 0.5, Math.max(0, n - successes) + 0.5];
  return [successes <= 0 ? 0 : betaQuantile(a, b, 0.025), successes >= n ? 1 : betaQuantile(a, b, 0.975)];
}
