/** What open pages know of the platform's availability: they ask, and notice when nobody answers. */
import { ALL_THERE, type Availability, type AwayPart } from "@/lib/contract/platform/availability";

/** `web`: the pages' own server does not answer, or this browser has no connection to it. */
export interface ShownPart {
  part: AwayPart["part"] | "web";
  since: string | null;
}

const EVERY_MS = 5_000;
const WHILE_AWAY_MS = 2_000;
/** A server that accepts connections and doesn't answer is away, too. */
const ANSWER_MS = 5_000;
const AGAIN_MS = 1_000;

/** When the server last answered this page. */
let answeredAt: number | undefined;

/** One query for all parts of a page. It never fails: no answer is an answer. */
export const AVAILABILITY = {
  queryKey: ["availability"],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<ShownPart[]> => {
    try {
      // A single lost answer is not worth a notice.
      const { away } = await ask(signal).catch(() => pause(signal).then(() => ask(signal)));
      answeredAt = Date.now();
      return away;
    } catch (error) {
      if (signal.aborted) throw error;
      return [{ part: "web", since: new Date(answeredAt ?? Date.now()).toISOString() }];
    }
  },
  // Also without a network, which is what it would report.
  networkMode: "always",
  retry: false,
  staleTime: 1_000,
  refetchInterval: ({ state }: { state: { data?: ShownPart[] } }) =>
    (state.data ?? []).length > 0 ? WHILE_AWAY_MS : EVERY_MS,
  refetchOnWindowFocus: true,
} as const;

/** Whether a page can be loaded. */
export function canLoad(away: readonly ShownPart[]): boolean {
  return !away.some(({ part }) => part === "web" || part === "database");
}

async function ask(signal: AbortSignal): Promise<Availability> {
  const both = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
  const response = await fetch("/api/availability", {
    headers: { accept: "application/json" },
    signal: both,
  });
  // A proxy answers for a server that is away.
  if (response.status >= 500) throw new Error(`The platform answered with ${response.status}.`);
  if (!response.ok) return ALL_THERE;
  const answered: Availability = await response.json();
  return answered;
}

async function pause(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  signal.throwIfAborted();
}
