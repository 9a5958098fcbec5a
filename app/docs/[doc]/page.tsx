import { describeReference } from "@/components/docs/references/reference";
import { DocsArticle } from "@/components/docs/docs-article";
import { DocsFrame } from "@/components/docs/docs-frame";
import { GuideBlocks } from "@/components/docs/guide-blocks";
import { readGuide } from "@/lib/server/docs/read-guide";
import { listOperations } from "@/lib/server/openapi/list-operations";
import { page, titled } from "@/lib/server/web/page";
import { describePage } from "@/lib/server/web/page-metadata";

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
