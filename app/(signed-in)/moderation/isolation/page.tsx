import type { Metadata } from "next";
import { ModerationFrame } from "@/components/moderation/moderation-frame";
import { LiveRefresh } from "@/components/platform/live";
import { CheckButton } from "@/components/runtime/check-isolation-button";
import { IsolationReport } from "@/components/runtime/isolation-report";
import { readIsolation } from "@/lib/server/runtime/isolation";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "Isolation · Moderation" };

export default page("/moderation/isolation", async ({ platform }) => {
  const isolation = await readIsolation(platform);
  return (
    <ModerationFrame
      description="What apps can reach from inside their containers. The platform checks it when it starts."
      actions={<CheckButton isChecking={isolation.state === "checking"} />}
    >
      <IsolationReport isolation={isolation} />
      <LiveRefresh />
    </ModerationFrame>
  );
});
