import { ChartSpline, PencilLine, PencilRuler, ScrollText } from "lucide-react";
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
import { PageHeader, Pager } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { Facts } from "@/components/ui/values";
import { isReviewable } from "@/lib/domain/catalog/listing";
import { readAppHistory } from "@/lib/server/insight/health/read-history";
import { readSuspensionReason } from "@/lib/server/moderation/read-moderated-listings";
import { readInstances } from "@/lib/server/runtime/scale-app";
import { readOwnListing, readOwnTitle } from "@/lib/server/surface/read-own-listing";
import { page, titled } from "@/lib/server/surface/web/page";

export const generateMetadata = titled("/publish/[app]", "Listings", ({ platform, member, params }) =>
  readOwnTitle(platform, member, params.app ?? ""),
);

export default page("/publish/[app]", async ({ platform, member, params, searchParams }) => {
  const { after } = searchParams;
  const own = await readOwnListing(platform, member, params.app ?? "", after);
  const { listing, versions, newest, installations } = own;
  const [running, health, suspension] = await Promise.all([
    readInstances(platform, listing.id),
    readAppHistory(platform, member, listing.id),
    listing.state === "SUSPENDED" ? readSuspensionReason(platform, listing.id) : undefined,
  ]);
  const name = `${listing.organizationSlug}/${listing.appName}`;
  const path = `/publish/${listing.appName}`;
  const review = own.review && {
    ...own.review,
    number: own.review.number ?? "",
    href: `${path}/reviews/${own.review.id}`,
  };
  return (
    <>
      <Header listing={listing} newest={newest} />
      <div className="flex flex-col gap-6">
        <ReviewNotice
          listingState={listing.state}
          review={review}
          hasVersion={newest !== undefined}
          suspension={suspension}
        />
        <VersionsCard
          listing={listing}
          versions={versions}
          testLaunches={own.testLaunches}
          highestVerified={own.highestVerified}
          mayReview={isReviewable(listing.state) && !own.isWaiting}
          pager={<Pager path={path} query={{}} next={own.next} started={after !== undefined} />}
        />
        {newest !== undefined && <InstancesCard listing={listing} {...running} />}
        {health.length > 0 && (
          <HealthHistoryCard
            description="Of the versions that ran in the last month, for all customers together."
            histories={health.map(({ number, ...shown }) => ({ name: `version ${number}`, ...shown }))}
          />
        )}
        <FailuresCard failures={own.failures} hasMore={own.hasMoreFailures} />
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_17.5rem]">
          <HowToPublish
            name={name}
            gatewayUrl={platform.environment.PLATFORM_GATEWAY_URL}
            webUrl={platform.environment.PLATFORM_WEB_URL}
            first={newest === undefined}
          />
          <Details own={own} review={review} />
        </div>
        {listing.state !== "RETIRED" && <RetireCard listing={listing} installations={installations} />}
      </div>
      {newest !== undefined && <LiveRefresh />}
    </>
  );
});

type Own = Awaited<ReturnType<typeof readOwnListing>>;

function Header({ listing, newest }: Pick<Own, "listing" | "newest">) {
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
          {newest !== undefined && (
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
            tone={newest === undefined ? "primary" : "secondary"}
          >
            <PencilRuler aria-hidden className="size-4" />
            Edit manifest
          </LinkButton>
          <LaunchButton name={name} state={listing.state} own newest={newest} verified={undefined} />
        </>
      }
    />
  );
}

interface DetailsProps {
  own: Own;
  review: { href: string; number: string } | undefined;
}

function Details({ own: { listing, verified, installations }, review }: DetailsProps) {
  return (
    <Card title="Details">
      <Facts
        facts={[
          ["Installations", installations],
          ["Verified version", verified ?? "None"],
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
