import { DeleteDraftCard, RetireCard } from "@/components/catalog/listings/end-listing";
import { PilotsCard } from "@/components/catalog/listings/pilots-card";
import { VisibilityCard } from "@/components/catalog/listings/visibility-card";
import { ScaleCard } from "@/components/runtime/instances-card";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { ShortId } from "@/components/ui/technical-text";
import { Facts } from "@/components/ui/values";
import { readPilots } from "@/lib/server/catalog/pilots";
import { readVisibility } from "@/lib/server/catalog/visibility";
import { readInstances } from "@/lib/server/runtime/scale-app";
import { readOwnSettings } from "@/lib/server/surface/read-own-listing";
import { page, titled } from "@/lib/server/surface/web/page";
import { currentOwnApp, nameOwnApp } from "@/lib/server/surface/web/page-reads";

export const generateMetadata = titled("/publish/[app]/settings", "Listings", ({ params }) =>
  nameOwnApp(params.app, "Settings"),
);

export default page("/publish/[app]/settings", async ({ platform, params }) => {
  const { listing } = await currentOwnApp(params.app ?? "");
  const [{ installations, deletable }, { replicas, mostReplicas, most, calls }, offer, pilots] =
    await Promise.all([
      readOwnSettings(platform, listing),
      readInstances(platform, listing.id),
      readVisibility(platform, listing),
      readPilots(platform, listing.id),
    ]);
  const isRetired = listing.state === "RETIRED";
  return (
    <div className="flex flex-col gap-6">
      {isRetired && (
        <Notice title="Retired">This listing was permanently removed from the marketplace.</Notice>
      )}
      <Card title="Details">
        <Facts
          facts={[
            [
              "App name",
              <ShortId
                key="name"
                label="app name"
                value={`${listing.organizationSlug}/${listing.appName}`}
              />,
            ],
            ["Created", <RelativeTime key="created" at={listing.createdAt} />],
            ["Updated", <RelativeTime key="updated" at={listing.updatedAt} />],
          ]}
        />
      </Card>
      {!isRetired && (
        <VisibilityCard
          listing={{ id: listing.id, title: listing.title, isPublic: listing.state === "PUBLIC" }}
          {...offer}
        />
      )}
      {(listing.state === "PUBLIC" || listing.state === "SUSPENDED") && (
        <PilotsCard listingId={listing.id} organizations={pilots} />
      )}
      <ScaleCard listingId={listing.id} {...{ replicas, mostReplicas, most, calls }} />
      {deletable !== undefined && <DeleteDraftCard listing={listing} {...deletable} />}
      {!isRetired && deletable === undefined && (
        <RetireCard listing={listing} installations={installations} />
      )}
    </div>
  );
});
