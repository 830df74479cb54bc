/** A binary heap that tracks the position of each item, so that any item can be removed in logarithmic time. */
export interface Heap<T> {
  readonly size: number;
  /** The item that sorts before all others. */
  first(): T | undefined;
  /** An item is added only once, and its sort key must not change while it is in the heap. */
  add(item: T): void;
  /** Does nothing if the item is not in the heap. */
  remove(item: T): void;
}

export function createHeap<T>(isBefore: (a: T, b: T) => boolean): Heap<T> {
  const items: T[] = [];
  const places = new Map<T, number>();
  const put = (item: T, place: number) => {
    items[place] = item;
    places.set(item, place);
  };
  const rise = (item: T, from: number) => {
    let place = from;
    for (; place > 0;) {
      const above = (place - 1) >> 1;
      const parent = items[above] as T;
      if (!isBefore(item, parent)) break;
      put(parent, place);
      place = above;
    }
    put(item, place);
    return place;
  };
  const sink = (item: T, from: number) => {
    let place = from;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= items.length) break;
      if (below + 1 < items.length && isBefore(items[below + 1] as T, items[below] as T)) below += 1;
      const child = items[below] as T;
      if (!isBefore(child, item)) break;
      put(child, place);
      place = below;
    }
    put(item, place);
  };
  return {
    get size() {
      return items.length;
    },
    first: () => items[0],
    add: (item) => void rise(item, items.length),
    remove(item) {
      const place = places.get(item);
      if (place === undefined) return;
      places.delete(item);
      const last = items.pop() as T;
      // The last item takes the free place, and then moves up or down from there.
      if (place < items.length) sink(last, rise(last, place));
    },
  };
}
