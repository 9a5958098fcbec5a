"use client";

import { useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, use } from "react";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { AVAILABILITY, type ShownPart } from "@/lib/client/availability";
import type { Availability } from "@/lib/contract/platform/availability";

/** What is unavailable. Without a provider, everything is there. */
const AwayContext = createContext<readonly ShownPart[]>([]);

interface AvailabilityProviderProps {
  /** What the server knew when it rendered the page. */
  initial: Availability | undefined;
  children: ReactNode;
}

/** Asks every few seconds, while the page is visible, what is unavailable. */
export function AvailabilityProvider({ initial, children }: AvailabilityProviderProps) {
  const { data } = useQuery({ ...AVAILABILITY, initialData: initial?.away, initialDataUpdatedAt: 0 });
  return <AwayContext value={data ?? []}>{children}</AwayContext>;
}

/** Whether a part of the platform is unavailable. What depends on it says so instead of promising something. */
export function useIsAway(part: ShownPart["part"]): boolean {
  return use(AwayContext).some((away) => away.part === part);
}

const NAMES: Record<ShownPart["part"], string> = {
  web: "The platform",
  database: "The platform's database",
  gateway: "The platform's gateway",
  worker: "The platform's worker",
};

/** What it means for the reader. */
const EFFECTS: Record<ShownPart["part"], string> = {
  web: "Pages can't be loaded or saved right now. What you typed on this page is kept. If other sites don't load either, check your connection.",
  database:
    "Pages can't be loaded or saved, and apps can't be called right now. What you typed on this page is kept.",
  gateway: "Apps can't be called and can't read their state right now, and no version can be published.",
  worker: "Nothing new starts or stops right now, and events wait. Running apps keep running.",
};

/** One notice on each page while something is unavailable. It comes and goes by itself. */
export function AwayBanner() {
  const away = use(AwayContext);
  if (away.length === 0) return null;
  const [since] = away.flatMap((part) => part.since ?? []).sort();
  return (
    <div className="sticky top-16 z-20 mb-6 rounded-card bg-surface shadow-high lg:top-4">
      <Notice tone="warning" title={titleAway(away.map(({ part }) => part))}>
        {away.map(({ part }) => (
          <p key={part}>{EFFECTS[part]}</p>
        ))}
        <p>
          {since !== undefined && (
            <>
              This began <RelativeTime at={since} />.{" "}
            </>
          )}
          It recovers automatically, and this notice disappears.
        </p>
      </Notice>
    </div>
  );
}

function titleAway(parts: readonly ShownPart["part"][]): string {
  const [first = "web", second] = parts;
  if (first === "web") return "The platform can't be reached";
  if (second === undefined) return `${NAMES[first]} is unavailable`;
  return `${NAMES[first]} and ${second} are unavailable`;
}
