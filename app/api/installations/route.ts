import { launchInput } from "@/lib/contract/catalog/configuration";
import { launchInstallation } from "@/lib/server/installations/launch-installation";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/installations", {
  body: launchInput,
  created: true,
  run: ({ platform, member, body }) => launchInstallation(platform, member, body),
});
