import { HowToPublish, PublishLine } from "@/components/catalog/listings/next-steps";
import { VersionsCard } from "@/components/catalog/listings/versions-card";
import { LiveRefresh } from "@/components/platform/live";
import { FilterTabs, Pager } from "@/components/ui/page-header";
import { isReviewable } from "@/lib/domain/catalog/listing";
import { readOwnVersions } from "@/lib/server/surface/read-own-listing";
import { page, titled } from "@/lib/server/surface/web/page";
import { currentOwnApp, nameOwnApp } from "@/lib/server/surface/web/page-reads";

export const generateMetadata = titled("/publish/[app]/versions", "Listings", ({ params }) =>
  nameOwnApp(params.app, "Versions"),
);

const SORTS = [
  { sort: "newest", text: "Newest" },
  { sort: "oldest", text: "Oldest" },
  { sort: "highest", text: "Highest number" },
  { sort: "lowest", text: "Lowest number" },
] as const;

export default page("/publish/[app]/versions", async ({ platform, member, params, searchParams }) => {
  const { listing, hasVersion } = await currentOwnApp(params.app ?? "");
  const name = `${listing.organizationSlug}/${listing.appName}`;
  if (!hasVersion)
    return (
      <HowToPublish
        name={name}
        gatewayUrl={platform.environment.PLATFORM_GATEWAY_URL}
        webUrl={platform.environment.PLATFORM_WEB_URL}
        first
      />
    );
  const own = await readOwnVersions(platform, member, listing, searchParams);
  const path = `/publish/${listing.appName}/versions`;
  const query = own.sort === "newest" ? undefined : { sort: own.sort };
  return (
    <div className="flex flex-col gap-4">
      <PublishLine name={name} />
      {own.total > 1 && (
        <FilterTabs
          label="Sort by"
          options={SORTS.map(({ sort, text }) => ({
            href: sort === "newest" ? path : `${path}?sort=${sort}`,
            text,
            current: sort === own.sort,
          }))}
        />
      )}
      <VersionsCard
        listing={listing}
        versions={own.versions}
        total={own.total}
        testLaunches={own.testLaunches}
        highestVerified={own.highestVerified}
        mayReview={isReviewable(listing.state) && !own.isWaiting}
        pager={<Pager path={path} query={query ?? {}} pages={own.pages} />}
      />
      {own.isWaiting && <LiveRefresh />}
    </div>
  );
});
