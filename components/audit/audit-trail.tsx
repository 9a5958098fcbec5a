import { Download, ScrollText } from "lucide-react";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { buttonStyles } from "@/components/ui/button-styles";
import { Pager } from "@/components/ui/list-controls";
import { PageHeader } from "@/components/ui/page-header";
import type { AuditFilter, AuditView } from "@/lib/contract/audit-view";
import { AuditFilters } from "./audit-filters";
import { AuditRow } from "./audit-row";
import { TrailStatus } from "./trail-status";

export interface AuditTrailProps {
  /** Whose trail: the first part of its page's and handlers' paths. */
  place: "organization" | "moderation";
  description: string;
  filter: AuditFilter;
  rows: readonly AuditView[];
  actors: readonly { actor: string; name: string }[];
  /** Cursor of the next page. */
  next: string | undefined;
  started: boolean;
}

const FORMATS = [
  ["csv", "CSV"],
  ["jsonl", "JSON lines"],
] as const;

/** A trail with its filters, newest first. */
export function AuditTrail({ place, description, filter, rows, actors, next, started }: AuditTrailProps) {
  const path = `/${place}/audit`;
  const query = toQuery(filter);
  return (
    <>
      <PageHeader
        title="Audit trail"
        description={description}
        back={place === "moderation" ? { href: "/moderation", text: "Moderation" } : undefined}
        actions={FORMATS.map(([format, text]) => (
          // A download: the router must not follow it.
          <a
            key={format}
            href={`/api${path}/export?${new URLSearchParams({ ...query, format })}`}
            download
            className={buttonStyles({ size: "small" })}
          >
            <Download aria-hidden className="size-4" />
            {text}
          </a>
        ))}
      />
      <div className="mb-4">
        <TrailStatus place={place} />
      </div>
      <AuditFilters path={path} filter={filter} actors={actors} />
      <Card flush>
        {rows.length === 0 ? (
          <EmptyState
            icon={ScrollText}
            title={Object.keys(query).length === 0 ? "No changes yet" : "No matching changes"}
          >
            {Object.keys(query).length === 0
              ? "Each change appears here the moment it is made."
              : "Try another filter or a longer period."}
          </EmptyState>
        ) : (
          <ul aria-label="Changes" className="divide-y divide-line">
            {rows.map((row) => (
              <AuditRow key={row.id} row={row} path={path} query={query} />
            ))}
          </ul>
        )}
      </Card>
      <Pager path={path} query={query} next={next} started={started} />
    </>
  );
}

function toQuery(filter: AuditFilter): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
