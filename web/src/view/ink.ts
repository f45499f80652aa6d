// Text on the canvas: cut to a width, measured once.

export class Ink {
  private readonly cache = new Map<string, string>();

  constructor(private readonly context: CanvasRenderingContext2D) {}

  /** The text, or its beginning with … where it is wider than `width`, in the context's font. */
  fitted(text: string, width: number): string {
    const { context } = this;
    const key = `${context.font}|${Math.round(width)}|${text}`;
    const known = this.cache.get(key);
    if (known !== undefined) return known;
    if (this.cache.size > 20_000) this.cache.clear();
    let found = text;
    if (context.measureText(text).width > width) {
      let [low, high] = [0, text.length];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (context.measureText(`${text.slice(0, middle)}…`).width <= width) low = middle;
        else high = middle - 1;
      }
      found = `${text.slice(0, low).trimEnd()}…`;
    }
    this.cache.set(key, found);
    return found;
  }
}
