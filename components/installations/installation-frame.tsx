"use client";

import type { ReactNode } from "react";
import { Badge, PilotBadge, StateBadge } from "@/components/ui/badge";
import { lazyPart } from "@/components/ui/forms/lazy-code";
import { LinkTabs } from "@/components/ui/link-tabs";
import { PageHeader } from "@/components/ui/page-header";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { UserText } from "@/components/ui/values";
import type { InstallationView } from "@/lib/contract/installations/installation-view";
import type { Role } from "@/lib/contract/platform/role";
import { mayOperate } from "@/lib/domain/calls/installation";
import { RunCommands } from "./commands";
import { InstallationContext, useLiveInstallation } from "./use-installation";

interface InstallationFrameProps {
  initial: InstallationView;
  role: Role;
  /** The open tab. */
  children: ReactNode;
}

/** Few installations have any. */
const InstallationNotices = lazyPart(
  async () => (await import("./installation-notices")).InstallationNotices,
);

function mayHaveNotices({ listing, newTerms, pilot, pilotTo }: InstallationView): boolean {
  const isEnded = listing.state !== "PUBLIC" && listing.state !== "DRAFT";
  return isEnded || newTerms !== null || pilot !== undefined || pilotTo !== undefined;
}

/** The header and the tabs of an installation. */
export function InstallationFrame({ initial, role, children }: InstallationFrameProps) {
  const { installation, error, updatedAt } = useLiveInstallation(initial);
  const { id, tenant, test, trialEndsAt } = installation;
  const operable = mayOperate(role, test);
  return (
    <InstallationContext value={{ installation, role, operable, updatedAt }}>
      <PageHeader
        title={<UserText>{installation.title}</UserText>}
        description={
          <>
            Version {installation.version} by {installation.publisherName}, for {tenant.name}{" "}
            <span translate="no" className="font-mono text-small wrap-anywhere">
              ({tenant.hostName})
            </span>
          </>
        }
        badges={
          <>
            <StateBadge state={installation.health.status} />
            {trialEndsAt !== null && <Badge tone="warning">Trial</Badge>}
            {installation.pilot !== undefined && (
              <PilotBadge isRefused={installation.pilot.ended === "REFUSED"} />
            )}
            {test && trialEndsAt === null && <Badge tone="warning">Test Launch</Badge>}
            {tenant.sandbox && trialEndsAt === null && <Badge>Sandbox</Badge>}
          </>
        }
        back={{ href: "/installations", text: "Installations" }}
        actions={operable ? <RunCommands installation={installation} /> : undefined}
      />
      <LinkTabs
        label="Installation"
        tabs={[
          { href: `/installations/${id}`, text: "Overview" },
          { href: `/installations/${id}/calls`, text: "Calls" },
          { href: `/installations/${id}/configuration`, text: "Configuration" },
          { href: `/installations/${id}/settings`, text: "Settings" },
        ]}
      />
      <div className="flex flex-col gap-6">
        <ProblemNotice error={error} />
        {mayHaveNotices(installation) && (
          <InstallationNotices installation={installation} operable={operable} />
        )}
        {children}
      </div>
    </InstallationContext>
  );
}
