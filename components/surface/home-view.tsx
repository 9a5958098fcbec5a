import { Building2, Check, ListChecks } from "lucide-react";
import { Card, EmptyState } from "@/components/ui/card";
import { LinkPending } from "@/components/ui/link-pending";
import { LinkButton, PageLink } from "@/components/ui/links";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Attention } from "@/lib/domain/surface/attention";
import type { Progress, Step, Track } from "@/lib/domain/surface/tracks";
import { AttentionCard } from "./attention-card";

interface HomeViewProps {
  /** Undefined for moderators without an organization. */
  organization:
    | {
        attention: readonly Attention[];
        tracks: readonly Track[];
        progress: Progress;
        installations: number;
        /** The newest ones, whose health is known. */
        checked: number;
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
  const { attention, tracks, progress, installations, checked, running, publishes } = props;
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
          <AttentionCard
            attention={attention}
            unchecked={Math.max(0, installations - checked)}
            publishes={publishes}
          />
          <Overview
            facts={[
              {
                title: "Installations",
                count: installations,
                text: `${running} running${installations > checked ? ` of the newest ${checked}` : ""}`,
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

interface OverviewProps {
  facts: readonly { title: string; count: number; text: string; href: string }[];
}

/** What the organization has, each a link to its list. */
function Overview({ facts }: OverviewProps) {
  return (
    <ul aria-label="Overview" className="grid gap-4 sm:grid-cols-3">
      {facts.map(({ title, count, text, href }) => (
        <li
          key={href}
          className="relative rounded-card border border-line bg-surface p-4 shadow-low transition-colors hover:border-line-strong sm:p-5"
        >
          <p className="text-small text-ink-faint">
            <PageLink href={href} className="after:absolute after:inset-0 after:rounded-card">
              {title}
              <LinkPending />
            </PageLink>
          </p>
          <p className="mt-1 text-2xl font-semibold tracking-tight text-ink tabular-nums">{count}</p>
          <p className="text-small text-ink-soft">{text}</p>
        </li>
      ))}
    </ul>
  );
}

/** The steps to a first published or launched app. The next one has the button. */
function TrackCard({ track: { title, steps } }: { track: Track }) {
  const next = steps.findIndex(({ done }) => !done);
  return (
    <Card
      title={title}
      description={`${steps.filter(({ done }) => done).length} of ${steps.length} steps done`}
    >
      <ol className="flex flex-col gap-5">
        {steps.map((step, index) => (
          <StepItem key={step.title} step={step} number={index + 1} isNext={index === next} />
        ))}
      </ol>
    </Card>
  );
}

function StepItem({ step, number, isNext }: { step: Step; number: number; isNext: boolean }) {
  const { title, text, done, href, action } = step;
  const mark = done
    ? "border-transparent bg-success-soft text-success"
    : isNext
      ? "border-transparent bg-accent-soft text-accent-text"
      : "border-line text-ink-faint";
  return (
    <li className="flex gap-3">
      <span
        aria-hidden
        className={`flex size-6 shrink-0 items-center justify-center rounded-full border text-xs font-medium ${mark}`}
      >
        {done ? <Check className="size-3.5" /> : number}
      </span>
      <div className="min-w-0 flex-1">
        <p className={isNext ? "font-medium text-ink" : "text-ink-soft"}>
          {title}
          {done && <span className="sr-only"> (done)</span>}
        </p>
        {isNext && (
          <>
            <p className="mt-0.5 text-small leading-5 text-ink-faint">{text}</p>
            <LinkButton tone="primary" size="small" href={href} className="mt-3">
              {action}
            </LinkButton>
          </>
        )}
      </div>
    </li>
  );
}
