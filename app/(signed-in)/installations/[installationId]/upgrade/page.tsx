import { whyNotUpgradable } from "@/components/installations/configuration/read-only-reasons";
import { NoUpgrade } from "@/components/installations/launch/no-upgrade";
import { UpgradeForm } from "@/components/installations/launch/upgrade-form";
import { Badge } from "@/components/ui/badge";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { Problem } from "@/lib/contract/platform/problem";
import { readUpgrade } from "@/lib/server/installations/read-upgrade";
import { page, titled } from "@/lib/server/surface/web/page";
import { currentInstallation, nameInstallation } from "@/lib/server/surface/web/page-reads";

export const generateMetadata = titled(
  "/installations/[installationId]/upgrade",
  "Installations",
  ({ params }) => nameInstallation(params.installationId, "Upgrade"),
);

export default page("/installations/[installationId]/upgrade", async (input) => {
  const { platform, member, params, searchParams } = input;
  const id = params.installationId ?? "";
  const installation = await currentInstallation(id);
  const offer = await readUpgrade(platform, member, id, searchParams.to).catch(noneWhereNone);
  if (offer === undefined) return <NoUpgrade installation={installation} />;
  const { title, name, tenantName, test, rollback } = offer;
  return (
    <>
      <PageHeader
        title={`${rollback ? "Roll back" : "Upgrade"} ${title}`}
        description={`${name} for ${tenantName}`}
        badges={test ? <Badge tone="warning">Test Launch</Badge> : undefined}
        back={{ href: `/installations/${id}`, text: title }}
      />
      {test && (
        <Notice tone="warning" title="This is a Test Launch" className="mb-6 max-w-3xl">
          Only your organization sees this. You can choose any version, verified or not.
        </Notice>
      )}
      <UpgradeForm
        offer={offer}
        isRunning={installation.state === "RUNNING"}
        why={whyNotUpgradable(installation, member.organization.role)}
      />
    </>
  );
});

function noneWhereNone(error: unknown): undefined {
  if (!(error instanceof Problem && error.code === "NOT_FOUND")) throw error;
}
