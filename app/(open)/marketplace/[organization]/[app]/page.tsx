import { headers } from "next/headers";
import { cache } from "react";
import { FiguresCard } from "@/components/insight/figures-card";
import { LaunchButton, TryButton, withLink } from "@/components/catalog/marketplace/launch-button";
import { ListingView } from "@/components/catalog/marketplace/listing-view";
import { IntegrationCards, SettingsCard } from "@/components/catalog/marketplace/manifest-summary";
import { ReleaseList, StructuredData } from "@/components/catalog/marketplace/release-list";
import { AllowButton, LeavePilotButton } from "@/components/installations/requests/lazy-parts";
import { ReportLink } from "@/components/moderation/report-link";
import { StateBadge, VisibilityBadge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { Pager } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { Facts } from "@/components/ui/values";
import { admit, PAGE_POLICY } from "@/lib/domain/accounts/policy";
import { isListed } from "@/lib/domain/catalog/access";
import { describeSoftware } from "@/lib/domain/catalog/describe-app";
import { summarizeMarkdown } from "@/lib/domain/catalog/markdown";
import { readMarketplaceListing } from "@/lib/server/catalog/marketplace";
import { readListingFigures } from "@/lib/server/insight/health/listing-figures";
import { listInstalledTenants } from "@/lib/server/installations/read-launch";
import { readAsking } from "@/lib/server/installations/requests/request-launch";
import { showDirectionMarks } from "@/lib/domain/platform/text";
import { readEnforcement } from "@/lib/server/runtime/isolation";
import { readUsesAll } from "@/lib/server/runtime/read-egress";
import { noteVisit } from "@/lib/server/surface/web/note-visit";
import { describePage, page, titled } from "@/lib/server/surface/web/page";

const read = cache(readMarketplaceListing);

export const generateMetadata = titled(
  "/marketplace/[organization]/[app]",
  "Marketplace",
  async ({ platform, actor, params: { organization = "", app = "" }, searchParams: { before, link } }) => {
    const { listing } = await read(platform, actor, organization, app, before, link);
    // Whoever follows the link or is named sees the page. Search engines and previews of links tell nobody.
    if (listing.state === "PUBLIC" && !isListed(listing))
      return {
        title: showDirectionMarks(`${listing.title} · Marketplace`),
        robots: { index: false, follow: false },
      };
    const path = `/marketplace/${listing.organizationSlug}/${listing.appName}`;
    return describePage({
      path,
      title: showDirectionMarks(`${listing.title} · Marketplace`),
      description: listing.tagline || summarizeMarkdown(listing.about.product, 160),
      ...(isListed(listing)
        ? {
            image: {
              path: `${path}/social.png`,
              alt: showDirectionMarks(`${listing.title} by ${listing.organizationName}`),
            },
          }
        : { hidden: true }),
    });
  },
);

export default page(
  "/marketplace/[organization]/[app]",
  async ({ platform, actor, member, params, searchParams }) => {
    const { organization = "", app = "" } = params;
    const { before } = searchParams;
    const shown = await read(platform, actor, organization, app, before, searchParams.link);
    const { listing, own, pilot, piloted, mayLaunch, link, newest, manifest, verified, versions, pages } =
      shown;
    const keepLink: Record<string, string> = link === undefined ? {} : { link };
    const name = `${listing.organizationSlug}/${listing.appName}`;
    const isPublic = listing.state === "PUBLIC";
    if (isPublic) await noteVisit("view", listing);
    const mayModerate = admit(PAGE_POLICY["/moderation/listings/[listingId]"], actor) === "admitted";
    const [installed, asking, figures, usesAll, enforcement] = await Promise.all([
      member === undefined ? undefined : listInstalledTenants(platform, member, listing.id),
      member === undefined ? undefined : readAsking(platform, member, listing.id),
      readListingFigures(platform, listing.id),
      manifest !== undefined && readUsesAll(platform, listing.id, manifest),
      readEnforcement(platform),
    ]);
    return (
      <>
        {isListed(listing) && (
          <StructuredData
            nonce={(await headers()).get("x-nonce") ?? undefined}
            data={describeSoftware(listing, verified, platform.environment.PLATFORM_WEB_URL)}
          />
        )}
        <ListingView
          text={listing}
          publisher={{
            name: listing.organizationName,
            contact: listing.organizationSupport,
            domains: listing.organizationDomains,
            ...(isListed(listing) ? { href: `/publishers/${listing.organizationSlug}` } : {}),
          }}
          manifest={manifest}
          enforcement={enforcement}
          usesAll={usesAll}
          heading="h1"
          badges={isPublic ? <VisibilityBadge {...listing} /> : <StateBadge state={listing.state} />}
          actions={
            <>
              {mayModerate && <LinkButton href={`/moderation/listings/${listing.id}`}>Moderate</LinkButton>}
              {own && member?.organization.role !== "operator" && (
                <LinkButton href={`/publish/${listing.appName}`}>Manage</LinkButton>
              )}
              {isPublic && asking?.allowed !== undefined && member?.organization.role === "owner" && (
                <AllowButton listingId={listing.id} link={link} isAllowed={asking.allowed} />
              )}
              <TryButton name={name} link={link} mayLaunch={mayLaunch} verified={verified} />
              {(actor === undefined || member !== undefined) && (
                <LaunchButton
                  name={name}
                  state={listing.state}
                  link={link}
                  mayLaunch={mayLaunch}
                  permission={asking?.permission}
                  own={own}
                  newest={newest}
                  verified={verified}
                  {...installed}
                />
              )}
              {piloted !== undefined && asking?.permission !== "allow" && (
                <LinkButton href={`/launch/${name}?pilot=1`}>
                  Launch pilot version {piloted.number}
                </LinkButton>
              )}
            </>
          }
          notice={
            newest === undefined ? (
              <Notice title="Nothing to launch yet">
                {own ? "Publish a version first." : "This app has no verified version yet."}
              </Notice>
            ) : (
              isPublic &&
              installed !== undefined &&
              !mayLaunch && (
                <Notice title="This app can only be launched with its link">
                  The publisher shares this app by link only. Your installations keep running. To launch it
                  for another tenant, ask the publisher for the link.
                </Notice>
              )
            )
          }
          facts={
            <>
              {pilot && (
                <Notice
                  title="Your organization is a pilot of this app"
                  actions={
                    member?.organization.role === "owner" && (
                      <LeavePilotButton listingId={listing.id} title={listing.title} />
                    )
                  }
                >
                  You can run versions before their review if you agree to each one.{" "}
                  {piloted === undefined
                    ? "None is available right now."
                    : `Version ${piloted.number} is not reviewed yet.`}
                </Notice>
              )}
              {manifest !== undefined && <SettingsCard manifest={manifest} />}
              {verified !== undefined && <FiguresCard figures={figures} usedBy={listing.usedBy} />}
            </>
          }
          afterLinks={
            isPublic &&
            !own && (
              <ReportLink
                href={withLink(`/marketplace/${name}/report`, link)}
                hasContact={listing.links.support !== "" || listing.organizationSupport !== ""}
              />
            )
          }
          aside={
            <Card title="Details">
              <Facts
                facts={[
                  [
                    "App name",
                    <span translate="no" key="name" className="font-mono text-small">
                      {name}
                    </span>,
                  ],
                  ...(newest === undefined
                    ? []
                    : ([
                        ["Version", newest.number],
                        ["Published", <RelativeTime key="at" at={newest.createdAt} />],
                        [
                          "Verified",
                          newest.verifiedAt === null ? (
                            "Not yet"
                          ) : (
                            <RelativeTime key="verified" at={newest.verifiedAt} />
                          ),
                        ],
                      ] satisfies [string, React.ReactNode][])),
                ]}
              />
            </Card>
          }
        >
          {manifest !== undefined && <IntegrationCards manifest={manifest} />}
          {versions.length > 0 && (
            <ReleaseList
              versions={versions}
              pager={
                <Pager path={`/marketplace/${name}`} parameter="before" query={keepLink} pages={pages} />
              }
            />
          )}
        </ListingView>
      </>
    );
  },
);
