import { FlaskConical } from "lucide-react";
import { cache } from "react";
import { ConnectionCard, DisconnectCard } from "@/components/installations/tenants/connection-card";
import { CoreCredentialCard } from "@/components/installations/tenants/core-credential-card";
import { ProductsCard, TenantCard } from "@/components/installations/tenants/tenant-card";
import { TenantInstallationsCard } from "@/components/installations/tenants/tenant-installations-card";
import { Badge } from "@/components/ui/badge";
import { PageHeader } from "@/components/ui/page-header";
import { readTenant } from "@/lib/server/installations/tenants/read-tenants";
import { page, titled } from "@/lib/server/surface/web/page";

const read = cache(readTenant);

export const generateMetadata = titled(
  "/tenants/[tenantId]",
  "Tenants",
  async ({ platform, member, params }) => (await read(platform, member, params.tenantId ?? "")).name,
);

export default page("/tenants/[tenantId]", async ({ platform, member, params }) => {
  const tenant = await read(platform, member, params.tenantId ?? "");
  const gateway = platform.environment.PLATFORM_GATEWAY_URL;
  const isOwner = member.organization.role === "owner";
  const mayEdit = isOwner && !tenant.sandbox;
  return (
    <>
      <PageHeader
        title={tenant.name}
        description={
          <span translate="no" className="font-mono text-small wrap-anywhere">
            {tenant.hostName}
          </span>
        }
        badges={
          tenant.sandbox && <Badge tone="warning">{tenant.trialEndsAt === null ? "Sandbox" : "Trial"}</Badge>
        }
        back={{ href: "/tenants", text: "Tenants" }}
      />
      <div className="flex flex-col gap-6">
        {tenant.sandbox && <SandboxBanner isTrial={tenant.trialEndsAt !== null} />}
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <TenantCard tenant={tenant} mayEdit={mayEdit} keysAddress={`${gateway}/.well-known/jwks.json`} />
          <ConnectionCard tenant={tenant} />
        </div>
        <ProductsCard tenant={tenant} />
        <TenantInstallationsCard tenant={tenant} />
        {mayEdit && <CoreCredentialCard tenant={tenant} eventsAddress={`${gateway}/core/v1/events`} />}
        {isOwner && <DisconnectCard tenant={tenant} />}
        {!isOwner && (
          <p className="text-small text-ink-faint">
            Only owners can edit tenants. Everyone in your organization can test the connection and refresh
            the products.
          </p>
        )}
      </div>
    </>
  );
});

function SandboxBanner({ isTrial }: { isTrial: boolean }) {
  return (
    <div className="flex items-start gap-3 rounded-card border border-warning-line bg-warning-soft px-4 py-3 text-small leading-5">
      <FlaskConical aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
      <p className="min-w-0 flex-1 text-ink-soft">
        <span className="font-medium text-ink">{isTrial ? "Trial" : "Sandbox"}</span>: a tenant of the
        platform&apos;s own core with sample products and policies,{" "}
        {isTrial ? "for one trial, with which it ends" : "for Test Launches"}. It can&apos;t be edited.
      </p>
    </div>
  );
}
