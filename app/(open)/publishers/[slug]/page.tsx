import { cache } from "react";
import { ListingCards } from "@/components/listing/listing-cards";
import { PublisherProfile } from "@/components/marketplace/publisher-profile";
import { PageHeader } from "@/components/ui/page-header";
import { Pager } from "@/components/ui/list-controls";
import { RelativeTime } from "@/components/ui/relative-time";
import { readPublisher } from "@/lib/server/marketplace/read-listing";
import { listOfPublisher } from "@/lib/server/marketplace/search-marketplace";
import { oneLine } from "@/lib/domain/one-line";
import { page, titled } from "@/lib/server/web/page";
import { describePage } from "@/lib/server/web/page-metadata";

const read = cache(readPublisher);

export const generateMetadata = titled("/publishers/[slug]", "Marketplace", async ({ platform, params }) => {
  const { name, slug, apps, description: about } = await read(platform, params.slug ?? "");
  const count = `${apps === 1 ? "1 verified app" : `${apps} verified apps`} by ${name}.`;
  const description = about === "" ? count : oneLine(about, 160);
  return describePage({ path: `/publishers/${slug}`, title: `${name} · Marketplace`, description });
});

export default page("/publishers/[slug]", async ({ platform, params, searchParams }) => {
  const publisher = await read(platform, params.slug ?? "");
  const { listings, next } = await listOfPublisher(platform, publisher.id, searchParams.after);
  return (
    <>
      <PageHeader
        title={publisher.name}
        description={
          <>
            {publisher.apps === 1 ? "1 public app" : `${publisher.apps} public apps`}, first published{" "}
            <RelativeTime at={publisher.since} />
          </>
        }
        back={{ href: "/marketplace", text: "Marketplace" }}
      />
      <PublisherProfile profile={publisher} />
      <ListingCards listings={listings} />
      <Pager
        path={`/publishers/${publisher.slug}`}
        query={{}}
        next={next}
        started={searchParams.after !== undefined}
      />
    </>
  );
});
