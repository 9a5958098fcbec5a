import type { Metadata } from "next";
import { listingDraftKey } from "@/components/catalog/listings/listing-draft";
import { NewListingForm } from "@/components/catalog/listings/new-listing-form";
import { PageHeader } from "@/components/ui/page-header";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "New listing" };

export default page("/publish/new", ({ member }) => (
  <>
    <PageHeader
      back={{ href: "/publish", text: "Listings" }}
      title="New listing"
      description="A listing starts as a draft that only your organization sees until a moderator verifies a version."
    />
    <NewListingForm
      organizationSlug={member.organization.slug}
      draftKey={listingDraftKey(member.userId, member.organization.id)}
    />
  </>
));
