import { cache } from "react";
import { ManifestEditor } from "@/components/catalog/editor/manifest-editor";
import { checkedDraftJson } from "@/lib/domain/catalog/manifest/check-manifest";
import { readEditor } from "@/lib/server/catalog/publish/manifest-draft";
import { page, titled } from "@/lib/server/surface/web/page";

const read = cache(readEditor);

export const generateMetadata = titled(
  "/publish/[app]/manifest",
  "Manifest",
  async ({ platform, member, params }) => (await read(platform, member, params.app ?? "")).listing.title,
);

export default page("/publish/[app]/manifest", async ({ platform, member, params }) => {
  const { listing, name, published, draft } = await read(platform, member, params.app ?? "");
  const { id, appName, title } = listing;
  return (
    <ManifestEditor
      listing={{ id, appName, name, title, published }}
      draftJson={checkedDraftJson(draft, name)}
    />
  );
});
