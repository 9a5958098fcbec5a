import type { Metadata } from "next";
import { ConnectTenant } from "@/components/installations/tenants/connect-tenant";
import { PageHeader } from "@/components/ui/page-header";
import { localPath } from "@/lib/domain/accounts/sign-in";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "Connect a tenant" };

export default page("/tenants/new", ({ platform, searchParams }) => {
  const gateway = platform.environment.PLATFORM_GATEWAY_URL;
  const returnTo = localPath(searchParams.return, "");
  return (
    <>
      <PageHeader
        title="Connect a tenant"
        description="The platform imports the tenant's products from its core and gives the core a credential to call your apps."
        back={returnTo === "" ? { href: "/tenants", text: "Tenants" } : { href: returnTo, text: "Back" }}
      />
      <ConnectTenant
        eventsAddress={`${gateway}/core/v1/events`}
        keysAddress={`${gateway}/.well-known/jwks.json`}
        returnTo={returnTo === "" ? undefined : returnTo}
      />
    </>
  );
});
