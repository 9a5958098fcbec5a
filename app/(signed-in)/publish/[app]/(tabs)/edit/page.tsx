import { cache } from "react";
import { ListingEditor } from "@/components/catalog/listings/listing-editor";
import { ListingView } from "@/components/catalog/marketplace/listing-view";
import { Notice } from "@/components/ui/notice";
import { readTextEditor } from "@/lib/server/catalog/listing-text";
import { readEnforcement } from "@/lib/server/runtime/isolation";
import { page, titled } from "@/lib/server/surface/web/page";

const read = cache(readTextEditor);

export const generateMetadata = titled(
  "/publish/[app]/edit",
  "Edit listing",
  async ({ platform, member, params }) => (await read(platform, member, params.app ?? "")).listing.title,
);

export default page("/publish/[app]/edit", async ({ platform, member, params }) => {
  const { listing, publicText, draft, review, manifest, warnings } = await read(
    platform,
    member,
    params.app ?? "",
  );
  const { id, appName, state, organizationSlug, organizationName } = listing;
  const enforcement = await readEnforcement(platform);
  if (state === "RETIRED")
    return (
      <ListingView
        text={publicText}
        publisher={{ name: organizationName }}
        manifest={manifest}
        enforcement={enforcement}
        notice={<Notice title="Retired">The text of a retired listing can&apos;t be changed.</Notice>}
      />
    );
  return (
    <ListingEditor
      key={id}
      listing={{ id, appName, state, organizationSlug, organizationName }}
      draft={draft}
      publicText={publicText}
      review={review}
      manifest={manifest}
      warnings={warnings}
      preview={
        <ListingView
          text={draft.text}
          publisher={{ name: organizationName }}
          manifest={manifest}
          enforcement={enforcement}
        />
      }
    />
  );
});
