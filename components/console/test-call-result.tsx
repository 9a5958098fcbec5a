"use client";

import { CallResult } from "@/components/call/call-result";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { ShortId } from "@/components/ui/short-id";
import { Skeleton } from "@/components/ui/skeleton";
import type { InstallationView, SentTestCall } from "@/lib/contract/installation-view";
import { useDelivery } from "./console-data";
import { describeDelivery } from "@/components/call/delivery-labels";

/** The result of a test call, as it happens. */
export function TestCallResult({
  installation,
  call,
}: {
  installation: InstallationView;
  call: SentTestCall;
}) {
  return (
    <section aria-label="Result" className="flex flex-col gap-4 border-t border-line pt-6">
      {call.sent === "call" ? (
        <CallResult key={call.attemptId} attemptId={call.attemptId} />
      ) : (
        <EventResult key={call.eventId} installation={installation} call={call} />
      )}
    </section>
  );
}

interface EventResultProps {
  installation: InstallationView;
  call: Extract<SentTestCall, { sent: "event" }>;
}

function EventResult({ installation, call: { eventId, deliveries, deliveryId } }: EventResultProps) {
  if (deliveries === 0)
    return (
      <Notice title="No subscribers">
        The event was stored, but no route subscribes to its type. Use one of the types that the route
        declares.
      </Notice>
    );
  const others = deliveries - (deliveryId === null ? 0 : 1);
  return (
    <>
      {deliveryId !== null && <DeliveryResult installation={installation} deliveryId={deliveryId} />}
      <p className="flex flex-wrap items-center gap-x-1 text-[13px] leading-5 text-ink-faint">
        Event <ShortId value={eventId} label="event ID" />
        {deliveryId === null && "This route doesn't subscribe to its type. "}
        {others > 0 && `Sent to ${others} other ${others === 1 ? "route" : "routes"}.`}
      </p>
    </>
  );
}

function DeliveryResult({
  installation,
  deliveryId,
}: {
  installation: InstallationView;
  deliveryId: string;
}) {
  const { data: delivery, error } = useDelivery(deliveryId);
  if (error !== null) return <ProblemNotice error={error} />;
  if (delivery === undefined) return <Skeleton className="h-16 w-full" />;
  const { tone, title, text, nextAt } = describeDelivery(delivery, installation);
  const [newest] = delivery.attempts;
  return (
    <>
      <Notice tone={tone} title={title}>
        {text}
        {nextAt !== undefined && (
          <>
            {" "}
            The next attempt is <RelativeTime at={nextAt} />.
          </>
        )}
      </Notice>
      {newest !== undefined && <CallResult key={newest.id} attemptId={newest.id} />}
    </>
  );
}
