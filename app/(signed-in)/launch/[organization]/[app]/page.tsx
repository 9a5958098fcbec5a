import { cache } from "react";
import { withLink } from "@/components/catalog/marketplace/launch-button";
import { LaunchFlow, VersionChoice } from "@/components/installations/launch/launch-flow";
import {
  AllowButton,
  ApprovedNotice,
  PilotGate,
  RequestForm,
} from "@/components/installations/requests/lazy-parts";
import { Badge, PilotBadge } from "@/components/ui/badge";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { organizationForTrial } from "@/components/catalog/marketplace/launch-button";
import { readLaunch } from "@/lib/server/installations/read-launch";
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
    link?: string,
    ask = false,
    pilot = false,
  ) => {
    const query = { test, versionId, typed, tenantId, carryFrom, link, ask, pilot };
    return readLaunch(platform, member, { organization, app }, query);
  },
);

const readForTrial = cache(
  (platform: Input["platform"], member: Input["member"], organization = "", app = "", link?: string) =>
    readTrial(platform, member, { organization, app }, link),
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
    const offer = await readForTrial(platform, member, params.organization, params.app, searchParams.link);
    return {
      ...offer,
      listing: undefined,
      carried: undefined,
      lostTrial: undefined,
      tenantSearch: undefined,
      asking: undefined,
      pilot: undefined,
    };
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
    searchParams.link,
    searchParams.ask === "1",
    searchParams.pilot === "1",
  );
}

export const generateMetadata = titled("/launch/[organization]/[app]", "Marketplace", async (input) => {
  const { title } = await readOffer(input);
  return `${LAUNCH_KINDS[chooseKind(input)].title} ${title}`;
});

export default page("/launch/[organization]/[app]", renderLaunch, {
  withoutOrganization: ({ params, searchParams }) =>
    chooseKind({ searchParams }) === "trial"
      ? organizationForTrial(`${params.organization}/${params.app}`)
      : undefined,
});

async function renderLaunch(input: Input) {
  const { member, params } = input;
  const kind = chooseKind(input);
  const { listing, asking, lostTrial, ...offer } = await readOffer(input);
  if (kind === "launch" && listing !== undefined) await noteVisit("launch", listing);
  const { title, badge } = LAUNCH_KINDS[kind];
  const { role, id: organizationId } = member.organization;
  const owner = { userId: member.userId, organizationId, app: offer.name };
  return (
    <>
      <PageHeader
        title={`${title} ${offer.title}`}
        description={`Version ${offer.number} by ${offer.publisherName}`}
        badges={offer.pilot === true ? <PilotBadge /> : badge && <Badge tone="warning">{badge}</Badge>}
        back={
          kind === "test"
            ? { href: `/publish/${params.app}`, text: offer.title }
            : { href: withLink(`/marketplace/${offer.name}`, offer.link), text: offer.title }
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
          The app runs for a made-up insurer with sample products and policies. You don&apos;t need a tenant,
          and nothing reaches a real core. But the app itself is real: it can connect to the services listed
          in the review, with the settings that you enter. The trial ends automatically after a day.
        </Notice>
      )}
      {offer.carried !== undefined && (
        <Notice title="The settings of your trial are filled in" className="mb-6">
          This includes its secrets, which stay hidden. Choose a tenant and map its products: the trial&apos;s
          products were made up.
        </Notice>
      )}
      {lostTrial !== undefined && <LostTrialNotice lost={lostTrial} />}
      {asking?.isApproved === true && (
        <ApprovedNotice name={offer.name} link={offer.link} requests={asking.requests} />
      )}
      {asking?.permission === "allow" && listing !== undefined ? (
        <Notice
          tone="warning"
          title="Not on your organization's list of apps"
          actions={<AllowButton listingId={listing.id} link={offer.link} isAllowed={false} />}
        >
          Your organization launches only apps that it allows. You are an owner: allow this app, then launch
          it.
        </Notice>
      ) : asking?.permission === "ask" && !asking.isApproved ? (
        <RequestForm offer={offer} asksToAllow={asking.allowed === false} requests={asking.requests} />
      ) : offer.pilot === true ? (
        <PilotGate number={offer.number}>
          <LaunchFlow
            offer={offer}
            owner={{ ...owner, test: false }}
            mayConnect={role === "owner"}
            maySandbox={false}
          />
        </PilotGate>
      ) : (
        <LaunchFlow
          offer={offer}
          owner={{ ...owner, test: kind === "test", trial: kind === "trial" }}
          mayConnect={role === "owner"}
          maySandbox={role === "owner" || role === "publisher"}
        />
      )}
    </>
  );
}

function LostTrialNotice({ lost }: { lost: "ended" | "unknown" }) {
  return lost === "ended" ? (
    <Notice tone="warning" title="Your trial has ended" className="mb-6">
      Its settings were deleted with it. Enter them again.
    </Notice>
  ) : (
    <Notice tone="warning" title="This trial was not found" className="mb-6">
      Your organization doesn&apos;t have this trial, so nothing is filled in. If the trial belongs to another
      one of your organizations, switch to that organization.
    </Notice>
  );
}
