import { ChartSpline } from "lucide-react";
import { MetricsView } from "@/components/insight/charts/metrics-view";
import { EgressCard, FewerHostsNotice } from "@/components/runtime/egress-card";
import { Card, EmptyState } from "@/components/ui/card";
import { readMetricsFilter } from "@/lib/contract/insight/filters";
import { listRunVersions, readMetrics } from "@/lib/server/insight/health/read-metrics";
import { readAppEgress } from "@/lib/server/runtime/read-egress";
import { page, titled } from "@/lib/server/surface/web/page";
import { currentOwnApp, nameOwnApp } from "@/lib/server/surface/web/page-reads";

export const generateMetadata = titled("/publish/[app]/metrics", "Listings", ({ params }) =>
  nameOwnApp(params.app, "Metrics"),
);

export default page("/publish/[app]/metrics", async ({ platform, member, params, searchParams }) => {
  const { id, appName } = (await currentOwnApp(params.app ?? "")).listing;
  const filter = readMetricsFilter(searchParams);
  const versions = await listRunVersions(platform, member, id);
  if (versions.length === 0)
    return (
      <Card flush>
        <EmptyState icon={ChartSpline} title="No version has run in the last month">
          Metrics appear here while a version runs. It starts when someone launches the app.
        </EmptyState>
      </Card>
    );
  const [metrics, egress] = await Promise.all([
    readMetrics(platform, member, id, filter),
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
    </div>
  );
});
