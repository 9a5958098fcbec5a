import { cache } from "react";
import { LaunchFlow, VersionChoice } from "@/components/installations/launch/launch-flow";
import { Badge } from "@/components/ui/badge";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { readLaunch } from "@/lib/server/installations/launch-installation";
import { readTrial } from "@/lib/server/installations/trials";
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
    carryFrom?: string,
  ) => readLaunch(platform, member, { organization, app }, { test, versionId, typed, tenantId, carryFrom }),
);

const readForTrial = cache(
  (platform: Input["platform"], member: Input["member"], organization = "", app = "") =>
    readTrial(platform, member, { organization, app }),
);

const LAUNCH_KINDS = {
  trial: { title: "Try", badge: "Trial" },
  test: { title: "Test Launch", badge: "Test Launch" },
  launch: { title: "Launch", badge: undefined },
} as const;

function chooseKind({ searchParams }: Pick<Input, "searchParams">): keyof typeof LAUNCH_KINDS {
  if (searchParams.trial === "1") return "trial";
  return searchParams.test === "1" ? "test" : "launch";
}

async function readOffer(input: Input) {
  const { platform, member, params, searchParams } = input;
  const kind = chooseKind(input);
  if (kind === "trial") {
    const offer = await readForTrial(platform, member, params.organization, params.app);
    return { ...offer, listing: undefined, carried: undefined, tenantSearch: undefined };
  }
  const test = kind === "test";
  return read(
    platform,
    member,
    params.organization,
    params.app,
    test,
    test ? searchParams.version : undefined,
    searchParams.tenants,
    searchParams.tenant,
    searchParams.from,
  );
}

export const generateMetadata = titled("/launch/[organization]/[app]", "Marketplace", async (input) => {
  const { title } = await readOffer(input);
  return `${LAUNCH_KINDS[chooseKind(input)].title} ${title}`;
});

export default page("/launch/[organization]/[app]", async (input) => {
  const { member, params, searchParams } = input;
  const kind = chooseKind(input);
  const { listing, ...offer } = await readOffer(input);
  if (kind === "launch" && listing !== undefined) await noteVisit("launch", listing);
  const { title, badge } = LAUNCH_KINDS[kind];
  const { role, id: organizationId } = member.organization;
  const owner = { userId: member.userId, organizationId, app: offer.name };
  return (
    <>
      <PageHeader
        title={`${title} ${offer.title}`}
        description={`Version ${offer.number} by ${offer.publisherName}`}
        badges={badge && <Badge tone="warning">{badge}</Badge>}
        back={
          kind === "test"
            ? { href: `/publish/${params.app}`, text: offer.title }
            : { href: `/marketplace/${offer.name}`, text: offer.title }
        }
      />
      {kind === "test" && (
        <Notice tone="warning" title="Only your organization sees this" className="mb-6">
          A Test Launch runs any version that you published, verified or not, for one of your tenants.
          {offer.versions.length > 1 && <VersionChoice versions={offer.versions} value={offer.versionId} />}
        </Notice>
      )}
      {kind === "trial" && (
        <Notice tone="warning" title="A trial with made-up data" className="mb-6">
          The app runs for a made-up insurer with sample products and policies. You need no tenant, and
          nothing reaches a real core. But the app is the real one: it can connect to the services listed in
          the review, with the settings that you enter. The trial ends by itself after a day.
        </Notice>
      )}
      {kind === "launch" && searchParams.from !== undefined && <CarriedNotice carried={offer.carried} />}
      <LaunchFlow
        offer={offer}
        owner={{ ...owner, test: kind === "test", trial: kind === "trial" }}
        mayConnect={role === "owner"}
        maySandbox={role === "owner" || role === "publisher"}
      />
    </>
  );
});

function CarriedNotice({ carried }: { carried: object | undefined }) {
  return carried === undefined ? (
    <Notice tone="warning" title="Your trial has ended" className="mb-6">
      Its settings were deleted with it. Enter them again.
    </Notice>
  ) : (
    <Notice title="The settings of your trial are filled in" className="mb-6">
      Secrets too, without showing them. Choose a tenant and map its products: those of the trial were made
      up.
    </Notice>
  );
}
