"use client";

import { FlaskConical } from "lucide-react";
import { type ReactNode, useState } from "react";
import { ROUTE_KIND_LABELS } from "@/components/insight/call-log/describe-call";
import { RecentCallsCard } from "@/components/insight/call-log/recent-calls-card";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card, Skeleton } from "@/components/ui/card";
import { lazyPart } from "@/components/ui/forms/lazy-code";
import { LinkButton } from "@/components/ui/links";
import { ShortId } from "@/components/ui/technical-text";
import type { InstallationView, RouteView } from "@/lib/contract/installations/installation-view";
import { ChangedProductsNotice } from "./changed-products-notice";
import { EndpointsCard } from "./endpoints-card";
import { HealthNotice } from "./health-notice";
import { RemainsCard, RunsCard } from "./runs-card";
import { TrialCard } from "./trial-card";
import { UpgradeCard } from "./upgrade-card";
import { useInstallation } from "./use-installation";

interface OverviewTabProps {
  /** Its history, as the server read it with the page. */
  health?: ReactNode;
  /** Where the app sends data. */
  egress?: ReactNode;
}

/** Whether it works, what runs, its newest calls, where the core reaches it, and where it sends data. */
export function OverviewTab({ health, egress }: OverviewTabProps) {
  const { installation, operable, updatedAt } = useInstallation();
  const { test, trialEndsAt, routes } = installation;
  return (
    <>
      {trialEndsAt !== null && <TrialCard installation={installation} endsAt={trialEndsAt} />}
      {test && trialEndsAt === null && <TestLaunchBanner installation={installation} />}
      <HealthNotice installation={installation} operable={operable} />
      <ChangedProductsNotice installation={installation} operable={operable} />
      <UpgradeCard installation={installation} operable={operable} now={updatedAt} />
      {installation.state === "UNINSTALLED" ? (
        <RemainsCard installation={installation} />
      ) : (
        <>
          {trialEndsAt !== null && <SampleCallsCard installation={installation} />}
          <div className="grid items-start gap-6 lg:grid-cols-2">
            <RunsCard installation={installation} />
            <RecentCallsCard installation={installation} />
          </div>
          {health}
          {egress}
          {trialEndsAt === null && operable && <SampleCallsCard installation={installation} />}
          <RoutesCard routes={routes} />
          <EndpointsCard installation={installation} operable={operable} />
        </>
      )}
    </>
  );
}

/** Knows the event catalog and JSONPath, which the page needs only for calls. */
const SampleCalls = lazyPart(
  async () => (await import("./console/sample-calls")).SampleCalls,
  <Skeleton className="h-24 w-full" />,
);

/** Sample calls, open in a trial, whose first step they are. */
function SampleCallsCard({ installation }: { installation: InstallationView }) {
  const { id, trialEndsAt, routes, state } = installation;
  const [wasOpened, setOpened] = useState(false);
  const isAsked = trialEndsAt === null ? state === "RUNNING" : state !== "UNINSTALLING";
  if (!isAsked || !routes.some(({ kind }) => kind !== "lifecycle")) return null;
  const isOpen = trialEndsAt !== null || wasOpened;
  return (
    <Card
      title={trialEndsAt === null ? "Test call" : "Send sample calls"}
      description="Each is like a call from the core. You see the request, the state that the app read, and its response."
      actions={
        isOpen && (
          <LinkButton size="small" href={`/installations/${id}/calls`}>
            Edit in the console
          </LinkButton>
        )
      }
    >
      {isOpen ? (
        <SampleCalls installation={installation} />
      ) : (
        <Button size="small" onPress={() => setOpened(true)} onHoverStart={SampleCalls.preload}>
          Choose a sample call
        </Button>
      )}
    </Card>
  );
}

/** Marks the page as a Test Launch and links to the console. */
function TestLaunchBanner({ installation }: { installation: InstallationView }) {
  const { id, tenant, state } = installation;
  const isUninstalled = state === "UNINSTALLED";
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border border-warning-line bg-warning-soft py-2 pr-2 pl-4 text-small leading-5">
      <FlaskConical aria-hidden className="size-4 shrink-0 text-warning" />
      <p className="min-w-0 flex-1 basis-56 py-1 text-ink-soft">
        <span className="font-medium text-ink">Test Launch</span>: only your organization sees this.
        {tenant.sandbox && !isUninstalled && " It runs for a sandbox tenant without a real policy system."}
      </p>
      {!isUninstalled && (
        <LinkButton size="small" href={`/installations/${id}/calls`}>
          Go to console
        </LinkButton>
      )}
    </div>
  );
}

/** The routes that the core calls, with their ids and URLs. The platform itself calls the lifecycle hooks. */
function RoutesCard({ routes }: { routes: RouteView[] }) {
  const coreRoutes = routes.filter((route) => route.kind !== "lifecycle");
  if (coreRoutes.length === 0) return null;
  return (
    <Card
      title="Routes"
      description="The core calls the app for this tenant here, with the tenant's credential."
      flush
    >
      <ul className="divide-y divide-line border-t border-line">
        {coreRoutes.map((route) => (
          <li key={route.routeId} className="flex flex-col gap-2 px-4 py-4 sm:px-6">
            <div className="flex flex-wrap items-center gap-2">
              <Badge tone="accent">{ROUTE_KIND_LABELS[route.kind]}</Badge>
              <span translate="no" className="font-mono text-small text-ink">
                {route.path}
              </span>
              {route.name !== "" && <span className="text-ink-soft">{route.name}</span>}
              {route.ended && <Badge tone="danger">Ended by the app</Badge>}
            </div>
            {route.patterns.length > 0 && (
              <p className="text-small text-ink-faint">
                {route.kind === "webhook" ? "Events" : "Operations"}:{" "}
                <span translate="no" className="font-mono break-words">
                  {route.patterns.join(", ")}
                </span>
              </p>
            )}
            <div className="grid gap-x-4 gap-y-1 text-small sm:grid-cols-[5rem_minmax(0,1fr)]">
              <Line name="routeId" value={route.routeId} />
              {route.kind !== "webhook" && <Line name="URL" value={route.address} />}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Line({ name, value }: { name: string; value: string }) {
  return (
    <>
      <span className="self-center text-ink-faint">{name}</span>
      <ShortId value={value} label={name} />
    </>
  );
}
