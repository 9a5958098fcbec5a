import { Building2, ListChecks } from "lucide-react";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Attention } from "@/lib/domain/home/attention";
import type { Progress, Track } from "@/lib/domain/home/list-tracks";
import { AttentionCard } from "./attention-card";
import { Overview } from "./overview";
import { TrackCard } from "./track-card";

interface HomeViewProps {
  /** Undefined for moderators without an organization. */
  organization:
    | {
        attention: readonly Attention[];
        tracks: readonly Track[];
        progress: Progress;
        installations: number;
        running: number;
      }
    | undefined;
  /** Reviews that wait for a moderator; undefined for everyone else. */
  waiting: { count: number; oldest: Date | null; overdue: number } | undefined;
  /** The user may publish. */
  publishes: boolean;
}

/** What needs attention, the next step of a new organization, and what the organization has. */
export function HomeView({ organization, waiting, publishes }: HomeViewProps) {
  return (
    <div className="flex flex-col gap-6">
      {organization === undefined && waiting === undefined && (
        <Card flush>
          <EmptyState
            icon={Building2}
            title="You are not in an organization"
            action={<LinkButton href="/organization/new">Create organization</LinkButton>}
          >
            Ask an owner of your company&apos;s organization for an invitation, or create your own.
          </EmptyState>
        </Card>
      )}
      {waiting !== undefined && <ReviewsCard waiting={waiting} />}
      {organization !== undefined && <OrganizationHome {...organization} publishes={publishes} />}
    </div>
  );
}

function OrganizationHome(props: NonNullable<HomeViewProps["organization"]> & { publishes: boolean }) {
  const { attention, tracks, progress, installations, running, publishes } = props;
  const isEmpty = installations + progress.listings + progress.tenants === 0;
  const listings = {
    title: "Listings",
    count: progress.listings,
    text: progress.listings === 0 ? "none yet" : `${progress.publicListings} public`,
    href: "/publish",
  };
  return (
    <>
      {tracks.length > 0 && (
        <section
          aria-label="Get started"
          className={`grid items-start gap-6 ${tracks.length > 1 ? "lg:grid-cols-2" : ""}`}
        >
          {tracks.map((track) => (
            <TrackCard key={track.title} track={track} />
          ))}
        </section>
      )}
      {!isEmpty && (
        <>
          <AttentionCard attention={attention} />
          <Overview
            facts={[
              {
                title: "Installations",
                count: installations,
                text: `${running} running`,
                href: "/installations",
              },
              ...(publishes ? [listings] : []),
              { title: "Tenants", count: progress.tenants, text: "connected", href: "/tenants" },
            ]}
          />
        </>
      )}
    </>
  );
}

function ReviewsCard({
  waiting: { count, oldest, overdue },
}: {
  waiting: NonNullable<HomeViewProps["waiting"]>;
}) {
  return (
    <Card flush>
      <EmptyState
        icon={ListChecks}
        title={
          count === 0
            ? "No reviews are waiting"
            : `${count} ${count === 1 ? "review is" : "reviews are"} waiting`
        }
        action={
          <LinkButton tone={count === 0 ? "secondary" : "primary"} href="/moderation">
            Open moderation
          </LinkButton>
        }
      >
        {oldest === null ? (
          "A review appears here when a publisher submits a version or a listing text."
        ) : (
          <>
            The oldest was submitted <RelativeTime at={oldest} />.{" "}
            {overdue > 0 && (overdue === 1 ? "1 is overdue." : `${overdue} are overdue.`)}
          </>
        )}
      </EmptyState>
    </Card>
  );
}
