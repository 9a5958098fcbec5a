import { ChartSpline } from "lucide-react";
import { cache } from "react";
import { MetricsView } from "@/components/insight/charts/metrics-view";
import { EgressCard, FewerHostsNotice } from "@/components/runtime/egress-card";
import { EmptyState } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { readMetricsFilter } from "@/lib/contract/insight/filters";
import { listRunVersions, readMetrics } from "@/lib/server/insight/health/read-metrics";
import { readAppEgress } from "@/lib/server/runtime/read-egress";
import { requireOwnListing } from "@/lib/server/surface/read-own-listing";
import { page, titled } from "@/lib/server/surface/web/page";

const readListing = cache(requireOwnListing);

export const generateMetadata = titled(
  "/publish/[app]/metrics",
  "Listings",
  async ({ platform, member, params }) =>
    `Metrics · ${(await readListing(platform, member, params.app ?? "")).title}`,
);

export default page("/publish/[app]/metrics", async ({ platform, member, params, searchParams }) => {
  const { id, appName, title } = await readListing(platform, member, params.app ?? "");
  const filter = readMetricsFilter(searchParams);
  const versions = await listRunVersions(platform, member, id);
  const header = (
    <PageHeader
      back={{ href: `/publish/${appName}`, text: title }}
      title="Metrics"
      description="What each version uses, how often it restarts, how it responds to requests, and where the app sends data."
    />
  );
  if (versions.length === 0)
    return (
      <>
        {header}
        <EmptyState icon={ChartSpline} title="No version has run in the last month">
          Metrics appear here while a version runs. It starts when someone launches the app.
        </EmptyState>
      </>
    );
  const [metrics, egress] = await Promise.all([
    readMetrics(platform, member, id, filter),
    readAppEgress(platform, id),
  ]);
  return (
    <>
      {header}
      <MetricsView
        listingId={id}
        versions={versions.map(({ number, isRunning }) => ({ number, isRunning }))}
        first={{ filter, metrics }}
      />
      {egress !== undefined && (
        <div className="mt-6">
          <EgressCard view={egress.view}>
            {egress.proposal !== undefined && (
              <FewerHostsNotice appName={appName} proposal={egress.proposal} />
            )}
          </EgressCard>
        </div>
      )}
    </>
  );
});
