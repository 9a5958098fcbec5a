"use client";

import type { ReactNode } from "react";
import { RecentCallsCard } from "@/components/call-log/recent-calls-card";
import { EndpointsCard } from "@/components/endpoints/endpoints-card";
import { ChangedProductsNotice } from "../changed-products-notice";
import { RoutesCard } from "./routes-card";
import { HealthNotice } from "../health-notice";
import { RemainsCard, RunsCard } from "./runs-card";
import { TestLaunchBanner } from "./test-launch-banner";
import { UpgradeCard } from "./upgrade-card";
import { useInstallation } from "../use-installation";

/**
 * Whether it works, what runs, its newest calls, and where the core reaches it.
 * @param health its history, as the server read it with the page
 */
export function OverviewTab({ health }: { health?: ReactNode }) {
  const { installation, operable, updatedAt } = useInstallation();
  const { test, routes } = installation;
  return (
    <>
      {test && <TestLaunchBanner installation={installation} />}
      <HealthNotice installation={installation} operable={operable} />
      <ChangedProductsNotice installation={installation} operable={operable} />
      <UpgradeCard installation={installation} operable={operable} now={updatedAt} />
      {installation.state === "UNINSTALLED" ? (
        <RemainsCard installation={installation} />
      ) : (
        <>
          <div className="grid items-start gap-6 lg:grid-cols-2">
            <RunsCard installation={installation} />
            <RecentCallsCard installation={installation} />
          </div>
          {health}
          <RoutesCard routes={routes} />
          <EndpointsCard installation={installation} operable={operable} />
        </>
      )}
    </>
  );
}
