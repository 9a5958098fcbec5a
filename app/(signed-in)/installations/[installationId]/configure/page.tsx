import { ConfigureInstallation } from "@/components/installations/configuration/configure-installation";
import { FixedConfiguration } from "@/components/installations/configuration/fixed-configuration";
import { whyNotConfigurable } from "@/components/installations/configuration/read-only-reasons";
import { Badge } from "@/components/ui/badge";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { noteStoredPaths } from "@/lib/domain/catalog/mapping/check-path";
import { readConfiguration } from "@/lib/server/installations/read-configuration";
import { page, titled } from "@/lib/server/surface/web/page";
import { currentInstallation, nameInstallation } from "@/lib/server/surface/web/page-reads";

export const generateMetadata = titled(
  "/installations/[installationId]/configure",
  "Installations",
  ({ params }) => nameInstallation(params.installationId, "Configure"),
);

export default page("/installations/[installationId]/configure", async ({ platform, member, params }) => {
  const id = params.installationId ?? "";
  const [configuration, installation] = await Promise.all([
    readConfiguration(platform, member, id),
    currentInstallation(id),
  ]);
  const { title, version, tenantName, test, revision, savedAt, savedBy } = configuration;
  const isTrial = installation.trialEndsAt !== null;
  const why = whyNotConfigurable(installation, member.organization.role);
  return (
    <>
      <PageHeader
        title={`Configure ${title}`}
        description={
          <>
            Version {version} for {tenantName}. Revision {revision}, saved <RelativeTime at={savedAt} /> by{" "}
            {savedBy}.
          </>
        }
        badges={test ? <Badge tone="warning">{isTrial ? "Trial" : "Test Launch"}</Badge> : undefined}
        back={{ href: `/installations/${id}/configuration`, text: title }}
      />
      {test && (
        <Notice
          tone="warning"
          title={isTrial ? "This is a trial" : "This is a Test Launch"}
          className="mb-6 max-w-3xl"
        >
          Only your organization sees this. Customers&apos; configurations don&apos;t change.
        </Notice>
      )}
      {why === undefined ? (
        <ConfigureInstallation initial={configuration} notes={noteStoredPaths(configuration)} />
      ) : (
        <FixedConfiguration
          configuration={configuration}
          why={why}
          isRemoved={installation.state === "UNINSTALLED"}
        />
      )}
    </>
  );
});
