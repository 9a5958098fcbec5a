import { cache } from "react";
import { ListingCards } from "@/components/catalog/marketplace/listing-cards";
import { PublisherProfile, VerifiedDomains } from "@/components/catalog/marketplace/publisher-profile";
import { PageHeader, Pager } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { oneLine } from "@/lib/domain/platform/text";
import { listOfPublisher, readPublisher } from "@/lib/server/catalog/marketplace";
import { describePage, page, titled } from "@/lib/server/surface/web/page";

const read = cache(readPublisher);

export const generateMetadata = titled("/publishers/[slug]", "Marketplace", async ({ platform, params }) => {
  const { name, slug, apps, description: about } = await read(platform, params.slug ?? "");
  const count = `${apps === 1 ? "1 verified app" : `${apps} verified apps`} by ${name}.`;
  const description = about === "" ? count : oneLine(about, 160);
  return describePage({ path: `/publishers/${slug}`, title: `${name} · Marketplace`, description });
});

export default page("/publishers/[slug]", async ({ platform, params, searchParams }) => {
  const publisher = await read(platform, params.slug ?? "");
  const { listings, ...pages } = await listOfPublisher(platform, publisher.id, searchParams.after);
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
        badges={<VerifiedDomains domains={publisher.domains} />}
        back={{ href: "/marketplace", text: "Marketplace" }}
      />
      <PublisherProfile profile={publisher} />
      <ListingCards listings={listings} />
      <Pager path={`/publishers/${publisher.slug}`} query={{}} pages={pages} />
    </>
  );
});
