import { ChartSpline, PencilLine, PencilRuler, ScrollText } from "lucide-react";
import { cache } from "react";
import { RetireCard } from "@/components/catalog/listings/listing-actions";
import { HowToPublish, ReviewNotice } from "@/components/catalog/listings/next-steps";
import { VersionsCard } from "@/components/catalog/listings/versions-card";
import { LaunchButton } from "@/components/catalog/marketplace/launch-button";
import { HealthHistoryCard } from "@/components/insight/health-history-card";
import { LiveRefresh } from "@/components/platform/live";
import { FailuresCard } from "@/components/runtime/failures-card";
import { InstancesCard } from "@/components/runtime/instances-card";
import { StateBadge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { LinkButton, TextLink } from "@/components/ui/links";
import { PageHeader } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { Facts } from "@/components/ui/values";
import { isReviewable } from "@/lib/domain/catalog/listing";
import { readAppHistory } from "@/lib/server/insight/health/read-history";
import { listInstallations } from "@/lib/server/installations/read-installation";
import { readSuspensionReason } from "@/lib/server/moderation/read-moderated-listings";
import { readInstances } from "@/lib/server/runtime/scale-app";
import { readOwnListing } from "@/lib/server/surface/read-own-listing";
import { page, titled } from "@/lib/server/surface/web/page";

const readListing = cache(readOwnListing);

export const generateMetadata = titled(
  "/publish/[app]",
  "Listings",
  async ({ platform, member, params }) =>
    (await readListing(platform, member, params.app ?? "")).listing.title,
);

export default page("/publish/[app]", async ({ platform, member, params }) => {
  const own = await readListing(platform, member, params.app ?? "");
  const { listing, versions, reviews, installations, failures } = own;
  const [running, launched, health, suspension] = await Promise.all([
    readInstances(platform, listing.id),
    listInstallations(platform, member, { search: listing.appName }),
    readAppHistory(platform, member, listing.id),
    listing.state === "SUSPENDED" ? readSuspensionReason(platform, listing.id) : undefined,
  ]);
  const name = `${listing.organizationSlug}/${listing.appName}`;
  const testLaunches = launched.installations.filter(
    ({ test, publisherSlug, appName }) => test && `${publisherSlug}/${appName}` === name,
  );
  const newest = reviews.find(({ kind }) => kind === "VERSION");
  const review = newest && {
    ...newest,
    number: versions.find((version) => version.id === newest.versionId)?.number ?? "",
    href: `/publish/${listing.appName}/reviews/${newest.id}`,
  };
  return (
    <>
      <Header listing={listing} versions={versions} />
      <div className="flex flex-col gap-6">
        <ReviewNotice
          listingState={listing.state}
          review={review}
          hasVersion={versions.length > 0}
          suspension={suspension}
        />
        <VersionsCard
          listing={listing}
          versions={versions}
          testLaunches={testLaunches}
          // Newest first, and the last entry of a key wins.
          reviews={
            new Map(
              reviews
                .toReversed()
                .flatMap(({ versionId, state }) => (versionId === null ? [] : [[versionId, state]])),
            )
          }
          reviewable={isReviewable(listing.state)}
        />
        {versions.length > 0 && <InstancesCard listing={listing} {...running} />}
        {health.length > 0 && (
          <HealthHistoryCard
            description="Of the versions that ran in the last month, for all customers together."
            histories={health.map(({ number, ...shown }) => ({ name: `version ${number}`, ...shown }))}
          />
        )}
        <FailuresCard
          failures={versions.flatMap(({ id, number }) =>
            failures.filter(({ versionId }) => versionId === id).map((failure) => ({ ...failure, number })),
          )}
        />
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_17.5rem]">
          <HowToPublish
            name={name}
            gatewayUrl={platform.environment.PLATFORM_GATEWAY_URL}
            webUrl={platform.environment.PLATFORM_WEB_URL}
            first={versions.length === 0}
          />
          <Details own={own} review={review} />
        </div>
        {listing.state !== "RETIRED" && <RetireCard listing={listing} installations={installations} />}
      </div>
      {versions.length > 0 && <LiveRefresh />}
    </>
  );
});

type Own = Awaited<ReturnType<typeof readOwnListing>>;

function Header({ listing, versions }: Pick<Own, "listing" | "versions">) {
  const name = `${listing.organizationSlug}/${listing.appName}`;
  return (
    <PageHeader
      back={{ href: "/publish", text: "Listings" }}
      title={listing.title}
      description={
        <span translate="no" className="font-mono text-small">
          {name}
        </span>
      }
      badges={<StateBadge state={listing.state} />}
      actions={
        <>
          {listing.state !== "RETIRED" && <LinkButton href={`/marketplace/${name}`}>View listing</LinkButton>}
          {versions.length > 0 && (
            <LinkButton href={`/publish/${listing.appName}/logs`}>
              <ScrollText aria-hidden className="size-4" />
              Logs
            </LinkButton>
          )}
          <LinkButton href={`/publish/${listing.appName}/metrics`}>
            <ChartSpline aria-hidden className="size-4" />
            Metrics
          </LinkButton>
          <LinkButton href={`/publish/${listing.appName}/edit`}>
            <PencilLine aria-hidden className="size-4" />
            Edit listing
          </LinkButton>
          <LinkButton
            href={`/publish/${listing.appName}/manifest`}
            tone={versions.length === 0 ? "primary" : "secondary"}
          >
            <PencilRuler aria-hidden className="size-4" />
            Edit manifest
          </LinkButton>
          <LaunchButton name={name} state={listing.state} own newest={versions[0]} verified={undefined} />
        </>
      }
    />
  );
}

interface DetailsProps {
  own: Own;
  review: { href: string; number: string } | undefined;
}

function Details({ own: { listing, versions, installations }, review }: DetailsProps) {
  return (
    <Card title="Details">
      <Facts
        facts={[
          ["Installations", installations],
          ["Verified version", versions.find(({ verifiedAt }) => verifiedAt !== null)?.number ?? "None"],
          [
            "Last review",
            review === undefined ? (
              "None"
            ) : (
              <TextLink key="review" href={review.href}>
                Version {review.number}
              </TextLink>
            ),
          ],
          ["Created", <RelativeTime key="created" at={listing.createdAt} />],
          ["Updated", <RelativeTime key="updated" at={listing.updatedAt} />],
        ]}
      />
    </Card>
  );
}
