"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/forms/lazy-code";
import { Checkbox } from "@/components/ui/forms/toggles";
import { Toast } from "@/components/ui/toast";
import { callApi } from "@/lib/client/api";
import { type CallFilter, MOST_COUNTED, toCallQuery } from "@/lib/contract/calls/call-filter";
import type { ReplayRequest, ReplayResult } from "@/lib/contract/calls/gateway-answers";
import type { CallRow } from "@/lib/contract/insight/call";
import { formatCount } from "../charts/metrics";
import type { Selection } from "./call-rows";

interface RowSelection extends Selection {
  /** Every row that is shown. */
  all: boolean;
  toggleAll: (isSelected: boolean) => void;
  clear: () => void;
}

/** Which rows are selected. Another filter, or a row that is gone, forgets it. */
export function useSelection(filter: CallFilter, calls: readonly CallRow[] = []): RowSelection {
  const key = toCallQuery(filter).toString();
  const [selected, setSelected] = useState<{ key: string; ids: readonly string[] }>({ key, ids: [] });
  const shown = new Set(calls.map(({ id }) => id));
  const ids = new Set(selected.key === key ? selected.ids.filter((id) => shown.has(id)) : []);
  return {
    ids,
    all: calls.length > 0 && ids.size === calls.length,
    toggle: (id, isSelected) =>
      setSelected({ key, ids: isSelected ? [...ids, id] : [...ids].filter((each) => each !== id) }),
    toggleAll: (isSelected) => setSelected({ key, ids: isSelected ? [...shown] : [] }),
    clear: () => setSelected({ key, ids: [] }),
  };
}

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
        <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line bg-subtle px-4 py-2.5 sm:px-6">
          <Checkbox value={selection.all} onChange={selection.toggleAll}>
            {ids.size === 0 ? "Select all on this page" : `${ids.size} selected`}
          </Checkbox>
          <span className="flex flex-wrap gap-2">
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
          </span>
        </div>
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
