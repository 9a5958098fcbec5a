"use client";

import { X } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { inputStyles } from "@/components/ui/field-parts";
import { LinkButton } from "@/components/ui/link-button";
import { UrlSelect } from "@/components/ui/url-select";
import { AUDIT_ACTIONS } from "@/lib/contract/audit";
import type { AuditFilter } from "@/lib/contract/audit-view";

interface AuditFiltersProps {
  path: string;
  filter: AuditFilter;
  actors: readonly { actor: string; name: string }[];
}

/** Filters in the URL. Each applies at once. */
export function AuditFilters({ path, filter, actors }: AuditFiltersProps) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const apply = (name: keyof AuditFilter, value: string | undefined) => {
    const kept = Object.entries({ ...filter, [name]: value === "" ? undefined : value });
    const query = new URLSearchParams(
      kept.flatMap(([key, text]) => (text === undefined ? [] : [[key, text] as [string, string]])),
    );
    startTransition(() => router.push(`${path}?${query}`, { scroll: false }));
  };
  const people = actors.map(({ actor, name }) => ({ value: actor, text: name }));
  const actions = Object.keys(AUDIT_ACTIONS).map((action) => ({ value: action, text: action }));
  return (
    <div
      aria-busy={isPending}
      className="mb-6 grid grid-cols-2 items-end gap-3 md:grid-cols-[1fr_1fr_auto_auto_auto]"
    >
      <UrlSelect
        label="Actor"
        any="Anyone"
        className="min-w-0 max-sm:col-span-2"
        value={filter.actor}
        onChange={(value) => apply("actor", value)}
        options={people}
      />
      <UrlSelect
        label="Action"
        any="All actions"
        className="min-w-0 max-sm:col-span-2"
        value={filter.action}
        onChange={(value) => apply("action", value)}
        options={actions}
      />
      <DayField label="From" value={filter.from} onChange={(value) => apply("from", value)} />
      <DayField label="To" value={filter.to} onChange={(value) => apply("to", value)} />
      {Object.values(filter).some((value) => value !== undefined) && (
        <LinkButton href={path} tone="quiet" className="max-md:justify-self-start">
          <X aria-hidden className="size-4" />
          Clear
        </LinkButton>
      )}
      {filter.subject !== undefined && (
        <p className="col-span-full text-[13px] text-ink-soft">
          Only changes of <code className="font-mono wrap-anywhere">{filter.subject}</code>
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

/** A day, UTC. */
function DayField({ label, value = "", onChange }: DayFieldProps) {
  const [applied, setApplied] = useState(value);
  const [shown, setShown] = useState(value);
  if (applied !== value) {
    setApplied(value);
    setShown(value);
  }
  return (
    <label className="flex min-w-0 flex-col gap-1.5 text-[13px] font-medium text-ink">
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
