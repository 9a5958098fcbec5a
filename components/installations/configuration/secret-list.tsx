"use client";

import { KeyRound } from "lucide-react";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card, EmptyState, MoreNote } from "@/components/ui/card";
import { RelativeTime } from "@/components/ui/relative-time";
import { UserText } from "@/components/ui/values";
import type { SecretLedger } from "@/lib/contract/installations/configuration-view";
import { foldKept } from "./revision-changes";

/** What happened to each secret, who did it and when, and when the app last read it. */
export function SecretList({ secrets }: { secrets: SecretLedger[] }) {
  if (secrets.length === 0)
    return (
      <Card flush>
        <EmptyState icon={KeyRound} title="This app has no secrets">
          If an app asks for a secret, this page lists when it was set, replaced and removed, and when the app
          last read it.
        </EmptyState>
      </Card>
    );
  return (
    <div className="flex flex-col gap-4">
      <p className="max-w-2xl text-small leading-5 text-ink-soft">
        What happened to each secret, and when the app last read it. The secret itself is never shown.
      </p>
      {secrets.map((secret) => (
        <SecretCard key={secret.name} secret={secret} />
      ))}
    </div>
  );
}

const SHOWN = 5;

function SecretCard({ secret }: { secret: SecretLedger }) {
  const [all, setAll] = useState(false);
  const entries = foldKept(secret.entries);
  const shown = all ? entries : entries.slice(0, SHOWN);
  return (
    <Card
      flush
      title={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <UserText className="wrap-anywhere">{secret.title}</UserText>
          {secret.configured ? <Badge tone="success">Set</Badge> : <Badge>Not set</Badge>}
        </span>
      }
      description={<LastRead secret={secret} />}
    >
      {shown.length > 0 && (
        <ol className="divide-y divide-line border-t border-line" aria-label={`Entries of ${secret.title}`}>
          {shown.map((folded) => (
            <EntryRow key={`${folded.entry.revision} ${folded.entry.action}`} {...folded} />
          ))}
        </ol>
      )}
      {shown.length === 0 && (
        <p className="border-t border-line px-4 py-3 text-small text-ink-faint sm:px-6">Never set.</p>
      )}
      {shown.length < entries.length && (
        <div className="border-t border-line px-4 py-2 sm:px-6">
          <Button size="small" tone="quiet" className="-ml-3" onPress={() => setAll(true)}>
            Show {secret.moreEntries === 0 ? "all" : "the newest"} {entries.length}
          </Button>
        </div>
      )}
      {shown.length === entries.length && (
        <MoreNote flush count={secret.moreEntries} one="entry" many="entries">
          The revisions list older changes too.
        </MoreNote>
      )}
    </Card>
  );
}

function LastRead({ secret: { configured, lastReadAt } }: { secret: SecretLedger }) {
  if (!configured) return "No value is set.";
  if (lastReadAt === null) return "The app has not read this value yet.";
  return (
    <>
      The app last read it <RelativeTime at={lastReadAt} />.
    </>
  );
}

/** What happened, with an explanation if no person did it. */
const ACTIONS: Record<SecretLedger["entries"][number]["action"], { text: string; detail?: string }> = {
  set: { text: "Set" },
  kept: { text: "Kept" },
  replaced: { text: "Replaced" },
  cleared: { text: "Cleared" },
  dropped: { text: "Dropped", detail: "The new version does not ask for it." },
  removed: { text: "Removed", detail: "The app was uninstalled." },
};

function EntryRow({ entry, more }: ReturnType<typeof foldKept>[number]) {
  const { text, detail } = ACTIONS[entry.action];
  const oldest = more.at(-1);
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 px-4 py-2.5 text-small leading-5 sm:px-6">
      <span className="min-w-24 font-medium text-ink">
        {text}
        {more.length > 0 && (
          <span className="font-normal text-ink-faint tabular-nums"> {more.length + 1} times</span>
        )}
      </span>
      <span className="min-w-0 flex-1 basis-56 text-ink-soft">
        <RelativeTime at={entry.at} /> {entry.by === null ? "by the platform" : `by ${entry.by}`}
        {detail !== undefined && <span className="block text-ink-faint">{detail}</span>}
      </span>
      <span className="text-ink-faint tabular-nums">
        {oldest === undefined
          ? `Revision ${entry.revision}`
          : `Revisions ${oldest.revision} to ${entry.revision}`}
      </span>
    </li>
  );
}
