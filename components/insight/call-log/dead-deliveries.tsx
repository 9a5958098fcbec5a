"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/forms/lazy-code";
import { type RowSelection, SelectionBar } from "@/components/ui/forms/selection";
import { Toast } from "@/components/ui/toast";
import { callApi } from "@/lib/client/api";
import { type CallFilter, MOST_COUNTED } from "@/lib/contract/calls/call-filter";
import type { ReplayRequest, ReplayResult } from "@/lib/contract/calls/gateway-answers";
import { formatCount } from "@/lib/domain/platform/text";

interface DeadDeliveriesProps {
  filter: CallFilter;
  /** How many the filter shows. */
  total: number;
  selection: RowSelection;
}

interface Asked {
  request: ReplayRequest;
  count: string;
  isOne: boolean;
}

/** Sends dead deliveries again: those that are selected, or all that the filter shows. The result stays when none are left. */
export function DeadDeliveries({ filter, total, selection }: DeadDeliveriesProps) {
  const [asked, setAsked] = useState<Asked>();
  const [result, setResult] = useState<ReplayResult>();
  const client = useQueryClient();
  const replay = useMutation({
    mutationFn: (body: ReplayRequest) =>
      callApi("POST", "/api/deliveries/replay", {
        body,
        answer: async () => (await import("@/lib/contract/calls/gateway-answers")).replayResult,
      }),
    onSuccess: (done) => {
      setAsked(undefined);
      selection.clear();
      setResult(done);
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["calls"] }),
  });
  const ask = (request: ReplayRequest, count: number) => {
    replay.reset();
    setAsked({ request, count: formatCount(count, MOST_COUNTED), isOne: count === 1 });
  };
  const { ids } = selection;
  const what = asked?.isOne === true ? "delivery" : "deliveries";
  return (
    <>
      {total > 0 && (
        <SelectionBar selection={selection}>
          {ids.size > 0 && (
            <Button size="small" tone="primary" onPress={() => ask({ deliveryIds: [...ids] }, ids.size)}>
              <RotateCcw aria-hidden className="size-3.5" />
              Replay selected
            </Button>
          )}
          <Button size="small" onPress={() => ask({ filter }, total)}>
            <RotateCcw aria-hidden className="size-3.5" />
            Replay all {formatCount(total, MOST_COUNTED)}
          </Button>
        </SelectionBar>
      )}
      <ConfirmDialog
        isOpen={asked !== undefined}
        onOpenChange={(isOpen) => !isOpen && setAsked(undefined)}
        title={`Replay ${asked?.count} dead ${what}?`}
        confirmText={`Replay ${asked?.count} ${what}`}
        tone="primary"
        onConfirm={() => asked !== undefined && replay.mutate(asked.request)}
        isPending={replay.isPending}
        error={replay.error}
      >
        {asked?.isOne === true
          ? "The app receives this event again, with the same ID and a new set of attempts."
          : "The app receives each of these events again, with the same ID and a new set of attempts."}
      </ConfirmDialog>
      <Toast isShown={result !== undefined} onClose={() => setResult(undefined)}>
        {result !== undefined && describeReplay(result)}
      </Toast>
    </>
  );
}

function describeReplay({ replayed, skipped, more }: ReplayResult): string {
  const count = replayed.toLocaleString("en-US");
  const sent = replayed === 1 ? "Replaying 1 delivery." : `Replaying ${count} deliveries.`;
  const left =
    skipped === 0
      ? ""
      : ` ${skipped.toLocaleString("en-US")} could not be replayed: the app was uninstalled, ended the subscription, or someone else replayed them.`;
  return `${sent}${left}${more ? " More deliveries match. Replay again to send them." : ""}`;
}
