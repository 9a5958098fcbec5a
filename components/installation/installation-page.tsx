"use client";

import { useQuery } from "@tanstack/react-query";
import { CallConsole } from "@/components/console/call-console";
import { Badge, StateBadge } from "@/components/ui/badge";
import { PageHeader } from "@/components/ui/page-header";
import { callApi } from "@/lib/client/api";
import { installationView, type InstallationView } from "@/lib/contract/installation-view";
import type { Role } from "@/lib/contract/organization";
import { isMoving, mayOperate } from "@/lib/domain/installation";
import { Commands } from "./commands";
import { ConfigurationCard } from "./configuration-card";
import { RoutesCard } from "./routes-card";
import { RunsCard } from "./runs-card";
import { StateNotice } from "./state-notice";

/** One installation, live: closely watched while it moves, and now and then while it rests. */
export function InstallationPage({ initial, role }: { initial: InstallationView; role: Role }) {
  const { data: installation } = useQuery({
    queryKey: ["installation", initial.id],
    queryFn: ({ signal }) =>
      callApi("GET", `/api/installations/${initial.id}`, { answer: installationView, signal }),
    initialData: initial,
    staleTime: 0,
    refetchInterval: ({ state }) => (isMoving(state.data?.state ?? "RUNNING") ? 1_000 : 15_000),
  });
  const gone = installation.state === "UNINSTALLED";
  return (
    <>
      <PageHeader
        title={installation.title}
        description={
          <>
            Version {installation.version} by {installation.publisherName}, for {installation.tenant.name}{" "}
            <span className="font-mono text-[13px] break-all">({installation.tenant.hostName})</span>
          </>
        }
        badges={
          <>
            <StateBadge state={installation.state} />
            {installation.test && <Badge tone="warning">Test Launch</Badge>}
          </>
        }
        back={{ href: "/installations", text: "Installations" }}
        actions={mayOperate(role, installation.test) ? <Commands installation={installation} /> : undefined}
      />
      <div className="flex flex-col gap-6">
        <StateNotice installation={installation} />
        {!gone && <CallConsole installation={installation} />}
        <div className="grid gap-6 lg:grid-cols-2">
          <RunsCard installation={installation} />
          <ConfigurationCard configuration={installation.configuration} gone={gone} />
        </div>
        {!gone && <RoutesCard routes={installation.routes} />}
      </div>
    </>
  );
}
