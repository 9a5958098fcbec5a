"use client";

import { MeterBar } from "@/components/accounts/organization/usage-card";
import { Table, TableBody, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { formatBytes, UserText } from "@/components/ui/values";
import { type CapacityUse, formatCpus, formatMemory } from "@/lib/domain/platform/app-limits";

interface UsageTableProps {
  organizations: readonly {
    id: string;
    name: string;
    slug: string;
    capacity: CapacityUse;
    storage: { usedBytes: number; quotaBytes: number };
  }[];
}

/** What organizations use of their quotas. */
export function UsageTable({ organizations }: UsageTableProps) {
  return (
    <Table label="Usage">
      <TableHead columns={["Organization", "Running apps", "Memory", "CPU", "Storage"]} />
      <TableBody>
        {organizations.map(({ id, name, slug, capacity: { apps, used, quota }, storage }) => (
          <TableRow key={id}>
            <TableCell className="font-medium text-ink">
              <UserText>{name}</UserText>
              <span translate="no" className="ml-2 font-mono text-xs font-normal text-ink-faint">
                {slug}
              </span>
            </TableCell>
            <TableCell label="Running apps" className="text-ink-soft tabular-nums">
              {apps}
            </TableCell>
            <AmountCell
              name="Memory"
              share={used.memoryBytes / quota.memoryBytes}
              text={`${formatMemory(used.memoryBytes)} of ${formatMemory(quota.memoryBytes)}`}
            />
            <AmountCell
              name="CPU"
              share={used.cpus / quota.cpus}
              text={`${used.cpus} of ${formatCpus(quota.cpus)}`}
            />
            <AmountCell
              name="Storage"
              share={storage.usedBytes / storage.quotaBytes}
              text={`${formatBytes(storage.usedBytes)} of ${formatBytes(storage.quotaBytes)}`}
            />
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function AmountCell({ name, share, text }: { name: string; share: number; text: string }) {
  return (
    <TableCell className="max-sm:w-full sm:min-w-36">
      <p className="mb-1.5 text-small text-ink-soft tabular-nums sm:whitespace-nowrap">
        <span className="mr-2 text-xs text-ink-faint sm:hidden">{name}</span>
        {text}
      </p>
      <MeterBar name={name} share={Math.min(1, share)} text={text} />
    </TableCell>
  );
}
