import { Store } from "lucide-react";
import type { Metadata } from "next";
import { ListingCards } from "@/components/listing/listing-cards";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { Pager, SearchForm } from "@/components/ui/list-controls";
import { listMarketplace } from "@/lib/server/listings/list-listings";
import { page } from "@/lib/server/web/page";

export const metadata: Metadata = { title: "Marketplace" };

export default page("/marketplace", async ({ platform, member, searchParams }) => {
  const { q = "", after } = searchParams;
  const { listings, next } = await listMarketplace(platform, member, { search: q, after });
  return (
    <>
      <PageHeader
        title="Marketplace"
        description="Verified apps for your tenants, plus your organization's drafts."
      />
      <div className="mb-6">
        <SearchForm path="/marketplace" label="Search apps" value={q} />
      </div>
      {listings.length > 0 ? <ListingCards listings={listings} /> : <Nothing search={q} />}
      <Pager path="/marketplace" query={q === "" ? {} : { q }} next={next} started={after !== undefined} />
    </>
  );
});

function Nothing({ search }: { search: string }) {
  return (
    <Card flush>
      {search === "" ? (
        <EmptyState icon={Store} title="No apps yet">
          An app appears here once a moderator verifies it.
        </EmptyState>
      ) : (
        <EmptyState
          icon={Store}
          title={`No apps match “${search}”`}
          action={<LinkButton href="/marketplace">Show all apps</LinkButton>}
        >
          Search covers titles, descriptions, publishers, and the events and operations that apps handle.
        </EmptyState>
      )}
    </Card>
  );
}
