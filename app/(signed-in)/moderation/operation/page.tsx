import type { Metadata } from "next";
import { ModerationFrame } from "@/components/moderation/moderation-frame";
import { LiveRefresh } from "@/components/platform/live";
import { OperationView } from "@/components/surface/operation-view";
import { readOperation } from "@/lib/server/surface/operation/read-operation";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "Operation · Moderation" };

export default page("/moderation/operation", async ({ platform }) => (
  <ModerationFrame description="How the platform itself is doing: its parts, work, store, keys, and backups.">
    <OperationView operation={await readOperation(platform)} />
    <LiveRefresh />
  </ModerationFrame>
));
