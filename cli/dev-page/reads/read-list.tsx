import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { timeOfDay } from "@/components/app-log/moments";
import { Badge } from "@/components/ui/badge";
import { CodeBlock } from "@/components/ui/code-block";
import type { DevRead } from "@/cli/dev/contract/calls";

interface ReadListProps {
  reads: readonly DevRead[];
  showsCustomer: boolean;
}

/** Reads of the state API. Each opens to show what was returned. */
export function ReadList({ reads, showsCustomer }: ReadListProps) {
  return (
    <ul className="min-w-0 divide-y divide-line rounded-field border border-line bg-surface">
      {reads.map((read) => (
        <li key={read.id}>
          <ReadRow read={read} showsCustomer={showsCustomer} />
        </li>
      ))}
    </ul>
  );
}

function ReadRow({ read, showsCustomer }: { read: DevRead; showsCustomer: boolean }) {
  const { at, status, ms, key, what, customerName, refusal, answered } = read;
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="group min-w-0" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex cursor-pointer list-none items-start gap-2 px-3 py-2 -outline-offset-2 hover:bg-hover">
        <ChevronRight
          aria-hidden
          className="mt-1 size-4 shrink-0 text-ink-faint transition-transform group-open:rotate-90"
        />
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1 text-[13px] leading-6">
          <Badge tone={status === 200 ? "success" : "danger"}>{status}</Badge>
          {showsCustomer && (
            <span className="min-w-0 font-medium wrap-anywhere text-ink">
              {customerName ?? "No customer"}
            </span>
          )}
          <span className="font-mono text-xs wrap-anywhere text-ink-soft">
            {what === "state" ? key : `${key}/webhook-secrets`}
          </span>
          <span className="ml-auto flex gap-3 text-xs text-ink-faint tabular-nums">
            <span>{formatMs(ms)} ms</span>
            <time dateTime={at}>{timeOfDay(at).slice(0, 8)}</time>
          </span>
          {refusal !== null && <span className="w-full wrap-anywhere text-ink-soft">{refusal}</span>}
        </span>
      </summary>
      {isOpen && (
        <div className="border-t border-line bg-ground p-3">
          {answered === null ? (
            <p className="text-[13px] leading-5 text-ink-faint">Nothing was returned.</p>
          ) : (
            <CodeBlock label="state" code={JSON.stringify(answered, null, 2)} json maxHeight={320} />
          )}
        </div>
      )}
    </details>
  );
}

function formatMs(ms: number): string {
  return ms < 10 ? ms.toFixed(1) : String(Math.round(ms));
}
