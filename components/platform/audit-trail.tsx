"use client";

import { ChevronRight, ScrollText } from "lucide-react";
import { Card, EmptyState } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { PageLink } from "@/components/ui/links";
import { PageHeader, Pager } from "@/components/ui/page-header";
import { ExactTime, RelativeTime } from "@/components/ui/relative-time";
import { UserText } from "@/components/ui/values";
import { AUDIT_ACTIONS, isAuditAction } from "@/lib/contract/platform/audit";
import { type AuditFilter, type AuditView, MOST_AUDITED } from "@/lib/contract/platform/audit-view";
import type { Pages } from "@/lib/contract/platform/pages";
import { formatCount } from "@/lib/domain/platform/text";
import { AuditFilters, TrailStatus } from "./audit-controls";
import { Downloads } from "./downloads";

interface AuditTrailProps {
  /** Whose trail: the first part of its page's and handlers' paths. */
  place: "organization" | "moderation";
  /** Its header's; undefined below a header of the page. */
  description?: string;
  /** Whose trail is exported, whatever organization the session works in by then; undefined for the moderators' trail. */
  organizationId?: string;
  filter: AuditFilter;
  rows: readonly AuditView[];
  /** Of all pages, counted up to `MOST_AUDITED`. */
  total: number;
  /** Of the actor in the filter. */
  actorName: string | undefined;
  pages: Pages;
}

/** A trail with its filters, newest first. */
export function AuditTrail(props: AuditTrailProps) {
  const { place, description, organizationId, filter, rows, total, actorName, pages } = props;
  const path = `/${place}/audit`;
  const query = toQuery(filter);
  const isFiltered = Object.keys(query).length > 0;
  return (
    <>
      {description !== undefined && (
        <PageHeader
          title="Audit trail"
          description={description}
          actions={<AuditExports place={place} organizationId={organizationId} filter={filter} />}
        />
      )}
      <div className="mb-4">
        <TrailStatus place={place} />
      </div>
      {(isFiltered || rows.length > 0) && <AuditFilters path={path} filter={filter} actorName={actorName} />}
      <Card flush>
        {rows.length === 0 ? (
          <EmptyState icon={ScrollText} title={isFiltered ? "No matching changes" : "No changes yet"}>
            {isFiltered
              ? "Try another filter or a longer period."
              : "Each change appears here the moment it is made."}
          </EmptyState>
        ) : (
          <ul aria-label="Changes" className="divide-y divide-line">
            {rows.map((row) => (
              <AuditRow key={row.id} row={row} path={path} query={query} />
            ))}
          </ul>
        )}
      </Card>
      <Pager path={path} query={query} pages={pages} total={`${formatCount(total, MOST_AUDITED)} changes`} />
    </>
  );
}

/** Downloads of what the filter shows. */
export function AuditExports({
  place,
  organizationId,
  filter,
}: Pick<AuditTrailProps, "place" | "organizationId" | "filter">) {
  return (
    <Downloads
      path={`/api/${place}/audit/export`}
      query={toQuery(filter)}
      organizationId={organizationId}
      what="changes"
      tone="secondary"
    />
  );
}

function toQuery(filter: AuditFilter): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

interface AuditRowProps {
  row: AuditView;
  path: string;
  /** The filters of the page. */
  query: Record<string, string>;
}

/** One change as a sentence, with its record on demand. */
function AuditRow({ row, path, query }: AuditRowProps) {
  const { position, at, actor, actorName, action, subject, subjectName, details } = row;
  const [before = "", after = ""] = sentence(action).split("{subject}");
  const only = (filter: Record<string, string>) => `${path}?${new URLSearchParams({ ...query, ...filter })}`;
  const name = "rounded-sm font-medium text-ink hover:underline";
  return (
    <li>
      <details className="group">
        <summary className="flex cursor-pointer list-none items-start gap-3 px-4 py-3 -outline-offset-2 hover:bg-hover sm:px-6 [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden
            className="mt-0.5 size-4 shrink-0 text-ink-faint transition-transform group-open:rotate-90"
          />
          <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
            <span className="min-w-0 text-sm leading-5 wrap-anywhere text-ink-soft">
              <span className="font-medium text-ink">
                <UserText>{actorName}</UserText>
              </span>{" "}
              {before}
              <span className="font-medium text-ink">
                <UserText>{subjectName}</UserText>
              </span>
              {after}
            </span>
            <span className="shrink-0 text-xs leading-5 text-ink-faint">
              <RelativeTime at={at} />
            </span>
          </span>
        </summary>
        <div className="flex flex-col gap-3 px-4 pb-4 sm:pr-6 sm:pl-13">
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-small leading-5">
            <dt className="text-ink-faint">Row</dt>
            <dd className="tabular-nums">{position}</dd>
            <dt className="text-ink-faint">Time</dt>
            <dd>
              <ExactTime at={at} />
            </dd>
            <dt className="text-ink-faint">Action</dt>
            <dd>
              <PageLink translate="no" href={only({ action })} className={`${name} font-mono font-normal`}>
                {action}
              </PageLink>
            </dd>
            <dt className="text-ink-faint">Actor</dt>
            <dd className="wrap-anywhere">
              <PageLink translate="no" href={only({ actor })} className={`${name} font-mono font-normal`}>
                {actor}
              </PageLink>
            </dd>
            <dt className="text-ink-faint">Subject</dt>
            <dd className="wrap-anywhere">
              <PageLink translate="no" href={only({ subject })} className={`${name} font-mono font-normal`}>
                {subject}
              </PageLink>
            </dd>
          </dl>
          {Object.keys(details).length > 0 && (
            <CodeBlock code={JSON.stringify(details, null, 2)} label={`details of row ${position}`} json />
          )}
        </div>
      </details>
    </li>
  );
}

/** Actions of earlier releases may have no sentence anymore. */
function sentence(action: string): string {
  return isAuditAction(action) ? AUDIT_ACTIONS[action] : `recorded ${action} of {subject}`;
}
