"use client";

import type { ReactNode } from "react";
import { Badge, StateBadge } from "@/components/ui/badge";
import { LinkTabs } from "@/components/ui/link-tabs";
import { PageHeader } from "@/components/ui/page-header";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { UserText } from "@/components/ui/user-text";
import type { InstallationView } from "@/lib/contract/installation-view";
import type { Role } from "@/lib/contract/role";
import { mayOperate } from "@/lib/domain/installation";
import { RunCommands } from "./commands";
import { ListingNotice } from "./listing-notice";
import { InstallationContext, useLiveInstallation } from "./use-installation";

interface InstallationFrameProps {
  initial: InstallationView;
  role: Role;
  /** The open tab. */
  children: ReactNode;
}

/** The header and the tabs of an installation. */
export function InstallationFrame({ initial, role, children }: InstallationFrameProps) {
  const { installation, error, updatedAt } = useLiveInstallation(initial);
  const { id, tenant, test } = installation;
  const operable = mayOperate(role, test);
  return (
    <InstallationContext value={{ installation, role, operable, updatedAt }}>
      <PageHeader
        title={<UserText>{installation.title}</UserText>}
        description={
          <>
            Version {installation.version} by {installation.publisherName}, for {tenant.name}{" "}
            <span className="font-mono text-[13px] break-all">({tenant.hostName})</span>
          </>
        }
        badges={
          <>
            <StateBadge state={installation.health.status} />
            {test && <Badge tone="warning">Test Launch</Badge>}
            {tenant.sandbox && <Badge>Sandbox</Badge>}
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
        <ListingNotice installation={installation} />
        {children}
      </div>
    </InstallationContext>
  );
}
