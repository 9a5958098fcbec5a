import { ChevronRight, RotateCw, Unplug, Users } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/card";
import { Segments } from "@/components/ui/forms/segments";
import { ProblemNotice } from "@/components/ui/problem-notice";
import type { DevCall } from "../dev/contract/calls";
import { CallDetails, CallLine } from "./call-details";
import { again, CallEditor, useSend } from "./call-editor";
import { useConnection, useDev } from "./frame/connection";
import { PageLink, useUrl, withParameters } from "./frame/location";

/** Sends everything that the manifest declares, as the platform would. */
export function ConsoleArea() {
  const { routes } = useDev("manifest");
  const customers = useDev("customers");
  const { href } = useUrl();
  const [sent, setSent] = useState<readonly string[]>([]);
  if (routes.length === 0)
    return (
      <EmptyState icon={Unplug} title="The manifest declares no routes">
        Add webhooks, autofill, external raters, or endpoints to platform-app.json. They appear here when you
        save it.
      </EmptyState>
    );
  if (customers.length === 0)
    return (
      <EmptyState
        icon={Users}
        title="There are no customers"
        action={
          <PageLink
            href={withParameters({ area: "customers" }, href)}
            className="font-medium text-accent-text underline"
          >
            Add a customer
          </PageLink>
        }
      >
        A call is always made for a customer.
      </EmptyState>
    );
  return (
    <div className="flex min-w-0 flex-col gap-8">
      <CallEditor routes={routes} customers={customers} onSent={setSent} />
      <CallResults ids={sent} />
      <CallHistory onSent={setSent} />
    </div>
  );
}

/** What was sent last, side by side if several customers got it. */
function CallResults({ ids }: { ids: readonly string[] }) {
  const calls = useDev("calls");
  const sent = ids.flatMap((id) => calls.find((call) => call.id === id) ?? []);
  if (sent.length === 0) return null;
  return (
    <section aria-label="Result" className="flex min-w-0 flex-col gap-4">
      <h2 className="text-lead font-semibold text-ink">Result</h2>
      <div className={`grid min-w-0 gap-4 ${sent.length > 1 ? "lg:grid-cols-2" : ""}`}>
        {sent.map((call) => (
          <article
            key={call.id}
            aria-label={`Result for ${call.customerName}`}
            className="flex min-w-0 flex-col gap-4 rounded-card border border-line bg-surface p-4 shadow-low"
          >
            <CallLine call={call} />
            <CallDetails call={call} />
          </article>
        ))}
      </div>
    </section>
  );
}

const SENDERS = [
  { value: "yours", text: "Yours" },
  { value: "all", text: "All" },
] as const;
/** More are shown on request. */
const PAGE = 25;

/** What was sent since the emulator started, newest first. Calls of drills and of the platform are shown on request. */
function CallHistory({ onSent }: { onSent: (ids: readonly string[]) => void }) {
  const calls = useDev("calls");
  const shows = useUrl().searchParams.get("calls") === "all" ? "all" : "yours";
  const [most, setMost] = useState(PAGE);
  const send = useSend(onSent);
  const chosen = shows === "all" ? calls : calls.filter(isYours);
  return (
    <section aria-label="Calls" className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lead font-semibold text-ink">Calls</h2>
        <Segments
          label="Show calls"
          options={SENDERS}
          value={shows}
          onChange={(value) =>
            history.replaceState(null, "", withParameters({ calls: value === "all" ? "all" : undefined }))
          }
        />
      </div>
      <ProblemNotice error={send.error} />
      {chosen.length === 0 ? (
        <p className="rounded-card border border-dashed border-line px-4 py-8 text-center text-small text-ink-faint">
          {calls.length === 0
            ? "No calls yet. Send one above, or with platform-app call."
            : "You haven't sent a call yet."}
        </p>
      ) : (
        <ul className="min-w-0 divide-y divide-line rounded-card border border-line bg-surface shadow-low">
          {chosen.slice(0, most).map((call) => (
            <li key={call.id}>
              <HistoryRow
                call={call}
                sendAgain={() => send.mutate([again(call)])}
                isSending={send.isPending}
              />
            </li>
          ))}
        </ul>
      )}
      {chosen.length > most && (
        <Button size="small" className="self-center" onPress={() => setMost(most + PAGE)}>
          Show more
        </Button>
      )}
    </section>
  );
}

function isYours({ sender }: DevCall): boolean {
  return sender === "console" || sender === "terminal";
}

interface HistoryRowProps {
  call: DevCall;
  sendAgain: () => void;
  isSending: boolean;
}

function HistoryRow({ call, sendAgain, isSending }: HistoryRowProps) {
  const isLive = useConnection() === "live";
  const { routes } = useDev("manifest");
  // The check of answers isn't one, and the manifest may have changed since.
  const isDeclared = routes.some(({ route }) => route === call.route);
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="group min-w-0" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex cursor-pointer list-none items-center gap-2 px-3 py-2.5 -outline-offset-2 hover:bg-hover sm:px-4">
        <ChevronRight
          aria-hidden
          className="size-4 shrink-0 text-ink-faint transition-transform group-open:rotate-90"
        />
        <CallLine call={call} />
      </summary>
      {isOpen && (
        <div className="flex flex-col items-start gap-4 border-t border-line bg-ground px-4 py-4 sm:px-6">
          {isDeclared && (
            <Button size="small" onPress={sendAgain} isDisabled={!isLive || isSending}>
              <RotateCw aria-hidden className="size-4" />
              Send again
            </Button>
          )}
          <div className="w-full min-w-0">
            <CallDetails call={call} />
          </div>
        </div>
      )}
    </details>
  );
}
