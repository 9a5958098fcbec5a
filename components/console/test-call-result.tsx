"use client";

import { useEffect, useState } from "react";
import { Notice } from "@/components/ui/notice";
import { Spinner } from "@/components/ui/button";
import type { TestCallResult, InstallationView } from "@/lib/contract/installation-view";
import { AttemptView } from "./attempt-view";
import { useAttempts } from "./attempts";

/** How long to wait for an event's delivery. Retries come later and appear in the list. */
const WAIT_MS = 30_000;

export function TestCallResult({
  installation,
  fired,
}: {
  installation: InstallationView;
  fired: TestCallResult;
}) {
  if (fired.sent === "call") {
    return (
      <section aria-label="Result" className="border-t border-line pt-6">
        <AttemptView key={fired.attemptId} installation={installation} attemptId={fired.attemptId} />
      </section>
    );
  }
  return <EventResult key={fired.after} installation={installation} fired={fired} />;
}

interface EventResultProps {
  installation: InstallationView;
  fired: Extract<TestCallResult, { sent: "event" }>;
}

function EventResult({ installation, fired }: EventResultProps) {
  const [waiting, setWaiting] = useState(fired.deliveries > 0);
  const { data } = useAttempts(installation.id, waiting);
  // Ids sort by time: the first webhook attempt after `after` belongs to this event.
  const delivered = data?.attempts
    .filter((attempt) => attempt.kind === "webhook" && attempt.id > fired.after)
    .at(-1);
  useEffect(() => {
    const timer = setTimeout(() => setWaiting(false), WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  const accepted =
    fired.deliveries === 1 ? "Event accepted, 1 delivery" : `Event accepted, ${fired.deliveries} deliveries`;
  return (
    <section aria-label="Result" className="flex flex-col gap-4 border-t border-line pt-6">
      <Notice
        tone={fired.deliveries > 0 ? "success" : "info"}
        title={fired.deliveries > 0 ? accepted : "No subscribers"}
      >
        {fired.deliveries > 0 ? (
          <>
            Event <code className="font-mono text-xs break-all">{fired.eventId}</code>
          </>
        ) : (
          "The event was stored, but no route subscribes to its type. Use one of the types that the route declares."
        )}
      </Notice>
      {delivered !== undefined && (
        <AttemptView key={delivered.id} installation={installation} attemptId={delivered.id} />
      )}
      {delivered === undefined && waiting && (
        <p className="flex items-center gap-2 text-ink-soft">
          <Spinner label="Waiting for delivery" /> Waiting for delivery
        </p>
      )}
      {delivered === undefined && fired.deliveries > 0 && !waiting && (
        <Notice tone="warning" title="Not delivered yet">
          The delivery is queued and will be retried. It appears below after the first attempt.
        </Notice>
      )}
    </section>
  );
}
