import type { Metadata } from "next";
import { ConnectionCard } from "@/components/tenants/connection-card";
import { CoreCredentialCard } from "@/components/tenants/core-credential-card";
import { ProductsCard } from "@/components/tenants/products-card";
import { SandboxBanner } from "@/components/tenants/sandbox-banner";
import { TenantCard } from "@/components/tenants/tenant-card";
import { TenantInstallationsCard } from "@/components/tenants/tenant-installations-card";
import { Badge } from "@/components/ui/badge";
import { PageHeader } from "@/components/ui/page-header";
import { readTenant } from "@/lib/server/tenants/read-tenant";
import { page } from "@/lib/server/web/page";

export const metadata: Metadata = { title: "Tenant" };

export default page("/tenants/[tenantId]", async ({ platform, member, params }) => {
  const tenant = await readTenant(platform, member, params.tenantId ?? "");
  const gateway = platform.environment.PLATFORM_GATEWAY_URL;
  const isOwner = member.organization.role === "owner";
  const mayEdit = isOwner && !tenant.sandbox;
  return (
    <>
      <PageHeader
        title={tenant.name}
        description={<span className="font-mono text-[13px] break-all">{tenant.hostName}</span>}
        badges={tenant.sandbox && <Badge tone="warning">Sandbox</Badge>}
        back={{ href: "/tenants", text: "Tenants" }}
      />
      <div className="flex flex-col gap-6">
        {tenant.sandbox && <SandboxBanner />}
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <TenantCard tenant={tenant} mayEdit={mayEdit} keysAddress={`${gateway}/.well-known/jwks.json`} />
          <ConnectionCard tenant={tenant} />
        </div>
        <ProductsCard tenant={tenant} />
        <TenantInstallationsCard tenant={tenant} />
        {mayEdit && <CoreCredentialCard tenant={tenant} eventsAddress={`${gateway}/core/v1/events`} />}
        {!isOwner && (
          <p className="text-[13px] text-ink-faint">
            Owners of your organization edit its tenants. Anyone in it may test the connection and refresh the
            products.
          </p>
        )}
      </div>
    </>
  );
});
