import { launchInput } from "@/lib/contract/installation";
import { launchInstallation } from "@/lib/server/installations/launch/launch-installation";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/installations", {
  body: launchInput,
  created: true,
  run: ({ platform, member, body }) => launchInstallation(platform, member, body),
});
