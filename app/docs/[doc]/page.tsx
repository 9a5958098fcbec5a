import { DocsArticle, DocsFrame } from "@/components/surface/docs/docs-frame";
import { GuideBlocks } from "@/components/surface/docs/guide-blocks";
import { PartIndex } from "@/components/surface/docs/part-index";
import { describeReference } from "@/components/surface/docs/reference";
import { isSplit } from "@/lib/contract/platform/docs-pages";
import { readGuide } from "@/lib/server/surface/docs";
import { listGroups, withoutParts } from "@/lib/server/surface/docs-parts";
import { describePage, page, titled } from "@/lib/server/surface/web/page";

export const generateMetadata = titled("/docs/[doc]", "Docs", async ({ platform, params }) => {
  const { slug, title, summary } = await readGuide(platform, params.doc ?? "");
  return describePage({ path: `/docs/${slug}`, title: `${title} · Docs`, description: summary });
});

export default page("/docs/[doc]", async ({ actor, platform, params }) => {
  const guide = await readGuide(platform, params.doc ?? "");
  const { slug, title, summary } = guide;
  const blocks = withoutParts(guide);
  const reference = describeReference(slug);
  const groups = isSplit(slug) ? listGroups(platform, { ...guide, slug }) : [];
  const written = blocks.filter((block) => block.kind === "heading");
  const listed = groups.map(({ id, title: text }) => ({ id, text, level: 2 as const }));
  return (
    <DocsFrame signedIn={actor !== undefined} current={slug}>
      <DocsArticle
        slug={slug}
        title={title}
        summary={summary}
        headings={[...written, ...listed, ...(reference?.headings ?? [])]}
      >
        <GuideBlocks blocks={blocks} />
        {isSplit(slug) && <PartIndex slug={slug} groups={groups} />}
        {reference?.content}
      </DocsArticle>
    </DocsFrame>
  );
});
