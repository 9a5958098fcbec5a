/**
 * Which items of a list moved, as few as possible: those outside a longest run that kept its order. `places` holds,
 * in the new order, the place that each item had.
 */
export function movedItems(places: readonly number[]): Set<number> {
  const tails: number[] = [];
  const before: number[] = [];
  places.forEach((place, at) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[tails[middle] ?? 0] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    before[at] = tails[low - 1] ?? -1;
    tails[low] = at;
  });
  const kept = new Set<number>();
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) kept.add(at);
  return new Set([...places.keys()].filter((at) => !kept.has(at)));
}
