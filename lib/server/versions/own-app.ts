import { splitAppName } from "@/lib/contract/names";
import { wrongName } from "./accept-manifest";
import type { Publisher } from "./publisher";

/** `<org-name>/<app-name>`, or its second half alone, as an app of the publisher's: `BAD_MANIFEST` for any other. */
export function requireOwnApp(
  { organizationSlug }: Publisher,
  appName: string,
): { name: string; app: string } {
  const name = appName.includes("/") ? appName : `${organizationSlug}/${appName}`;
  const parts = splitAppName(name);
  if (parts?.organization !== organizationSlug)
    throw wrongName(name, `${organizationSlug}/${parts?.app ?? "<app-name>"}`);
  return { name, app: parts.app };
}
