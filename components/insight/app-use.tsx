"use client";

import { StateBadge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { TextLink } from "@/components/ui/links";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { ShortId } from "@/components/ui/technical-text";
import type { InstallationStatus } from "@/lib/contract/insight/health";
import { type CallsOfDay, sumCalls } from "@/lib/domain/insight/calls-of-day";
import { CallsOfDayView } from "./charts/calls-of-day";

interface AppUseCardProps {
  /** Of the app's overview. */
  path: string;
  customers: { installations: number; organizations: number };
  inUse: {
    versions: readonly { number: string; installations: number; day: CallsOfDay }[];
    /** Versions that are not shown. */
    more: number;
  };
}

/** Who uses an app, by version: other organizations' installations, and their calls of the last 24 hours. */
export function AppUseCard({ path, customers, inUse: { versions, more } }: AppUseCardProps) {
  const { installations, organizations } = customers;
  if (installations === 0)
    return (
      <Card
        title="Customers"
        description="No other organization uses this app yet. Your own installations, those of organizations that have a member in common with yours, and Test Launches don't count."
      >
        <TextLink href={`${path}/edit`}>Improve the listing</TextLink>
      </Card>
    );
  const { calls, failed } = sumCalls(versions.map(({ day }) => day));
  const called = calls === 1 ? "1 call" : `${calls.toLocaleString("en-US")} calls`;
  return (
    <Card
      flush
      title="Customers"
      description={`${count(installations, "installation")} of ${count(organizations, "customer")}. ${called} in the last 24 hours, ${failed.toLocaleString("en-US")} failed.`}
      actions={<TextLink href={`${path}/customers`}>All customers</TextLink>}
    >
      <Table label="Versions in use">
        <TableHead columns={["Version", "Installations", "Last 24 hours"]} />
        <TableBody>
          {versions.map(({ number, installations: using, day }) => (
            <TableRow key={number}>
              <TableCell className="font-medium tabular-nums">{number}</TableCell>
              <TableCell label="Installations" className="tabular-nums">
                <TextLink
                  href={`${path}/customers?q=${number}`}
                  aria-label={`${count(using, "installation")} of version ${number}`}
                >
                  {using.toLocaleString("en-US")}
                </TextLink>
              </TableCell>
              <TableCell label="Last 24 hours">
                <CallsOfDayView day={day} href={`${path}/metrics?version=${number}`} />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {more > 0 && (
        <p className="border-t border-line px-4 py-3 text-small text-ink-faint sm:px-6">
          {count(more, "older version")} {more === 1 ? "is" : "are"} in use as well.
        </p>
      )}
    </Card>
  );
}

function count(amount: number, what: string): string {
  return `${amount.toLocaleString("en-US")} ${what}${amount === 1 ? "" : "s"}`;
}

interface CustomersTableProps {
  customers: readonly {
    /** The installation's. */
    id: string;
    number: string;
    status: InstallationStatus;
    createdAt: Date;
    day: CallsOfDay;
  }[];
}

/** Installations of other organizations. In the browser too, so that a page sends the rows and not each of their elements a second time. */
export function CustomersTable({ customers }: CustomersTableProps) {
  return (
    <Table label="Customers">
      <TableHead columns={["Installation", "State", "Version", "Last 24 hours", "Since"]} />
      <TableBody>
        {customers.map(({ id, number, status, createdAt, day }) => (
          <TableRow key={id}>
            <TableCell>
              <ShortId value={id} label={`installation ID ${id}`} />
            </TableCell>
            <TableCell>
              <StateBadge state={status} />
            </TableCell>
            <TableCell label="Version" className="tabular-nums">
              {number}
            </TableCell>
            <TableCell label="Last 24 hours">
              <CallsOfDayView day={day} />
            </TableCell>
            <TableCell label="Since" className="whitespace-nowrap text-ink-soft">
              <RelativeTime at={createdAt} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
