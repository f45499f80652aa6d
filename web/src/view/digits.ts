// Numbers inside conditions, with the digits that count. The exact ones stay a hint away.

const NUMERAL = /((?:<=|>=|<|>|\u2264|\u2265) )(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?=$|[\s),]|\.(?:\s|$))/g;

/** A numeral with so many digits that count; whole numbers stay whole while they are not too long. */
export function rounded(numeral: string, digits = 6): string {
  const x = Number(numeral);
  const whole = /^-?\d+$/.test(numeral);
  if (!Number.isFinite(x) || (whole && numeral.length <= Math.max(digits, 9))) return numeral;
  const kept = Number(x.toPrecision(digits));
  const size = Math.abs(kept);
  if (size !== 0 && (size >= 1e9 || size < 1e-4 || (size >= 10 ** digits && digits < 6))) {
    return kept.toExponential().replace("e+", "e");
  }
  return String(size >= 10 ** digits ? Math.round(x) : kept);
}

/** A text with its thresholds rounded. */
export function tidied(text: string, digits = 6): string {
  return text.replace(NUMERAL, (_, sign: string, numeral: string) => sign + rounded(numeral, digits));
}

/** Whether a text is a number and no more. */
export function isNumeral(text: string): boolean {
  return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/.test(text);
}

const RIGHT = "\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufeff";
const RUN = new RegExp(`([${RIGHT}](?:[^A-Za-z<>={},()"]*[${RIGHT}])?)`, "u");

/** A text in parts; every second one is written from right to left. */
export function runs(text: string): string[] {
  return text.split(new RegExp(RUN.source, "gu"));
}
