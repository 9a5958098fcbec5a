import { HistoryCard } from "@/components/moderation/review-history";
import { ReinstateButton, SuspendButton } from "@/components/moderation/suspension-buttons";
import { SuspensionsCard } from "@/components/moderation/suspensions-card";
import { StateBadge, VisibilityBadge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { TextLink } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { PageHeader, Pager } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { Facts } from "@/components/ui/values";
import type { Pages } from "@/lib/contract/platform/pages";
import { stateAfterModeration } from "@/lib/domain/catalog/listing";
import { readModeratedListing, readModeratedTitle } from "@/lib/server/moderation/read-moderated-listings";
import { page, titled } from "@/lib/server/surface/web/page";

export const generateMetadata = titled(
  "/moderation/listings/[listingId]",
  "Moderation",
  ({ platform, params }) => readModeratedTitle(platform, params.listingId ?? ""),
);

export default page("/moderation/listings/[listingId]", async ({ platform, actor, params, searchParams }) => {
  const after = { reviews: searchParams.reviews, suspensions: searchParams.suspensions };
  const { listing, own, running, openReports, suspensions, reviews, newestSuspension, stillStopped } =
    await readModeratedListing(platform, actor, params.listingId ?? "", after);
  const { id, title, state, visibility } = listing;
  const name = `${listing.organizationSlug}/${listing.appName}`;
  const pager = (parameter: keyof typeof after, pages: Pages) => (
    <Pager
      path={`/moderation/listings/${id}`}
      parameter={parameter}
      query={Object.fromEntries(
        Object.entries(after).flatMap(([each, value]) =>
          value === undefined || each === parameter ? [] : [[each, value] as const],
        ),
      )}
      pages={pages}
    />
  );
  return (
    <>
      <PageHeader
        back={{ href: "/moderation/listings", text: "Listings" }}
        title={title}
        description={
          <>
            <span translate="no" className="font-mono text-small">
              {name}
            </span>
            , by {listing.organizationName}
          </>
        }
        badges={
          <>
            <StateBadge state={state} />
            <VisibilityBadge visibility={visibility} />
          </>
        }
        actions={
          !own && (
            <>
              {stateAfterModeration(state, "suspend") !== undefined && (
                <SuspendButton listingId={id} title={title} name={name} running={running} />
              )}
              {stateAfterModeration(state, "reinstate") !== undefined && (
                <ReinstateButton
                  listingId={id}
                  title={title}
                  visibility={visibility}
                  stillStopped={stillStopped.length}
                />
              )}
            </>
          )
        }
      />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-6">
          {own && (
            <Notice tone="warning" title="Your own organization's listing">
              Another moderator must suspend or reinstate it.
            </Notice>
          )}
          <SuspensionsCard
            suspensions={suspensions.rows}
            newest={newestSuspension}
            stillStopped={stillStopped}
            pager={pager("suspensions", suspensions)}
          />
          <HistoryCard
            title="Reviews"
            reviews={reviews.rows}
            path="/moderation"
            pager={pager("reviews", reviews)}
          />
          {suspensions.rows.length === 0 && reviews.rows.length === 0 && (
            <Card>
              <p className="text-sm text-ink-soft">This listing has never been reviewed or suspended.</p>
            </Card>
          )}
        </div>
        <Card title="Details">
          <Facts
            facts={[
              ["Running installations", running.installations],
              ["Their organizations", running.organizations],
              [
                "Open reports",
                openReports === 0 ? (
                  0
                ) : (
                  <TextLink key="reports" href="/moderation/reports">
                    {openReports}
                  </TextLink>
                ),
              ],
              ["Changed", <RelativeTime key="changed" at={listing.updatedAt} />],
            ]}
          />
        </Card>
      </div>
    </>
  );
});
