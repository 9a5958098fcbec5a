import { cache } from "react";
import { ManifestEditor } from "@/components/catalog/editor/manifest-editor";
import { FEWER_HOSTS } from "@/lib/domain/catalog/fewer-hosts";
import { checkedDraftJson } from "@/lib/domain/catalog/manifest/check-manifest";
import { readEditor } from "@/lib/server/catalog/publish/manifest-draft";
import { readProposal } from "@/lib/server/runtime/read-egress";
import { page, titled } from "@/lib/server/surface/web/page";

const read = cache(readEditor);

export const generateMetadata = titled(
  "/publish/[app]/manifest",
  "Manifest",
  async ({ platform, member, params }) => (await read(platform, member, params.app ?? "")).listing.title,
);

export default page("/publish/[app]/manifest", async ({ platform, member, params, searchParams }) => {
  const { listing, name, published, draft } = await read(platform, member, params.app ?? "");
  const { id, appName, title } = listing;
  const permissions = platform.environment.PLATFORM_PERMISSIONS;
  const proposal = searchParams.propose === FEWER_HOSTS ? await readProposal(platform, id) : undefined;
  return (
    <ManifestEditor
      listing={{ id, appName, name, title, permissions, published }}
      draftJson={checkedDraftJson(draft, name, permissions)}
      unusedHosts={proposal?.unused}
    />
  );
});
