/** A publisher's verified app, which a customer has installed; no instance runs behind it. */
import type { RouteKind } from "@/lib/contract/catalog/installation-states";
import type { Platform } from "@/lib/server/platform/platform";
import { givenInstallation, givenListing, givenMember, givenTenant, one } from "./test-platform";

export async function givenInstalledApp(platform: Platform) {
  const publisher = await givenMember(platform, "acme");
  const customer = await givenMember(platform, "harbor");
  const { version } = await givenListing(platform, publisher, { state: "PUBLIC", verified: true });
  const { tenant } = await givenTenant(platform, customer);
  const { installation, routes } = await givenInstallation(platform, customer, version, tenant.id);
  const route = (kind: RouteKind) => one(routes.filter((each) => each.kind === kind));
  return { publisher, customer, version, tenant, installation, route };
}
