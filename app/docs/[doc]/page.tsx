import { DocsArticle, DocsFrame } from "@/components/surface/docs/docs-frame";
import { GuideBlocks } from "@/components/surface/docs/guide-blocks";
import { describeReference } from "@/components/surface/docs/reference";
import { listOperations } from "@/lib/server/surface/api/list-operations";
import { readGuide } from "@/lib/server/surface/docs";
import { describePage, page, titled } from "@/lib/server/surface/web/page";

export const generateMetadata = titled("/docs/[doc]", "Docs", async ({ platform, params }) => {
  const { slug, title, summary } = await readGuide(platform, params.doc ?? "");
  return describePage({ path: `/docs/${slug}`, title: `${title} · Docs`, description: summary });
});

export default page("/docs/[doc]", async ({ actor, platform, params }) => {
  const { slug, title, summary, blocks } = await readGuide(platform, params.doc ?? "");
  const reference = describeReference(slug, () => listOperations(platform));
  const written = blocks.filter((block) => block.kind === "heading");
  return (
    <DocsFrame signedIn={actor !== undefined} current={slug}>
      <DocsArticle
        slug={slug}
        title={title}
        summary={summary}
        headings={[...written, ...(reference?.headings ?? [])]}
      >
        <GuideBlocks blocks={blocks} />
        {reference?.content}
      </DocsArticle>
    </DocsFrame>
  );
});
