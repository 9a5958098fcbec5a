"use client";

import { useIsAway } from "@/components/platform/availability";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/forms/lazy-code";
import { TextLink } from "@/components/ui/links";
import { RelativeTime } from "@/components/ui/relative-time";
import { callApi } from "@/lib/client/api";
import type { DeliveryState } from "@/lib/contract/catalog/installation-states";
import type { CallView } from "@/lib/contract/insight/call";
import type { Role } from "@/lib/contract/platform/role";
import { listRetryWaits } from "@/lib/domain/calls/backoff";
import { mayOperate } from "@/lib/domain/calls/installation";
import { formatDuration } from "@/lib/domain/insight/call-text";
import { Outcome } from "./describe-call";
import { describeDelivery } from "./describe-delivery";

const STATES: Record<DeliveryState, { tone: Tone; text: string }> = {
  PENDING: { tone: "accent", text: "Pending" },
  DELIVERED: { tone: "success", text: "Delivered" },
  DEAD: { tone: "danger", text: "Dead" },
  ENDED: { tone: "neutral", text: "Ended" },
};

export function DeliveryBadge({ state }: { state: DeliveryState }) {
  const { tone, text } = STATES[state];
  return <Badge tone={tone}>{text}</Badge>;
}

/** All attempts of a call's delivery, and when the next one is. */
export function DeliveryCard({ call, role }: { call: CallView; role: Role }) {
  const { delivery, installation } = call;
  const isWorkerAway = useIsAway("worker");
  if (delivery === null) return null;
  const { title, text, nextAt } = describeDelivery(delivery, installation, {
    eventType: call.eventType,
    isWorkerAway,
  });
  const waits = delivery.state === "PENDING" ? listRetryWaits(delivery.attemptCount + 1) : [];
  return (
    <Card
      title="Delivery"
      actions={
        <>
          {delivery.state === "DEAD" && mayOperate(role, installation.test) && (
            <ReplayButton callId={call.id} deliveryId={delivery.id} />
          )}
          <DeliveryBadge state={delivery.state} />
        </>
      }
      flush
    >
      <div className="px-4 pb-4 text-ink-soft sm:px-6">
        <p>
          <span className="font-medium text-ink">{title}.</span> {text}
          {nextAt !== undefined && (
            <>
              {" "}
              The next attempt is due <RelativeTime at={nextAt} />.
            </>
          )}
        </p>
        {waits.length > 0 && (
          <p className="mt-1 text-small leading-5 text-ink-faint">
            If it fails, the platform retries after {listWaits(waits)}.
          </p>
        )}
      </div>
      <ol
        aria-label="Attempts, newest first"
        reversed
        className="max-h-96 divide-y divide-line overflow-y-auto border-t border-line"
      >
        {delivery.attempts.map((attempt, index) => {
          const name = `Attempt ${delivery.attemptsInAll - index}`;
          return (
            <li
              key={attempt.id}
              aria-current={attempt.id === call.id ? "true" : undefined}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 aria-[current]:bg-subtle sm:px-6"
            >
              {attempt.id === call.id ? (
                <span className="font-medium text-ink">{name}</span>
              ) : (
                <TextLink href={`/calls/${attempt.id}`}>{name}</TextLink>
              )}
              <Outcome attempt={attempt} />
              <RelativeTime at={attempt.startedAt} className="ml-auto text-small text-ink-faint" />
            </li>
          );
        })}
      </ol>
      {delivery.attemptsInAll > delivery.attempts.length && (
        <p className="border-t border-line px-4 py-3 text-small leading-5 text-ink-faint sm:px-6">
          The newest {delivery.attempts.length} of {delivery.attemptsInAll} attempts.{" "}
          <TextLink href={`/installations/${installation.id}/calls`}>All calls of the installation</TextLink>
        </p>
      )}
    </Card>
  );
}

/** "30 minutes, 2 hours, 5 hours, and 4 more times". */
function listWaits(waits: readonly number[]): string {
  const shown = waits.slice(0, 3).map(formatDuration);
  const more = waits.length - shown.length;
  const items = more === 0 ? shown : [...shown, `${more} more ${more === 1 ? "time" : "times"}`];
  return new Intl.ListFormat("en", { type: "conjunction" }).format(items);
}

/** Sends a dead delivery again, with the same event and a new set of tries. */
function ReplayButton({ callId, deliveryId }: { callId: string; deliveryId: string }) {
  const [isAsked, setAsked] = useState(false);
  const client = useQueryClient();
  const replay = useMutation({
    mutationFn: () =>
      callApi("POST", "/api/deliveries/replay", {
        body: { deliveryIds: [deliveryId] },
        answer: async () => (await import("@/lib/contract/calls/gateway-answers")).replayResult,
      }),
    onSuccess: () => setAsked(false),
    onSettled: () => client.invalidateQueries({ queryKey: ["call", callId] }),
  });
  return (
    <>
      <Button size="small" onPress={() => setAsked(true)}>
        <RotateCcw aria-hidden className="size-3.5" />
        Replay
      </Button>
      <ConfirmDialog
        isOpen={isAsked}
        onOpenChange={setAsked}
        title="Replay this delivery?"
        confirmText="Replay delivery"
        tone="primary"
        onConfirm={() => replay.mutate()}
        isPending={replay.isPending}
        error={replay.error}
      >
        The app receives this event again, with the same ID and a new set of attempts.
      </ConfirmDialog>
    </>
  );
}
