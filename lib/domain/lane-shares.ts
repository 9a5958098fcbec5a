/**
 * Which due deliveries a worker sends next. Neither an installation, nor an app, nor an organization gets more lanes than it
 * leaves free: whoever fills its share waits, and a lane is left for everybody else. A single busy app gets half of the
 * lanes, and the more there are, the less each gets.
 */
export interface Due {
  id: string;
  installationId: string;
  versionId: string;
  organizationId: string;
}

/** How many lanes are in use: in total, and by id of installation, version and organization. */
export class LanesInUse {
  total = 0;
  readonly #counts = new Map<string, number>();

  take(due: Omit<Due, "id">): void {
    this.#add(due, 1);
  }

  release(due: Omit<Due, "id">): void {
    this.#add(due, -1);
  }

  /** Whether it stays within its share of `lanes`. */
  allows(due: Omit<Due, "id">, lanes: number): boolean {
    const free = lanes - this.total;
    return sharers(due).every((id) => (this.#counts.get(id) ?? 0) + 1 <= free - 1);
  }

  #add(due: Omit<Due, "id">, change: 1 | -1): void {
    this.total += change;
    for (const id of sharers(due)) {
      const count = (this.#counts.get(id) ?? 0) + change;
      if (count === 0) this.#counts.delete(id);
      else this.#counts.set(id, count);
    }
  }
}

const sharers = ({ installationId, versionId, organizationId }: Omit<Due, "id">) => [
  installationId,
  versionId,
  organizationId,
];

/**
 * Takes due deliveries round after round, one of each installation at a time, as far as the lanes go. Removes them from
 * their lists, and counts them as in use.
 */
export function pickFairly<Item extends Due>(
  waiting: Map<string, Item[]>,
  inUse: LanesInUse,
  lanes: number,
): Item[] {
  const picked: Item[] = [];
  const open = new Set(waiting.keys());
  while (open.size > 0) {
    for (const installationId of open) {
      const list = waiting.get(installationId);
      const [next] = list ?? [];
      if (list === undefined || next === undefined) waiting.delete(installationId);
      if (list === undefined || next === undefined || !inUse.allows(next, lanes)) {
        open.delete(installationId);
        continue;
      }
      list.shift();
      inUse.take(next);
      picked.push(next);
      // The next call begins with those that did not get their turn.
      waiting.delete(installationId);
      if (list.length > 0) waiting.set(installationId, list);
    }
  }
  return picked;
}
