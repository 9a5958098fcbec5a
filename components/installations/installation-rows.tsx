"use client";

import { Badge, StateBadge } from "@/components/ui/badge";
import { TextLink } from "@/components/ui/links";
import { RelativeTime } from "@/components/ui/relative-time";
import { RowCheckbox, type Selection, useSelection } from "@/components/ui/forms/selection";
import { Table, TableBody, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { UserText } from "@/components/ui/values";
import type { InstallationState } from "@/lib/contract/catalog/installation-states";
import type { HealthView } from "@/lib/contract/insight/health";
import type { Role } from "@/lib/contract/platform/role";
import { mayOperate } from "@/lib/domain/calls/installation";
import { UpgradeBar } from "./upgrade-bar";

export interface InstallationRow {
  id: string;
  state: InstallationState;
  health: HealthView;
  test: boolean;
  title: string;
  publisherSlug: string;
  appName: string;
  tenantName: string;
  tenantHostName: string;
  tenantSandbox: boolean;
  /** Null for an installation that isn't a trial. */
  trialEndsAt: Date | null;
  number: string;
  /** The version it can be upgraded to; null if it runs the newest. */
  upgradeTo: string | null;
  createdAt: Date;
}

/** In the browser too, so that a page sends the rows and not each of their elements a second time. */
export function InstallationRows({ installations, role }: { installations: InstallationRow[]; role: Role }) {
  const upgradable = installations.filter((row) => canBeUpgraded(row) && mayOperate(role, row.test));
  const selection = useSelection(
    "installations",
    upgradable.map(({ id }) => id),
  );
  // One is upgraded on its own page.
  const isSelectable = upgradable.length > 1;
  return (
    <>
      {isSelectable && <UpgradeBar installations={upgradable} selection={selection} />}
      <InstallationTable
        installations={installations}
        selectable={isSelectable ? new Set(upgradable) : undefined}
        selection={selection}
      />
    </>
  );
}

interface InstallationTableProps {
  installations: InstallationRow[];
  /** The rows that can be selected; undefined if no row can. */
  selectable: ReadonlySet<InstallationRow> | undefined;
  selection: Selection;
}

function InstallationTable({ installations, selectable, selection }: InstallationTableProps) {
  return (
    <Table label="Installations">
      <TableHead
        columns={[
          ...(selectable === undefined ? [] : ["Select"]),
          ...["App", "State", "Tenant", "Version", "Launched"],
        ]}
      />
      <TableBody>
        {installations.map((installation) => (
          <TableRow key={installation.id} className="hover:bg-subtle">
            {selectable !== undefined && (
              <TableCell>
                {selectable.has(installation) && (
                  <RowCheckbox
                    selection={selection}
                    id={installation.id}
                    name={`${installation.title} for ${installation.tenantName}`}
                  />
                )}
              </TableCell>
            )}
            <TableCell className="min-w-40">
              <Name installation={installation} />
            </TableCell>
            <TableCell>
              <Marks installation={installation} />
            </TableCell>
            <TableCell label="Tenant" className="min-w-36">
              <Tenant installation={installation} />
            </TableCell>
            <TableCell label="Version">
              <span className="tabular-nums">{installation.number}</span>
              <UpgradeMark installation={installation} />
            </TableCell>
            <TableCell label="Launched" className="whitespace-nowrap text-ink-soft">
              <RelativeTime at={installation.createdAt} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

interface PartProps {
  installation: InstallationRow;
}

function Name({ installation }: PartProps) {
  const { id, title, publisherSlug, appName } = installation;
  return (
    <>
      <TextLink href={`/installations/${id}`} standalone className="font-medium wrap-anywhere">
        <UserText>{title}</UserText>
      </TextLink>
      <span className="block text-xs wrap-anywhere text-ink-faint">
        {publisherSlug}/{appName}
      </span>
    </>
  );
}

function Marks({ installation: { health, test, trialEndsAt } }: PartProps) {
  const [worst] = health.problems;
  return (
    <span className="flex flex-wrap gap-1.5">
      <StateBadge state={health.status} />
      {test && <Badge tone="warning">{trialEndsAt === null ? "Test Launch" : "Trial"}</Badge>}
      {worst !== undefined && (
        <span className="line-clamp-2 w-full max-w-64 text-xs leading-5 wrap-anywhere text-ink-faint">
          <UserText>{worst.reason}</UserText>
        </span>
      )}
    </span>
  );
}

function Tenant({ installation }: PartProps) {
  const { tenantName, tenantHostName, tenantSandbox, trialEndsAt } = installation;
  return (
    <>
      <span className="wrap-anywhere">{tenantName}</span>
      {tenantSandbox && trialEndsAt === null && <span className="text-ink-faint"> (sandbox)</span>}
      <span className="block text-xs leading-5 wrap-anywhere text-ink-faint">{tenantHostName}</span>
    </>
  );
}

function canBeUpgraded({ state, upgradeTo }: Pick<InstallationRow, "state" | "upgradeTo">): boolean {
  return upgradeTo !== null && state !== "UNINSTALLED" && state !== "UNINSTALLING";
}

function UpgradeMark({ installation: { id, state, upgradeTo } }: PartProps) {
  if (!canBeUpgraded({ state, upgradeTo })) return null;
  return (
    <TextLink
      href={`/installations/${id}/upgrade`}
      standalone
      className="block w-fit py-0.5 text-xs leading-5"
    >
      Upgrade available: {upgradeTo}
    </TextLink>
  );
}
