"use client";

import { useEffect, useState } from "react";
import { Notice } from "@/components/ui/notice";
import { Spinner } from "@/components/ui/button";
import type { InstallationView, SentTestCall } from "@/lib/contract/installation-view";
import { AttemptView } from "./attempt-view";
import { useAttempts } from "./attempts";

/** How long to wait for an event's delivery. Retries come later and appear in the list. */
const WAIT_MS = 30_000;

export function TestCallResult({
  installation,
  call,
}: {
  installation: InstallationView;
  call: SentTestCall;
}) {
  if (call.sent === "call") {
    return (
      <section aria-label="Result" className="border-t border-line pt-6">
        <AttemptView key={call.attemptId} installation={installation} attemptId={call.attemptId} />
      </section>
    );
  }
  return <EventResult key={call.after} installation={installation} call={call} />;
}

interface EventResultProps {
  installation: InstallationView;
  call: Extract<SentTestCall, { sent: "event" }>;
}

function EventResult({ installation, call }: EventResultProps) {
  const [waiting, setWaiting] = useState(call.deliveries > 0);
  const { data } = useAttempts(installation.id, waiting);
  // Ids sort by time: the first webhook attempt after `after` belongs to this event.
  const delivered = data?.attempts
    .filter((attempt) => attempt.kind === "webhook" && attempt.id > call.after)
    .at(-1);
  useEffect(() => {
    const timer = setTimeout(() => setWaiting(false), WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  const accepted =
    call.deliveries === 1 ? "Event accepted, 1 delivery" : `Event accepted, ${call.deliveries} deliveries`;
  return (
    <section aria-label="Result" className="flex flex-col gap-4 border-t border-line pt-6">
      <Notice
        tone={call.deliveries > 0 ? "success" : "info"}
        title={call.deliveries > 0 ? accepted : "No subscribers"}
      >
        {call.deliveries > 0 ? (
          <>
            Event <code className="font-mono text-xs break-all">{call.eventId}</code>
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
      {delivered === undefined && call.deliveries > 0 && !waiting && (
        <Notice tone="warning" title="Not delivered yet">
          The delivery is queued and will be retried. It appears below after the first attempt.
        </Notice>
      )}
    </section>
  );
}
