"use client";

import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { Button, Disclosure, DisclosurePanel, Heading } from "react-aria-components";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import type { AttemptSummary, InstallationView } from "@/lib/contract/installation-view";
import { AttemptView, Outcome } from "./attempt-view";
import { targetWithoutQuery, useAttempts } from "./attempts";

/** Calls by the core, from the console, and by the platform itself, newest first. */
export function AttemptList({ installation }: { installation: InstallationView }) {
  const { data, error } = useAttempts(installation.id);
  return (
    <section aria-label="Calls">
      <ProblemNotice error={error} />
      {data === undefined && error === null && <Skeleton className="h-24 w-full" />}
      {data !== undefined && data.attempts.length === 0 && <p className="text-ink-soft">No calls yet.</p>}
      {data !== undefined && data.attempts.length > 0 && (
        <ul className="max-h-[36rem] divide-y divide-line overflow-y-auto rounded-field border border-line">
          {data.attempts.map((attempt) => (
            <AttemptRow key={attempt.id} installation={installation} attempt={attempt} />
          ))}
        </ul>
      )}
    </section>
  );
}

function AttemptRow({ installation, attempt }: { installation: InstallationView; attempt: AttemptSummary }) {
  const [open, setOpen] = useState(false);
  return (
    <li>
      <Disclosure isExpanded={open} onExpandedChange={setOpen}>
        <Heading level={3}>
          <Button
            slot="trigger"
            className="flex w-full cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2.5 text-left hover:bg-hover focus-visible:-outline-offset-2"
          >
            <ChevronRight
              aria-hidden
              className={`size-4 shrink-0 text-ink-faint transition-transform ${open ? "rotate-90" : ""}`}
            />
            <span className="min-w-0 basis-[calc(100%-2rem)] truncate font-mono text-[13px] text-ink sm:flex-1 sm:basis-0">
              {targetWithoutQuery(attempt.target)}
            </span>
            <span className="ml-7 sm:ml-0">
              <Outcome attempt={attempt} />
            </span>
            <RelativeTime
              at={attempt.startedAt}
              className="ml-auto text-right text-[13px] text-ink-faint sm:ml-0 sm:w-28"
            />
          </Button>
        </Heading>
        <DisclosurePanel>
          <div className="border-t border-line p-4">
            {open && <AttemptView installation={installation} attemptId={attempt.id} />}
          </div>
        </DisclosurePanel>
      </Disclosure>
    </li>
  );
}
