import { ReviewNotice } from "@/components/catalog/listings/next-steps";
import { AppUseCard } from "@/components/insight/app-use";
import { HealthHistoryCard } from "@/components/insight/health-history-card";
import { LiveRefresh } from "@/components/platform/live";
import { FailuresCard } from "@/components/runtime/failures-card";
import { InstancesCard } from "@/components/runtime/instances-card";
import { UnreleasedNotices } from "@/components/surface/attention-card";
import { readAppHistory } from "@/lib/server/insight/health/read-history";
import { readInstances } from "@/lib/server/runtime/scale-app";
import { readOwnOverview } from "@/lib/server/surface/read-own-listing";
import { page, titled } from "@/lib/server/surface/web/page";
import { currentOwnApp, nameOwnApp } from "@/lib/server/surface/web/page-reads";

export const generateMetadata = titled("/publish/[app]", "Listings", ({ params }) => nameOwnApp(params.app));

export default page("/publish/[app]", async ({ platform, member, params }) => {
  const { listing, hasVersion } = await currentOwnApp(params.app ?? "");
  const path = `/publish/${listing.appName}`;
  const [own, running, health] = await Promise.all([
    readOwnOverview(platform, member, listing),
    readInstances(platform, listing.id),
    readAppHistory(platform, member, listing.id),
  ]);
  const review = own.review && {
    ...own.review,
    number: own.review.number ?? "",
    href: `${path}/reviews/${own.review.id}`,
  };
  return (
    <div className="flex flex-col gap-6">
      <ReviewNotice
        listingState={listing.state}
        path={path}
        review={review}
        newest={own.newest?.number}
        isUnverified={own.newest !== undefined && own.newest.verifiedAt === null}
        suspension={own.suspension}
      />
      <UnreleasedNotices notes={own.unreleased} />
      {hasVersion && (
        <>
          <AppUseCard path={path} customers={own.customers} inUse={own.inUse} />
          <InstancesCard listing={listing} {...running} />
          {health.versions.length > 0 && (
            <HealthHistoryCard
              description="Versions that ran in the last month, for all customers together."
              histories={health.versions.map(({ number, ...shown }) => ({
                name: `version ${number}`,
                ...shown,
              }))}
              more={health.more}
            />
          )}
          <FailuresCard failures={own.failures} hasMore={own.hasMoreFailures} />
          <LiveRefresh />
        </>
      )}
    </div>
  );
});
