import { redirect } from "next/navigation";
import { DocsArticle, DocsFrame } from "@/components/surface/docs/docs-frame";
import { GuideBlocks } from "@/components/surface/docs/guide-blocks";
import { describeOperations } from "@/components/surface/docs/reference";
import { docsPath } from "@/lib/contract/platform/docs-pages";
import { findEntry, readPart } from "@/lib/server/surface/docs-parts";
import { describePage, page, titled } from "@/lib/server/surface/web/page";

export const generateMetadata = titled("/docs/[doc]/[part]", "Docs", async ({ platform, params }) => {
  const {
    slug,
    part,
    page: whole,
    title,
    summary,
  } = await readPart(platform, params.doc ?? "", params.part ?? "");
  return describePage({
    path: docsPath(slug, part),
    title: `${title} · ${whole} · Docs`,
    description: `${title}: ${summary}`,
  });
});

/** A part of a page, or the way to an entry: links name an error code without knowing its part. */
export default page(
  "/docs/[doc]/[part]",
  async ({ actor, platform, params: { doc = "", part: asked = "" } }) => {
    const entry = findEntry(platform, doc, asked);
    if (entry !== undefined) redirect(entry);
    const { slug, part, title, summary, blocks, operations } = await readPart(platform, doc, asked);
    const reference = describeOperations(operations);
    const written = blocks.filter((block) => block.kind === "heading");
    return (
      <DocsFrame signedIn={actor !== undefined} current={slug} part={part}>
        <DocsArticle
          slug={slug}
          part={part}
          title={title}
          summary={summary}
          headings={[...written, ...reference.headings]}
        >
          <GuideBlocks blocks={blocks} />
          {reference.content}
        </DocsArticle>
      </DocsFrame>
    );
  },
);
