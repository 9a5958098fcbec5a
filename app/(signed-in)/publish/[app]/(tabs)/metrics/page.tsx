import { ChartSpline } from "lucide-react";
import { AppMonth } from "@/components/insight/app-month";
import { MetricsView } from "@/components/insight/charts/metrics-view";
import { EgressCard, FewerHostsNotice } from "@/components/runtime/egress-card";
import { Card, EmptyState } from "@/components/ui/card";
import { readMetricsFilter } from "@/lib/contract/insight/filters";
import { listRunVersions, measureVersion } from "@/lib/server/insight/health/read-metrics";
import { readAppEgress } from "@/lib/server/runtime/read-egress";
import { readUse } from "@/lib/server/insight/use/read-use";
import { page, titled } from "@/lib/server/surface/web/page";
import { currentOwnApp, nameOwnApp } from "@/lib/server/surface/web/page-reads";

export const generateMetadata = titled("/publish/[app]/metrics", "Listings", ({ params }) =>
  nameOwnApp(params.app, "Metrics"),
);

export default page("/publish/[app]/metrics", async ({ platform, member, params, searchParams }) => {
  const { listing } = await currentOwnApp(params.app ?? "");
  const { id, appName } = listing;
  const filter = readMetricsFilter(searchParams);
  const [versions, use] = await Promise.all([
    listRunVersions(platform, member, id),
    readUse(platform, listing),
  ]);
  const month = listing.state === "DRAFT" ? undefined : <AppMonth {...use} />;
  if (versions.length === 0)
    return (
      <div className="flex flex-col gap-6">
        <Card flush>
          <EmptyState icon={ChartSpline} title="No version has run in the last month">
            Metrics appear here while a version runs. It starts when someone launches the app.
          </EmptyState>
        </Card>
        {month}
      </div>
    );
  const [metrics, egress] = await Promise.all([
    measureVersion(platform, versions, filter),
    readAppEgress(platform, id),
  ]);
  return (
    <div className="flex flex-col gap-6">
      <MetricsView
        listingId={id}
        versions={versions.map(({ number, isRunning }) => ({ number, isRunning }))}
        first={{ filter, metrics }}
      />
      {egress !== undefined && (
        <EgressCard view={egress.view}>
          {egress.proposal !== undefined && <FewerHostsNotice appName={appName} proposal={egress.proposal} />}
        </EgressCard>
      )}
      {month}
    </div>
  );
});
