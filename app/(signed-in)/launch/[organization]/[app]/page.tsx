import type { Metadata } from "next";
import { LaunchFlow } from "@/components/launch/launch-flow";
import { VersionChoice } from "@/components/launch/version-choice";
import { Badge } from "@/components/ui/badge";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { readLaunch } from "@/lib/server/installations/launch/read-launch";
import { page } from "@/lib/server/web/page";

export const metadata: Metadata = { title: "Launch" };

export default page("/launch/[organization]/[app]", async ({ platform, member, params, searchParams }) => {
  const test = searchParams.test === "1";
  const app = { organization: params.organization ?? "", app: params.app ?? "" };
  const offer = await readLaunch(platform, member, app, test, test ? searchParams.version : undefined);
  const { role, id: organizationId } = member.organization;
  return (
    <>
      <PageHeader
        title={`${test ? "Test Launch" : "Launch"} ${offer.title}`}
        description={`Version ${offer.number} by ${offer.publisherName}`}
        badges={test ? <Badge tone="warning">Test Launch</Badge> : undefined}
        back={
          test
            ? { href: `/publish/${app.app}`, text: offer.title }
            : { href: `/marketplace/${offer.name}`, text: offer.title }
        }
      />
      {test && (
        <Notice tone="warning" title="Only your organization sees this" className="mb-6">
          A Test Launch runs any version that you published, verified or not, for one of your tenants.
          {offer.versions.length > 1 && <VersionChoice versions={offer.versions} value={offer.versionId} />}
        </Notice>
      )}
      <LaunchFlow
        offer={offer}
        owner={{ userId: member.userId, organizationId, app: offer.name, test }}
        mayConnect={role === "owner"}
        maySandbox={role === "owner" || role === "publisher"}
      />
    </>
  );
});
