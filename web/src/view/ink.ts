// Text on the canvas: cut to a width, measured once.
import { leastWidth, partsOf, type EdgeTexts } from "./words";

export class Ink {
  private readonly cache = new Map<string, string>();
  private readonly widths = new Map<string, number>();

  constructor(private readonly context: CanvasRenderingContext2D) {}

  width(text: string): number {
    return this.context.measureText(text).width;
  }

  /** A name, or its two ends with … between: what tells names apart is often at the end. */
  named(text: string, width: number): string {
    return this.fitted(text, width, 0.4);
  }

  /** The text, or its beginning with … where it is wider than `width`; a share of what is kept may be its end. */
  fitted(text: string, width: number, end = 0): string {
    const { context } = this;
    const key = `${context.font}|${Math.round(width)}|${end}|${text}`;
    const known = this.cache.get(key);
    if (known !== undefined) return known;
    if (this.cache.size > 20_000) this.cache.clear();
    let found = text;
    if (context.measureText(text).width > width) {
      const kept = (letters: number) => {
        const last = Math.floor(letters * end);
        const tail = last > 1 ? text.slice(-last).trimStart() : "";
        return `${text.slice(0, letters - tail.length).trimEnd()}…${tail}`;
      };
      let [low, high] = [0, text.length];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (context.measureText(kept(middle)).width <= width) low = middle;
        else high = middle - 1;
      }
      found = kept(low);
    }
    this.cache.set(key, found);
    return found;
  }

  /** The first of the texts that fits; else the last, a single one cut. */
  fittest({ texts, fixed }: EdgeTexts, width: number): string {
    const fits = texts.find((text) => this.fitted(text, width) === text);
    return fits ?? (texts.length > 1 || fixed ? texts[texts.length - 1] : this.fitted(texts[0], width));
  }

  /** A name in one line, or broken between its parts into two. */
  broken(text: string, width: number): string[] {
    if (this.named(text, width) === text) return [text];
    let first = "";
    for (const part of partsOf(text)) {
      if (this.width(first + part) > width) break;
      first += part;
    }
    return first ? [first, this.named(text.slice(first.length), width)] : [this.named(text, width)];
  }

  /** The least width in which a name has this many lines at most, broken between its parts only. */
  narrowest(text: string, most: number): number {
    const key = `${this.context.font}|${most}|${text}`;
    const known = this.widths.get(key);
    if (known !== undefined) return known;
    if (this.widths.size > 20_000) this.widths.clear();
    const found = leastWidth(partsOf(text).map((part) => this.width(part)), most);
    this.widths.set(key, found);
    return found;
  }

  /** A name in lines that are full: broken between its parts where that is enough, else anywhere. */
  wrapped(text: string, width: number, most: number): string[] {
    for (const parts of [partsOf(text), [...text]]) {
      const lines = [""];
      for (const part of parts) {
        if (lines[lines.length - 1] && this.width(lines[lines.length - 1] + part) > width) lines.push("");
        lines[lines.length - 1] += part;
      }
      const fits = lines.length <= most && lines.every((line) => this.width(line) <= width);
      if (fits) return lines;
      if (parts.length === [...text].length) return [...lines.slice(0, most - 1), this.named(lines.slice(most - 1).join(""), width)];
    }
    return [text];
  }

  /** A label in one line, or broken at a space into two where it is too wide for one. */
  lines(label: EdgeTexts, width: number, most: number): string[] {
    const one = this.fittest(label, width);
    const full = label.texts[0];
    if (most < 2 || one === full || label.fixed) return [one];
    const words = full.split(" ");
    let first = "";
    while (words.length > 1 && this.context.measureText(`${first} ${words[0]}`).width <= width) first = `${first} ${words.shift()}`.trim();
    if (!first) return [one];
    return [first, this.fitted(words.join(" "), width)];
  }
}
