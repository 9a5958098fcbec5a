"use client";

import type { ReactNode } from "react";
import { UserProse } from "@/components/ui/fact-list";
import { Badge, StateBadge } from "@/components/ui/badge";
import { LinkTabs } from "@/components/ui/link-tabs";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { UserText } from "@/components/ui/values";
import type { InstallationView } from "@/lib/contract/installations/installation-view";
import type { Role } from "@/lib/contract/platform/role";
import { mayOperate } from "@/lib/domain/calls/installation";
import { PilotBadge, PilotNotice } from "./pilot-notice";
import { RunCommands } from "./commands";
import { NewTermsNotice } from "./terms-card";
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
        <ListingNotice installation={installation} />
        <NewTermsNotice installation={installation} operable={operable} />
        <PilotNotice installation={installation} />
        {children}
      </div>
    </InstallationContext>
  );
}

/** Says that the app was suspended or retired, and what that means for what runs. */
function ListingNotice({ installation }: { installation: InstallationView }) {
  const { listing, state, test, trialEndsAt } = installation;
  if (trialEndsAt !== null && listing.state !== "PUBLIC" && state !== "UNINSTALLED")
    return (
      <Notice tone="warning" title="This app is no longer in the marketplace">
        This trial ends within a minute.
      </Notice>
    );
  if (test || state === "UNINSTALLED") return null;
  if (listing.state === "SUSPENDED")
    return (
      <Notice tone="warning" title="A moderator suspended this app">
        {listing.suspension !== null && (
          <UserProse label="Reason" className="mb-1">
            {listing.suspension}
          </UserProse>
        )}
        {state === "RUNNING" ? "Your installation keeps running. " : ""}
        Nobody can launch the app or upgrade to its versions until it is reinstated.
      </Notice>
    );
  if (listing.state === "RETIRED")
    return (
      <Notice title="The publisher retired this app">
        {state === "RUNNING" ? "Your installation keeps running. " : ""}
        The app gets no new versions, and nobody can launch it again.
      </Notice>
    );
  return null;
}
