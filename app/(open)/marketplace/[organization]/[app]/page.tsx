import { headers } from "next/headers";
import { cache } from "react";
import { FiguresCard } from "@/components/insight/figures-card";
import { LaunchButton } from "@/components/catalog/marketplace/launch-button";
import { ListingView } from "@/components/catalog/marketplace/listing-view";
import { IntegrationCards, SettingsCard } from "@/components/catalog/marketplace/manifest-summary";
import { ReleaseList, StructuredData } from "@/components/catalog/marketplace/release-list";
import { TryButton } from "@/components/catalog/marketplace/try-button";
import { StateBadge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { LinkButton, TextLink } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { Pager } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { Facts } from "@/components/ui/values";
import { admit, PAGE_POLICY } from "@/lib/domain/accounts/policy";
import { describeSoftware } from "@/lib/domain/catalog/describe-app";
import { summarizeMarkdown } from "@/lib/domain/catalog/markdown";
import { readMarketplaceListing } from "@/lib/server/catalog/marketplace";
import { readListingFigures } from "@/lib/server/insight/health/listing-figures";
import { listInstalledTenants } from "@/lib/server/installations/launch-installation";
import { readEnforcement } from "@/lib/server/runtime/isolation";
import { readUsesAll } from "@/lib/server/runtime/read-egress";
import { noteVisit } from "@/lib/server/surface/web/note-visit";
import { describePage, page, titled } from "@/lib/server/surface/web/page";

const read = cache(readMarketplaceListing);

export const generateMetadata = titled(
  "/marketplace/[organization]/[app]",
  "Marketplace",
  async ({ platform, actor, params: { organization = "", app = "" }, searchParams: { before } }) => {
    const { listing } = await read(platform, actor, organization, app, before);
    const path = `/marketplace/${listing.organizationSlug}/${listing.appName}`;
    return describePage({
      path,
      title: `${listing.title} · Marketplace`,
      description: listing.tagline || summarizeMarkdown(listing.about.product, 160),
      ...(listing.state === "PUBLIC"
        ? { image: { path: `${path}/social.png`, alt: `${listing.title} by ${listing.organizationName}` } }
        : { hidden: true }),
    });
  },
);

export default page(
  "/marketplace/[organization]/[app]",
  async ({ platform, actor, member, params, searchParams }) => {
    const { organization = "", app = "" } = params;
    const { before } = searchParams;
    const shown = await read(platform, actor, organization, app, before);
    const { listing, own, newest, manifest, verified, versions, next } = shown;
    const name = `${listing.organizationSlug}/${listing.appName}`;
    const isPublic = listing.state === "PUBLIC";
    if (isPublic) await noteVisit("view", listing);
    const mayModerate = admit(PAGE_POLICY["/moderation/listings/[listingId]"], actor) === "admitted";
    const [installed, figures, usesAll, enforcement] = await Promise.all([
      member === undefined ? {} : listInstalledTenants(platform, member, listing.id),
      readListingFigures(platform, listing.id),
      manifest !== undefined && readUsesAll(platform, listing.id, manifest),
      readEnforcement(platform),
    ]);
    return (
      <>
        {isPublic && (
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
            ...(isPublic ? { href: `/publishers/${listing.organizationSlug}` } : {}),
          }}
          manifest={manifest}
          enforcement={enforcement}
          usesAll={usesAll}
          heading="h1"
          badges={!isPublic && <StateBadge state={listing.state} />}
          actions={
            <>
              {mayModerate && <LinkButton href={`/moderation/listings/${listing.id}`}>Moderate</LinkButton>}
              {own && member?.organization.role !== "operator" && (
                <LinkButton href={`/publish/${listing.appName}`}>Manage</LinkButton>
              )}
              {(actor === undefined || member !== undefined) && (
                <TryButton name={name} state={listing.state} verified={verified} />
              )}
              {(actor === undefined || member !== undefined) && (
                <LaunchButton
                  name={name}
                  state={listing.state}
                  own={own}
                  newest={newest}
                  verified={verified}
                  {...installed}
                />
              )}
            </>
          }
          notice={
            newest === undefined && (
              <Notice title="Nothing to launch yet">
                {own ? "Publish a version first." : "This app has no verified version yet."}
              </Notice>
            )
          }
          facts={
            <>
              {manifest !== undefined && <SettingsCard manifest={manifest} />}
              {verified !== undefined && <FiguresCard figures={figures} usedBy={listing.usedBy} />}
            </>
          }
          afterLinks={
            isPublic &&
            !own && (
              <p className="text-small text-ink-faint">
                <TextLink href={`/marketplace/${name}/report`}>Report a problem with this listing</TextLink>
              </p>
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
                <Pager
                  path={`/marketplace/${name}`}
                  parameter="before"
                  query={{}}
                  next={next}
                  started={before !== undefined}
                />
              }
            />
          )}
        </ListingView>
      </>
    );
  },
);
