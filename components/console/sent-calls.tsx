"use client";

import { CornerUpLeft } from "lucide-react";
import { Outcome } from "@/components/call/outcome";
import { ROUTE_KIND_LABELS } from "@/components/call/route-kinds";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import { TextLink } from "@/components/ui/text-link";
import type { InstallationView } from "@/lib/contract/installation-view";
import { useSentCalls } from "./console-data";

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
      <h3 className="mb-2 text-[13px] font-medium text-ink">Recent test calls</h3>
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
              <RelativeTime at={call.startedAt} className="text-[13px] text-ink-faint" />
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
    </section>
  );
}
