import { listRecipients } from "@/lib/server/installations/send-test-call";
import { readQuery, route } from "@/lib/server/surface/web/route";

/** The recipients of a test event of the type `?event=`. */
export const GET = route("GET /api/installations/[installationId]/recipients", {
  run: ({ platform, member, params, request }) => {
    const type = readQuery(request).event ?? "";
    return listRecipients(platform, member, params.installationId ?? "", type);
  },
});
