import { Boxes, Plus } from "lucide-react";
import type { Metadata } from "next";
import { AppCell } from "@/components/catalog/marketplace/listing-cards";
import { StateBadge } from "@/components/ui/badge";
import { Card, EmptyState } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/links";
import { PageHeader, Pager, SearchForm } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { INIT_COMMAND } from "@/lib/contract/catalog/publish-commands";
import { listOwnListings } from "@/lib/server/catalog/own-listings";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "Listings" };

const createButton = (
  <LinkButton href="/publish/new" tone="primary">
    <Plus aria-hidden className="size-4" />
    New listing
  </LinkButton>
);

export default page("/publish", async ({ platform, member, searchParams }) => {
  const { q = "", after } = searchParams;
  const { listings, next } = await listOwnListings(platform, member, { search: q, after });
  const none = listings.length === 0 && q === "" && after === undefined;
  return (
    <>
      <PageHeader
        title="Listings"
        description={`Apps of ${member.organization.name}.`}
        actions={none ? undefined : createButton}
      />
      {!none && (
        <div className="mb-6">
          <SearchForm path="/publish" label="Search your listings" value={q} />
        </div>
      )}
      <Card flush>
        {listings.length === 0 ? (
          <Nothing search={q} />
        ) : (
          <Table label="Listings">
            <TableHead columns={["App", "State", "Updated"]} />
            <TableBody>
              {listings.map((listing) => (
                <TableRow key={listing.id}>
                  <AppCell listing={listing} href={`/publish/${listing.appName}`} />
                  <TableCell>
                    <StateBadge state={listing.state} />
                  </TableCell>
                  <TableCell label="Updated" className="whitespace-nowrap text-ink-soft">
                    <RelativeTime at={listing.updatedAt} />
                  </TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        )}
      </Card>
      <Pager path="/publish" query={q === "" ? {} : { q }} next={next} started={after !== undefined} />
    </>
  );
});

function Nothing({ search }: { search: string }) {
  if (search !== "")
    return (
      <EmptyState
        icon={Boxes}
        title={`No listings match “${search}”`}
        action={<LinkButton href="/publish">Show all</LinkButton>}
      />
    );
  return (
    <EmptyState icon={Boxes} title="No listings yet" action={createButton} command={INIT_COMMAND}>
      A listing describes your app. It starts as a draft that only your organization sees. It becomes public
      once a moderator verifies a version. To start with the app itself, run this command in an empty folder.
    </EmptyState>
  );
}
