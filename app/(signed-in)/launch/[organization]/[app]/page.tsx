import { cache } from "react";
import { LaunchFlow, VersionChoice } from "@/components/installations/launch/launch-flow";
import { Badge } from "@/components/ui/badge";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { readLaunch } from "@/lib/server/installations/launch-installation";
import { noteVisit } from "@/lib/server/surface/web/note-visit";
import { page, type PageInput, titled } from "@/lib/server/surface/web/page";

type Input = PageInput<"/launch/[organization]/[app]">;

/** Reads the offer once for the page and its title. */
const read = cache(
  (
    platform: Input["platform"],
    member: Input["member"],
    organization = "",
    app = "",
    test = false,
    versionId?: string,
    typed?: string,
    tenantId?: string,
  ) => readLaunch(platform, member, { organization, app }, { test, versionId, typed, tenantId }),
);

function readOffer({ platform, member, params, searchParams }: Input) {
  const test = searchParams.test === "1";
  return read(
    platform,
    member,
    params.organization,
    params.app,
    test,
    test ? searchParams.version : undefined,
    searchParams.tenants,
    searchParams.tenant,
  );
}

export const generateMetadata = titled("/launch/[organization]/[app]", "Marketplace", async (input) => {
  const { title } = await readOffer(input);
  return `${input.searchParams.test === "1" ? "Test Launch" : "Launch"} ${title}`;
});

export default page("/launch/[organization]/[app]", async (input) => {
  const { member, params, searchParams } = input;
  const test = searchParams.test === "1";
  const { listing, ...offer } = await readOffer(input);
  if (!test) await noteVisit("launch", listing);
  const { role, id: organizationId } = member.organization;
  return (
    <>
      <PageHeader
        title={`${test ? "Test Launch" : "Launch"} ${offer.title}`}
        description={`Version ${offer.number} by ${offer.publisherName}`}
        badges={test ? <Badge tone="warning">Test Launch</Badge> : undefined}
        back={
          test
            ? { href: `/publish/${params.app}`, text: offer.title }
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
