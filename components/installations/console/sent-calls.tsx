"use client";

import { ArrowRight, CornerUpLeft } from "lucide-react";
import { Body } from "@/components/insight/call-log/call-bodies";
import { CallTimeline, LatencyBar } from "@/components/insight/call-log/call-timeline";
import { Outcome, ROUTE_KIND_LABELS } from "@/components/insight/call-log/describe-call";
import { describeDelivery } from "@/components/insight/call-log/describe-delivery";
import { useCall } from "@/components/insight/call-log/use-call";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/card";
import { LinkButton, TextLink } from "@/components/ui/links";
import { useIsAway } from "@/components/platform/availability";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { ShortId } from "@/components/ui/technical-text";
import type { InstallationView, SentTestCall } from "@/lib/contract/installations/installation-view";
import { useDelivery, useSentCalls } from "./console-data";

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
      <p className="flex flex-wrap items-center gap-x-1 text-small leading-5 text-ink-faint">
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
  const isWorkerAway = useIsAway("worker");
  if (error !== null) return <ProblemNotice error={error} />;
  if (delivery === undefined) return <Skeleton className="h-16 w-full" />;
  const { tone, title, text, nextAt } = describeDelivery(delivery, installation, { isWorkerAway });
  const [newest] = delivery.attempts;
  return (
    <>
      <Notice tone={tone} title={title}>
        {text}
        {nextAt !== undefined && (
          <>
            {" "}
            The next attempt is due <RelativeTime at={nextAt} />.
          </>
        )}
      </Notice>
      {newest !== undefined && <CallResult key={newest.id} attemptId={newest.id} />}
    </>
  );
}

/** One call in short, as it happens, with a link to its page. */
function CallResult({ attemptId }: { attemptId: string }) {
  const { data: call, error, dataUpdatedAt } = useCall(attemptId);
  if (call === undefined)
    return error === null ? <Skeleton className="h-40 w-full" /> : <ProblemNotice error={error} />;
  const isOpen = call.durationMs === null;
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Outcome attempt={call} />
        <LinkButton size="small" href={`/calls/${call.id}`}>
          Open this call
          <ArrowRight aria-hidden className="size-4" />
        </LinkButton>
      </div>
      <LatencyBar call={call} />
      <CallTimeline call={call} now={dataUpdatedAt} />
      {!isOpen && (
        <Body
          call={call}
          label="answer"
          text={call.answer}
          bytes={call.answerBytes}
          absent="No complete response arrived."
        />
      )}
    </div>
  );
}

interface SentCallsProps {
  installation: InstallationView;
  /** Puts the payload of this call into the editor. */
  onOpen: (attemptId: string) => void;
}

/** Test calls that anybody sent from this console. */
export function SentCalls({ installation, onOpen }: SentCallsProps) {
  const { data } = useSentCalls(installation.id);
  if (data === undefined || data.calls.length === 0) return null;
  const routeIds = new Set(installation.routes.map(({ routeId }) => routeId));
  return (
    <section aria-label="Recent test calls" className="border-t border-line pt-5">
      <h3 className="mb-2 text-small font-medium text-ink">Recent test calls</h3>
      <ul className="max-h-72 divide-y divide-line overflow-y-auto rounded-field border border-line">
        {data.calls.map((call) => {
          const name = `${ROUTE_KIND_LABELS[call.kind]} ${call.eventType ?? ""}`.trim();
          return (
            <li key={call.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5 pr-1.5 pl-3">
              <span className="min-w-0 basis-full wrap-anywhere sm:flex-1 sm:basis-0">
                <TextLink standalone href={`/calls/${call.id}`}>
                  {name}
                </TextLink>
              </span>
              <Outcome attempt={call} />
              <RelativeTime at={call.startedAt} className="text-small text-ink-faint" />
              <Button
                tone="quiet"
                size="small"
                className="ml-auto"
                aria-label={`Load ${name}`}
                // A route that the app no longer declares can't be called.
                isDisabled={!routeIds.has(call.routeId)}
                onPress={() => onOpen(call.id)}
              >
                <CornerUpLeft aria-hidden className="size-4" />
                Load
              </Button>
            </li>
          );
        })}
      </ul>
      {data.more && (
        <p className="mt-2 text-small leading-5 text-ink-faint">
          The newest {data.calls.length}.{" "}
          <TextLink href={`/installations/${installation.id}/calls?source=console`}>All test calls</TextLink>
        </p>
      )}
    </section>
  );
}
