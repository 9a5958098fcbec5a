/** How live changes enter a list that is shown. Pure. */
import type { CallPage, CallRow } from "@/lib/contract/call-log";

/** A list that grows for hours keeps this many calls; older ones are loaded again when needed. */
const MOST_SHOWN = 500;

/** Changes the calls that are shown, adds new ones in their place, and drops those that are gone. */
export function mergeCalls(
  pages: readonly CallPage[],
  calls: readonly CallRow[],
  gone: readonly string[] = [],
): CallPage[] {
  const changed = new Map(calls.map((call) => [call.id, call]));
  const left = new Set(gone);
  // A later attempt changes what the earlier ones say of their delivery.
  const deliveries = new Map(
    calls.flatMap(({ delivery }) => (delivery === null ? [] : [[delivery.id, delivery]])),
  );
  const updated = pages.map((page) => ({
    ...page,
    calls: page.calls.flatMap((call) => {
      const known = changed.get(call.id) ?? call;
      const now = { ...known, delivery: deliveries.get(known.delivery?.id ?? "") ?? known.delivery };
      changed.delete(call.id);
      return left.has(call.id) ? [] : [now];
    }),
  }));
  const [first, ...rest] = updated;
  if (first === undefined) return updated;
  const oldest = first.calls.at(-1)?.id ?? "";
  // Calls older than the first page are on another page, or will be loaded with it.
  const added = [...changed.values()].filter(({ id }) => first.next === undefined || id > oldest);
  const all = [...added, ...first.calls].sort((one, other) => (one.id < other.id ? 1 : -1));
  if (rest.length > 0 || all.length <= MOST_SHOWN) return [{ ...first, calls: all }, ...rest];
  const kept = all.slice(0, MOST_SHOWN);
  return [{ ...first, calls: kept, next: kept.at(-1)?.id, searchedTo: undefined }];
}

/** The ones that are not in the list yet. */
export function findNew(pages: readonly CallPage[], calls: readonly CallRow[]): CallRow[] {
  const known = new Set(pages.flatMap((page) => page.calls.map(({ id }) => id)));
  return calls.filter(({ id }) => !known.has(id));
}
