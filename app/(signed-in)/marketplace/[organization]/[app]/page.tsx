import { cache } from "react";
import { Facts } from "@/components/listing/facts";
import { LaunchButton } from "@/components/listing/launch-button";
import { ListingView } from "@/components/listing/listing-view";
import { ManifestSummary } from "@/components/listing/manifest-summary";
import { StateBadge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { ShortId } from "@/components/ui/short-id";
import { readMarketplaceListing } from "@/lib/server/listings/read-listing";
import { listInstalledTenants } from "@/lib/server/installations/launch/list-installed-tenants";
import { page, titled } from "@/lib/server/web/page";

const readListing = cache(readMarketplaceListing);

export const generateMetadata = titled(
  "/marketplace/[organization]/[app]",
  "Marketplace",
  async ({ platform, member, params: { organization = "", app = "" } }) =>
    (await readListing(platform, member, organization, app)).listing.title,
);

export default page("/marketplace/[organization]/[app]", async ({ platform, member, params }) => {
  const { organization = "", app = "" } = params;
  const { listing, own, newest, manifest, verified } = await readListing(platform, member, organization, app);
  const name = `${listing.organizationSlug}/${listing.appName}`;
  const mayPublish = member.organization.role !== "operator";
  return (
    <ListingView
      text={listing}
      publisher={{ name: listing.organizationName }}
      manifest={manifest}
      heading="h1"
      badges={listing.state !== "PUBLIC" && <StateBadge state={listing.state} />}
      actions={
        <>
          {own && mayPublish && <LinkButton href={`/publish/${listing.appName}`}>Manage</LinkButton>}
          <LaunchButton
            name={name}
            state={listing.state}
            own={own}
            newest={newest}
            verified={verified}
            {...await listInstalledTenants(platform, member, listing.id)}
          />
        </>
      }
      notice={
        newest === undefined && (
          <Notice title="Nothing to launch yet">
            {own ? "Publish a version first." : "This app has no verified version yet."}
          </Notice>
        )
      }
      aside={
        <Card title="Details">
          <Facts
            facts={[
              [
                "App name",
                <span key="name" className="font-mono text-[13px]">
                  {name}
                </span>,
              ],
              ["Publisher", listing.organizationName],
              ...(newest === undefined
                ? []
                : ([
                    ["Version", newest.number],
                    ["Published", <RelativeTime key="at" at={newest.createdAt} />],
                    [
                      "Verified",
                      newest.verifiedAt === null ? (
                        "Not yet"
                      ) : (
                        <RelativeTime key="verified" at={newest.verifiedAt} />
                      ),
                    ],
                    ["Image", <ShortId key="digest" value={newest.imageDigest} label="image digest" />],
                  ] satisfies [string, React.ReactNode][])),
            ]}
          />
        </Card>
      }
    >
      {manifest !== undefined && <ManifestSummary manifest={manifest} />}
    </ListingView>
  );
});
