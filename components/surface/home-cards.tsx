"use client";

import { AppCell } from "@/components/catalog/marketplace/listing-cards";
import { CallsOfDayView } from "@/components/insight/charts/calls-of-day";
import { Badge, StateBadge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { PageLink, TextLink } from "@/components/ui/links";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { UserText } from "@/components/ui/values";
import { nameTest } from "@/lib/domain/calls/installation";
import type { Note } from "@/lib/domain/surface/attention";
import type { InstallationRow, ListingRow } from "@/lib/domain/surface/home-rows";

// In the browser too, so that a page sends the rows and not each of their elements a second time.

/** In a row; the others are on the page that it leads to. */
const SHOWN_NOTES = 2;

const TONES: Record<Note["tone"], string> = {
  danger: "text-danger",
  warning: "text-warning",
  accent: "text-accent-text",
  draft: "text-ink-soft",
};

/** What to do about an app, the worst first. */
function Notes({ notes, name }: { notes: readonly Note[]; name: string }) {
  const more = notes.length - SHOWN_NOTES;
  return (
    <ul className="flex flex-col gap-1.5 text-small leading-5">
      {notes.slice(0, SHOWN_NOTES).map(({ tone, text, href, action }) => (
        <li key={text}>
          <UserText className={`line-clamp-2 wrap-anywhere ${TONES[tone]}`}>{text}</UserText>
          <TextLink href={href} aria-label={`${action}: ${name}`}>
            {action}
          </TextLink>
        </li>
      ))}
      {more > 0 && <li className="text-ink-faint">and {more} more</li>}
    </ul>
  );
}

/** Which rows a card shows of how many, with the link to all. */
function ListFooter({ href, text }: { href: string; text: string }) {
  return (
    <p className="border-t border-line px-4 py-3 text-small sm:px-6">
      <TextLink href={href}>{text}</TextLink>
    </p>
  );
}

interface InstallationsCardProps {
  rows: readonly (InstallationRow & { lastCallAt: Date | undefined })[];
  total: number;
  /** Of the newest `looked`, which are all unless there are very many. */
  running: number;
  looked: number;
  /** The rows are all that there are. */
  isComplete: boolean;
}

export function InstallationsCard({ rows, total, running, looked, isComplete }: InstallationsCardProps) {
  const among = looked < total ? `the newest ${looked}` : total;
  return (
    <Card flush title="Installations" description={`${running} of ${among} running`}>
      <Table label="Installations">
        <TableHead columns={["App", "State", "Last 24 hours", "Last call", "Needs attention"]} />
        <TableBody>
          {rows.map((row) => (
            <InstallationLine key={row.ids[0]} row={row} />
          ))}
        </TableBody>
      </Table>
      {!isComplete && (
        <ListFooter href="/installations" text={`All ${total.toLocaleString("en-US")} installations`} />
      )}
    </Card>
  );
}

function InstallationLine({ row }: { row: InstallationsCardProps["rows"][number] }) {
  const { title, context, status, day, lastCallAt, notes, href, callsHref } = row;
  const kind = nameTest(row);
  return (
    <TableRow>
      <TableCell className="min-w-40">
        <TextLink href={href} standalone className="font-medium wrap-anywhere">
          <UserText>{title}</UserText>
        </TextLink>
        <span className="block text-small wrap-anywhere text-ink-faint">{context}</span>
      </TableCell>
      <TableCell>
        <span className="flex flex-wrap gap-1.5">
          <StateBadge state={status} />
          {kind !== undefined && <Badge tone="warning">{kind}</Badge>}
        </span>
      </TableCell>
      <TableCell label="Last 24 hours">
        <CallsOfDayView day={day} href={callsHref} failedHref={`${callsHref}&state=failed`} />
      </TableCell>
      <TableCell label="Last call" className="text-small whitespace-nowrap text-ink-soft">
        {lastCallAt === undefined ? "Never called" : <RelativeTime at={lastCallAt} />}
      </TableCell>
      <TableCell className="max-sm:w-full sm:min-w-56">
        {notes.length > 0 && <Notes notes={notes} name={`${title}, ${context}`} />}
      </TableCell>
    </TableRow>
  );
}

interface ListingsCardProps {
  organizationSlug: string;
  rows: readonly ListingRow[];
  total: number;
  isComplete: boolean;
  /** Drafts of manifests that nobody looked at. */
  uncheckedDrafts: number;
}

export function ListingsCard(props: ListingsCardProps) {
  const { organizationSlug, rows, total, isComplete, uncheckedDrafts } = props;
  return (
    <Card flush title="Listings" description="Counts only calls and customers of other organizations.">
      <ListingRows rows={rows} organizationSlug={organizationSlug} uncheckedDrafts={uncheckedDrafts} />
      {!isComplete && <ListFooter href="/publish" text={`All ${total.toLocaleString("en-US")} listings`} />}
    </Card>
  );
}

type ListingRowsProps = Omit<ListingsCardProps, "total" | "isComplete">;

/** The organization's listings with what they do and need. */
export function ListingRows({ rows, organizationSlug, uncheckedDrafts }: ListingRowsProps) {
  return (
    <>
      <Table label="Listings">
        <TableHead columns={["App", "State", "Customers", "Last 24 hours", "Needs attention"]} />
        <TableBody>
          {rows.map((row) => (
            <ListingLine key={row.appName} row={row} organizationSlug={organizationSlug} />
          ))}
        </TableBody>
      </Table>
      {uncheckedDrafts > 0 && (
        <p className="border-t border-line px-4 py-3 text-small text-ink-faint sm:px-6">
          {uncheckedDrafts === 1 ? "1 draft of a manifest is" : `${uncheckedDrafts} drafts of manifests are`}{" "}
          older or very large and not checked here.
        </p>
      )}
    </>
  );
}

function ListingLine({ row, organizationSlug }: { row: ListingRow; organizationSlug: string }) {
  const { appName, title, state, version, customers, day, waiting, notes } = row;
  const path = `/publish/${appName}`;
  return (
    <TableRow>
      <AppCell listing={{ title, appName, organizationSlug }} href={path} />
      <TableCell>
        <span className="flex min-w-24 flex-col items-start gap-1 text-small">
          <StateBadge state={state} />
          {version !== null && (
            <PageLink
              href={`${path}/versions`}
              className="rounded-sm py-0.5 text-ink-soft tabular-nums hover:underline"
            >
              Version {version}
            </PageLink>
          )}
          {waiting !== undefined && (
            <PageLink
              href={`${path}/reviews/${waiting.id}`}
              className="rounded-sm py-0.5 text-warning hover:underline"
            >
              {waiting.number} is in review
            </PageLink>
          )}
        </span>
      </TableCell>
      <TableCell label="Customers" className="tabular-nums">
        {customers === 0 ? (
          <span className="text-small text-ink-faint">None</span>
        ) : (
          <TextLink href={`${path}/customers`} aria-label={`${customers} customers of ${title}`}>
            {customers.toLocaleString("en-US")}
          </TextLink>
        )}
      </TableCell>
      <TableCell label="Last 24 hours">
        <CallsOfDayView day={day} href={`${path}/metrics`} failedHref={`${path}/customers?sort=failed`} />
      </TableCell>
      <TableCell className="max-sm:w-full sm:min-w-56">
        {notes.length > 0 && <Notes notes={notes} name={title} />}
      </TableCell>
    </TableRow>
  );
}

export interface QueueCardProps {
  /** All that wait. */
  count: number;
  overdue: number;
  /** Reports that nobody handled. */
  reports: number;
  rows: readonly {
    id: string;
    title: string;
    appName: string;
    organizationSlug: string;
    organizationName: string;
    versionNumber: string | null;
    dueAt: Date;
    isOverdue: boolean;
    /** Who works on it. */
    claim: string | undefined;
    /** Of an organization that the moderator belongs to, so others decide. */
    own: boolean;
  }[];
}

/** The reviews that are due first. */
export function QueueCard({ count, overdue, rows }: Omit<QueueCardProps, "reports">) {
  return (
    <Card
      flush
      title="Reviews"
      description={`${count} waiting${overdue > 0 ? `, ${overdue} overdue` : ""}. The next one due is at the top.`}
    >
      <Table label="Reviews">
        <TableHead columns={["App", "Review of", "Publisher", "Due", "Claimed by"]} />
        <TableBody>
          {rows.map((row) => (
            <TableRow key={row.id}>
              <AppCell listing={row} href={`/moderation/${row.id}`} />
              <TableCell label="Review of" className="whitespace-nowrap tabular-nums">
                {row.versionNumber === null ? "Listing text" : `Version ${row.versionNumber}`}
              </TableCell>
              <TableCell label="Publisher" className="text-ink-soft">
                <UserText>{row.organizationName}</UserText>
              </TableCell>
              <TableCell
                label="Due"
                className={`whitespace-nowrap ${row.isOverdue ? "font-medium text-danger" : "text-ink-soft"}`}
              >
                <RelativeTime at={row.dueAt} />
              </TableCell>
              <TableCell label="Claimed by" className="text-ink-soft">
                {row.own ? "Your organization's app (another moderator decides)" : (row.claim ?? "Nobody")}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {count > rows.length && <ListFooter href="/moderation" text={`All ${count} reviews`} />}
    </Card>
  );
}
