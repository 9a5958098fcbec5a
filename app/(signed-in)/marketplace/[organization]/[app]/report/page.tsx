import { cache } from "react";
import { ReportForm } from "@/components/moderation/reports";
import { PageHeader } from "@/components/ui/page-header";
import { UserText } from "@/components/ui/values";
import { Problem } from "@/lib/contract/platform/problem";
import type { Actor } from "@/lib/domain/platform/actor";
import { readMarketplaceListing } from "@/lib/server/catalog/marketplace";
import type { Platform } from "@/lib/server/platform/platform";
import { page, titled } from "@/lib/server/surface/web/page";

/** Only what is public can be reported. */
const read = cache(async (platform: Platform, actor: Actor, organization: string, app: string) => {
  const { listing } = await readMarketplaceListing(platform, actor, organization, app);
  if (listing.state !== "PUBLIC") throw new Problem("NOT_FOUND");
  return listing;
});

export const generateMetadata = titled(
  "/marketplace/[organization]/[app]/report",
  "Report a problem",
  async ({ platform, actor, params: { organization = "", app = "" } }) =>
    (await read(platform, actor, organization, app)).title,
);

export default page(
  "/marketplace/[organization]/[app]/report",
  async ({ platform, actor, params: { organization = "", app = "" } }) => {
    const listing = await read(platform, actor, organization, app);
    const listingPath = `/marketplace/${listing.organizationSlug}/${listing.appName}`;
    return (
      <>
        <PageHeader
          back={{ href: listingPath, text: listing.title }}
          title="Report a problem"
          description={
            <>
              With the listing of <UserText>{listing.title}</UserText>. The platform&apos;s moderators read
              your report. For help with the app, contact its publisher.
            </>
          }
        />
        <ReportForm listingId={listing.id} title={listing.title} listingPath={listingPath} />
      </>
    );
  },
);
