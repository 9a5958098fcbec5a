import { ChevronRight, RotateCw } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Segments } from "@/components/ui/choices";
import { ProblemNotice } from "@/components/ui/problem-notice";
import type { DevCall } from "@/cli/dev/contract/calls";
import { useConnection, useDev } from "../connection/dev-context";
import { useUrl, withParameters } from "../frame/location";
import { CallDetails } from "./call-details";
import { CallLine } from "./call-line";
import { again, useSend } from "./use-send";

const SENDERS = [
  { value: "yours", text: "Yours" },
  { value: "all", text: "All" },
] as const;
/** More are shown on request. */
const PAGE = 25;

/** What was sent since the emulator started, newest first. Calls of drills and of the platform are shown on request. */
export function CallHistory({ onSent }: { onSent: (ids: readonly string[]) => void }) {
  const calls = useDev("calls");
  const shows = useUrl().searchParams.get("calls") === "all" ? "all" : "yours";
  const [most, setMost] = useState(PAGE);
  const send = useSend(onSent);
  const chosen = shows === "all" ? calls : calls.filter(isYours);
  return (
    <section aria-label="Calls" className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-[15px] font-semibold text-ink">Calls</h2>
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
        <p className="rounded-card border border-dashed border-line px-4 py-8 text-center text-[13px] text-ink-faint">
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
