import type { Metadata } from "next";
import { StoredDraftEditor } from "@/components/manifest-editor/frame/manifest-editor";
import { readEditor } from "@/lib/server/manifest-drafts/read-draft";
import { page } from "@/lib/server/web/page";

export const metadata: Metadata = { title: "Manifest" };

export default page("/publish/[app]/manifest", async ({ platform, member, params }) => {
  const { listing, name, published, draft } = await readEditor(platform, member, params.app ?? "");
  const { id, appName, title, state } = listing;
  const { PLATFORM_WEB_URL, PLATFORM_GATEWAY_URL: gatewayUrl } = platform.environment;
  const schemaUrl = new URL("/schemas/platform-app.json", PLATFORM_WEB_URL).href;
  return (
    <StoredDraftEditor
      listing={{ id, appName, name, title, state, published, gatewayUrl, schemaUrl }}
      draftJson={JSON.stringify(draft)}
    />
  );
});
