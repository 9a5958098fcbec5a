"use client";

import { useQuery } from "@tanstack/react-query";
import { CallConsole } from "@/components/console/console";
import { UserText } from "@/components/ui/user-text";
import { Badge, StateBadge } from "@/components/ui/badge";
import { PageHeader } from "@/components/ui/page-header";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import { installationView, type InstallationView } from "@/lib/contract/installation-view";
import type { Role } from "@/lib/contract/organization";
import { COMMANDS, mayOperate, stateAfter } from "@/lib/domain/installation";
import { ChangedProductsNotice } from "./changed-products-notice";
import { Commands } from "./commands";
import { ConfigurationCard } from "./configuration-card";
import { CONSOLE_ID } from "./test-launch-banner";
import { RemainsCard } from "./runs-card";
import { RoutesCard } from "./routes-card";
import { RunsCard } from "./runs-card";
import { StateNotice } from "./changed-products-notice";
import { TestLaunchBanner } from "./test-launch-banner";
import { UpgradeCard } from "./upgrade-card";
import { refreshInterval } from "./labels";

/** One installation. The page refreshes itself, often while the state changes. */
export function InstallationPage({ initial, role }: { initial: InstallationView; role: Role }) {
  const {
    data: installation,
    error,
    dataUpdatedAt,
  } = useQuery({
    queryKey: ["installation", initial.id],
    queryFn: ({ signal }) =>
      callApi("GET", `/api/installations/${initial.id}`, { answer: installationView, signal }),
    initialData: initial,
    staleTime: 0,
    refetchInterval: ({ state }) => refreshInterval(state.data ?? initial),
  });
  const { tenant, test } = installation;
  const operable = mayOperate(role, test);
  const isUninstalled = installation.state === "UNINSTALLED";
  const commandable = COMMANDS.some((name) => stateAfter(installation.state, name) !== undefined);
  return (
    <>
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
            <StateBadge state={installation.state} />
            {test && <Badge tone="warning">Test Launch</Badge>}
            {tenant.sandbox && <Badge>Sandbox</Badge>}
          </>
        }
        back={{ href: "/installations", text: "Installations" }}
        actions={operable && commandable ? <Commands installation={installation} /> : undefined}
      />
      <div className="flex flex-col gap-6">
        {test && <TestLaunchBanner installation={installation} />}
        <ProblemNotice error={error} />
        <StateNotice installation={installation} />
        <ChangedProductsNotice installation={installation} operable={operable} />
        <UpgradeCard installation={installation} operable={operable} now={dataUpdatedAt} />
        {isUninstalled ? (
          <RemainsCard installation={installation} />
        ) : (
          <>
            {/* Test Launches are for trying calls, so their console comes first. */}
            {test && <ConsoleSection installation={installation} role={role} />}
            <div className="grid items-start gap-6 lg:grid-cols-2">
              <RunsCard installation={installation} />
              <ConfigurationCard installation={installation} operable={operable} />
            </div>
            {!test && <ConsoleSection installation={installation} role={role} />}
            <RoutesCard routes={installation.routes} />
          </>
        )}
        {!operable && !isUninstalled && (
          <p className="text-[13px] text-ink-faint">
            Only operators and owners of your organization can configure, upgrade, stop, and uninstall it.
          </p>
        )}
      </div>
    </>
  );
}

function ConsoleSection({ installation, role }: { installation: InstallationView; role: Role }) {
  return (
    <div id={CONSOLE_ID} tabIndex={-1} className="scroll-mt-20 rounded-card outline-none lg:scroll-mt-6">
      <CallConsole installation={installation} role={role} />
    </div>
  );
}
