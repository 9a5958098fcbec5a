"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { LoaderCircle, ShieldCheck, X } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { inputStyles } from "@/components/ui/forms/input-styles";
import { UrlSelect } from "@/components/ui/forms/select-field";
import { LinkButton } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { ZoneName } from "@/components/ui/zone";
import { callApi } from "@/lib/client/api";
import { AUDIT_ACTIONS } from "@/lib/contract/platform/audit";
import type { AuditFilter, VerificationStep } from "@/lib/contract/platform/audit-view";

interface AuditFiltersProps {
  path: string;
  filter: AuditFilter;
  /** Of the actor in the filter. */
  actorName: string | undefined;
}

const ACTIONS = Object.entries(AUDIT_ACTIONS).map(([action, sentence]) => ({
  value: action,
  text: `${sentence.charAt(0).toUpperCase()}${sentence.slice(1).replace("{subject}", "…")}`,
  detail: action,
  isCode: true,
}));

/** Filters in the URL. Each applies at once. */
export function AuditFilters({ path, filter, actorName }: AuditFiltersProps) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const apply = (name: keyof AuditFilter, value: string | undefined) => {
    const kept = Object.entries({ ...filter, [name]: value === "" ? undefined : value });
    const query = new URLSearchParams(
      kept.flatMap(([key, text]) => (text === undefined ? [] : [[key, text] as [string, string]])),
    );
    startTransition(() => router.push(`${path}?${query}`, { scroll: false }));
  };
  return (
    <div
      aria-busy={isPending}
      className="mb-6 grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] items-end gap-3 md:grid-cols-[1fr_1fr_auto_auto_auto]"
    >
      <UrlSelect
        label="Actor"
        any="Anyone"
        className="min-w-0 max-sm:col-span-full"
        value={filter.actor}
        onChange={(value) => apply("actor", value)}
        options={filter.actor === undefined ? [] : [{ value: filter.actor, text: actorName ?? filter.actor }]}
        search={`/api${path}/actors`}
      />
      <UrlSelect
        label="Action"
        any="All actions"
        className="min-w-0 max-sm:col-span-full"
        value={filter.action}
        onChange={(value) => apply("action", value)}
        options={ACTIONS}
      />
      <DayField label="From" value={filter.from} onChange={(value) => apply("from", value)} />
      <DayField label="To" value={filter.to} onChange={(value) => apply("to", value)} />
      {Object.values(filter).some((value) => value !== undefined) && (
        <LinkButton href={path} tone="quiet" className="max-md:justify-self-start">
          <X aria-hidden className="size-4" />
          Clear
        </LinkButton>
      )}
      {(filter.from ?? filter.to) !== undefined && (
        <p className="col-span-full text-small text-ink-soft">
          Days are in <ZoneName at={filter.from ?? filter.to} />.
        </p>
      )}
      {filter.subject !== undefined && (
        <p className="col-span-full text-small text-ink-soft">
          Only changes of{" "}
          <code translate="no" className="font-mono wrap-anywhere">
            {filter.subject}
          </code>
        </p>
      )}
    </div>
  );
}

interface DayFieldProps {
  label: string;
  value: string | undefined;
  onChange: (value: string) => void;
}

/** A year that isn't complete yet gives a date before any entry of a trail. */
const FIRST_DAY = "2000-01-01";

/** A day of the reader's time zone. */
function DayField({ label, value = "", onChange }: DayFieldProps) {
  const [applied, setApplied] = useState(value);
  const [shown, setShown] = useState(value);
  if (applied !== value) {
    setApplied(value);
    setShown(value);
  }
  return (
    <label className="flex min-w-0 flex-col gap-1.5 text-small font-medium text-ink">
      {label}
      <input
        type="date"
        value={shown}
        onChange={({ target }) => {
          setShown(target.value);
          if (target.value === "" || target.value >= FIRST_DAY) onChange(target.value);
        }}
        className={inputStyles({ className: "font-normal" })}
      />
    </label>
  );
}

const FRESH_MS = 10 * 60_000;

/** Verifies the trail step by step while the page is open, and says how far it got. */
export function TrailStatus({ place }: { place: "organization" | "moderation" }) {
  const client = useQueryClient();
  const key = ["audit-verification", place];
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      let step: VerificationStep = { position: 0, done: false };
      while (!step.done) {
        step = await callApi("GET", `/api/${place}/audit/verification?after=${step.position}`, {
          answer: async () => (await import("@/lib/contract/platform/audit-view")).verificationStep,
          signal,
        });
        client.setQueryData(key, step);
      }
      return step;
    },
    staleTime: FRESH_MS,
    refetchOnWindowFocus: false,
  });
  if (error !== null) return <ProblemNotice error={error} />;
  const rows = (data?.position ?? 0).toLocaleString("en-US");
  if (data?.issue !== undefined)
    return (
      <Notice
        tone="danger"
        title={`The trail is broken at row ${data.issue.position.toLocaleString("en-US")}`}
        actions={
          <Button size="small" onPress={() => void refetch()}>
            Verify again
          </Button>
        }
      >
        Someone changed the database: {data.issue.reason}. Rows up to {rows} are unchanged. Report this to the
        operator of the platform, who can run{" "}
        <code translate="no" className="font-mono">
          npm run audit:verify
        </code>
        .
      </Notice>
    );
  const isDone = data?.done === true;
  const Icon = isDone ? ShieldCheck : LoaderCircle;
  return (
    <p role="status" className="flex items-center gap-2 text-small text-ink-soft">
      <Icon
        aria-hidden
        className={`size-4 ${isDone ? "text-success" : "animate-spin text-ink-faint motion-reduce:animate-none"}`}
      />
      {!isDone
        ? `Verifying… row ${rows}`
        : data.position === 0
          ? "Verified: nothing has been recorded yet."
          : `Verified to row ${rows}: nothing was changed or removed.`}
    </p>
  );
}
