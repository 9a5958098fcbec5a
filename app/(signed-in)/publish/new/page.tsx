import type { Metadata } from "next";
import { NewListingForm } from "@/components/listing/new-listing-form";
import { PageHeader } from "@/components/ui/page-header";
import { page } from "@/lib/server/web/page";

export const metadata: Metadata = { title: "New listing" };

export default page("/publish/new", ({ member }) => (
  <>
    <PageHeader
      back={{ href: "/publish", text: "Listings" }}
      title="New listing"
      description="It starts as a draft. Only your organization sees it until a moderator has verified a version."
    />
    <NewListingForm organizationSlug={member.organization.slug} />
  </>
));
