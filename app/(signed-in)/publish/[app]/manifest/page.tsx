import type { Metadata } from "next";
import { ManifestEditor } from "@/components/manifest-editor/frame/manifest-editor";
import { readEditor } from "@/lib/server/manifest-drafts/read-draft";
import { page } from "@/lib/server/web/page";

export const metadata: Metadata = { title: "Manifest" };

export default page("/publish/[app]/manifest", async ({ platform, member, params }) => {
  const { listing, name, published, draft } = await readEditor(platform, member, params.app ?? "");
  const { id, appName, title } = listing;
  return (
    <ManifestEditor listing={{ id, appName, name, title, published }} draftJson={JSON.stringify(draft)} />
  );
});
