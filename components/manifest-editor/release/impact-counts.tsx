"use client";

import { useQuery } from "@tanstack/react-query";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { Skeleton } from "@/components/ui/skeleton";
import type { ManifestImpact } from "@/lib/contract/manifest-draft";
import { countOf } from "../problems/count-text";
import { loadImpact } from "../sync/draft-calls";

/** How many installations may have something to fill in. Counts alone, never a value. */
export function ImpactCounts({ listingId, revision }: { listingId: string; revision: number }) {
  const { data, error } = useQuery({
    queryKey: ["manifest-impact", listingId, revision],
    queryFn: ({ signal }) => loadImpact(listingId, signal),
  });
  if (error !== null) return <ProblemNotice error={error} />;
  if (data === undefined) return <Skeleton className="h-10" />;
  return (
    <div>
      <p>{impactText(data)}</p>
      {data.mustFill.length > 0 && (
        <ul className="mt-2 list-disc space-y-1 pl-4 text-[13px] leading-5">
          {data.mustFill.map(({ kind, name, title, installations }) => (
            <li key={`${kind} ${name}`} className="break-words">
              {title} <code className="font-mono text-xs text-ink-faint">{name}</code>:{" "}
              {countOf(installations, "installation")}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function impactText({ installations, affected }: ManifestImpact): string {
  if (installations === 0) return "No installation exists yet, so nobody has to fill in anything.";
  if (affected === 0)
    return `${countOf(installations, "installation")} can upgrade without filling in anything.`;
  return `At the upgrade, ${affected} of ${countOf(installations, "installation")} may have to fill in:`;
}
