"use client";

import { useEffect, useState } from "react";
import { Notice } from "@/components/ui/notice";
import { Spinner } from "@/components/ui/button";
import type { FiredCall, InstallationView } from "@/lib/contract/installation-view";
import { AttemptView } from "./attempt-view";
import { useAttempts } from "./attempts";

/** How long an event's delivery is waited for; retries come later and show in the list. */
const WAIT_MS = 30_000;

export function FiredResult({ installation, fired }: { installation: InstallationView; fired: FiredCall }) {
  if (fired.fired === "call") {
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
  fired: Extract<FiredCall, { fired: "event" }>;
}

function EventResult({ installation, fired }: EventResultProps) {
  const [waiting, setWaiting] = useState(fired.deliveries > 0);
  const { data } = useAttempts(installation.id, waiting);
  // Ids sort by time: what comes after the mark and belongs to a delivery is this event's.
  const delivered = data?.attempts
    .filter((attempt) => attempt.kind === "webhook" && attempt.id > fired.after)
    .at(-1);
  useEffect(() => {
    const timer = setTimeout(() => setWaiting(false), WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  const accepted =
    fired.deliveries === 1
      ? "The event was accepted, with one delivery."
      : `The event was accepted, with ${fired.deliveries} deliveries.`;
  return (
    <section aria-label="Result" className="flex flex-col gap-4 border-t border-line pt-6">
      <Notice
        tone={fired.deliveries > 0 ? "success" : "info"}
        title={fired.deliveries > 0 ? accepted : "No route takes this type"}
      >
        {fired.deliveries > 0 ? (
          <>
            Event <code className="font-mono text-xs break-all">{fired.eventId}</code>
          </>
        ) : (
          "The event was stored, and nothing subscribed to its type. Choose one of the types that the route names."
        )}
      </Notice>
      {delivered !== undefined && (
        <AttemptView key={delivered.id} installation={installation} attemptId={delivered.id} />
      )}
      {delivered === undefined && waiting && (
        <p className="flex items-center gap-2 text-ink-soft">
          <Spinner label="Waiting for the delivery" /> Waiting for the delivery
        </p>
      )}
      {delivered === undefined && fired.deliveries > 0 && !waiting && (
        <Notice tone="warning" title="Not delivered to this app yet">
          The delivery waits in the queue and is retried. It shows below once it was tried.
        </Notice>
      )}
    </section>
  );
}
