import { cache } from "react";
import { withLink } from "@/components/catalog/marketplace/launch-button";
import { ReportForm } from "@/components/moderation/reports";
import { PageHeader } from "@/components/ui/page-header";
import { UserText } from "@/components/ui/values";
import { Problem } from "@/lib/contract/platform/problem";
import type { Actor } from "@/lib/domain/platform/actor";
import { requireListing, toViewer } from "@/lib/server/catalog/marketplace";
import type { Platform } from "@/lib/server/platform/platform";
import { page, titled } from "@/lib/server/surface/web/page";

/** Only what is public can be reported. */
const read = cache(
  async (platform: Platform, actor: Actor, organization: string, app: string, link?: string) => {
    const name = { organizationSlug: organization, appName: app };
    const found = await requireListing(platform, name, toViewer(actor), link);
    if (found.listing.state !== "PUBLIC") throw new Problem("NOT_FOUND");
    return found;
  },
);

export const generateMetadata = titled(
  "/marketplace/[organization]/[app]/report",
  "Report a problem",
  async ({ platform, actor, params: { organization = "", app = "" }, searchParams }) =>
    (await read(platform, actor, organization, app, searchParams.link)).listing.title,
);

export default page(
  "/marketplace/[organization]/[app]/report",
  async ({ platform, actor, params: { organization = "", app = "" }, searchParams }) => {
    const { listing, link } = await read(platform, actor, organization, app, searchParams.link);
    const listingPath = withLink(`/marketplace/${listing.organizationSlug}/${listing.appName}`, link);
    return (
      <>
        <PageHeader
          back={{ href: listingPath, text: listing.title }}
          title="Report a problem"
          description={
            <>
              This report is about the listing of <UserText>{listing.title}</UserText>. The platform&apos;s
              moderators read your report. For help with the app, contact its publisher.
            </>
          }
        />
        <ReportForm listingId={listing.id} title={listing.title} listingPath={listingPath} link={link} />
      </>
    );
  },
);
