import { headers } from "next/headers";
import { after } from "next/server";
import type { VisitKind } from "@/drizzle/schema/insight";
import { countVisit } from "../../insight/use/count-visit";
import { reportFailure, reportSuccess } from "../../platform/database/repeated-failures";
import { CLIENT_ADDRESS, toNetwork } from "../../platform/requests/read-request";
import { webPlatform } from "./platform";
import { currentActor } from "./session";

const WHAT = "count visitors";

/** Counts who opened the page, once it was sent. A page that is loaded ahead was not opened. */
export async function noteVisit(
  kind: VisitKind,
  listing: { id: string; organizationId: string },
): Promise<void> {
  const [sent, actor] = await Promise.all([headers(), currentActor()]);
  if (sent.has("next-router-prefetch") || sent.get("purpose") === "prefetch") return;
  const client = {
    network: toNetwork(sent.get(CLIENT_ADDRESS) ?? ""),
    userAgent: sent.get("user-agent") ?? "",
  };
  const visit = { kind, listing, organizationId: actor?.organization?.id, client };
  after(async () => {
    const platform = webPlatform();
    await countVisit(platform, visit).then(
      () => reportSuccess(platform.log, WHAT),
      (err: unknown) =>
        reportFailure(platform.log, WHAT, { err, level: "warn", message: "a visitor was not counted" }),
    );
  });
}
