import { DocsFrame } from "@/components/surface/docs/docs-frame";
import { SearchPage } from "@/components/surface/docs/search-page";
import { searchSections } from "@/lib/domain/surface/search-sections";
import { indexDocs } from "@/lib/server/surface/docs";
import { describePage, page } from "@/lib/server/surface/web/page";

const MOST_HITS = 30;
const MOST_CHARACTERS = 100;

export const generateMetadata = () =>
  describePage({
    path: "/docs/search",
    title: "Search · Docs",
    description: "Search the documentation of the App Hosting Platform.",
    hidden: true,
  });

export default page("/docs/search", async ({ actor, platform, searchParams }) => {
  const query = (searchParams.q ?? "").slice(0, MOST_CHARACTERS).trim();
  const found = query === "" ? [] : searchSections(await indexDocs(platform), query, MOST_HITS + 1);
  return (
    <DocsFrame signedIn={actor !== undefined}>
      <SearchPage query={query} hits={found.slice(0, MOST_HITS)} isCut={found.length > MOST_HITS} />
    </DocsFrame>
  );
});
