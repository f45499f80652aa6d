// The smallest first; of equals the one that came first.

interface Entry<T> {
  key: number;
  order: number;
  item: T;
}

export class Heap<T> {
  private readonly entries: Entry<T>[] = [];
  private added = 0;

  get size(): number {
    return this.entries.length;
  }

  push(key: number, item: T): void {
    const { entries } = this;
    const entry = { key, order: this.added++, item };
    let at = entries.push(entry) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!before(entry, entries[above])) break;
      entries[at] = entries[above];
      at = above;
    }
    entries[at] = entry;
  }

  pop(): T | undefined {
    const { entries } = this;
    const first = entries[0];
    const last = entries.pop();
    if (!first || !last || !entries.length) return first?.item;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= entries.length) break;
      if (below + 1 < entries.length && before(entries[below + 1], entries[below])) below++;
      if (!before(entries[below], last)) break;
      entries[at] = entries[below];
      at = below;
    }
    entries[at] = last;
    return first.item;
  }
}

function before<T>(one: Entry<T>, other: Entry<T>): boolean {
  return one.key < other.key || (one.key === other.key && one.order < other.order);
}
