import { Building2, Check, Layers, ListChecks } from "lucide-react";
import type { ComponentProps } from "react";
import { Card, EmptyState } from "@/components/ui/card";
import { LinkButton, TextLink } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { UserText } from "@/components/ui/values";
import type { Step, Track } from "@/lib/domain/surface/tracks";
import { InstallationsCard, ListingsCard, QueueCard, type QueueCardProps } from "./home-cards";

interface HomeViewProps {
  /** Undefined for moderators without an organization. */
  organization:
    | {
        tracks: readonly Track[];
        requests: RequestNoticesProps;
        installations: ComponentProps<typeof InstallationsCard>;
        listings: Omit<ComponentProps<typeof ListingsCard>, "organizationSlug">;
      }
    | undefined;
  organizationSlug: string;
  /** Reviews that wait for a moderator, and open reports; undefined for everyone else. */
  queue: QueueCardProps | undefined;
}

/** What the organization runs and offers, with what needs attention, or the next steps of a new one. */
export function HomeView({ organization, organizationSlug, queue }: HomeViewProps) {
  return (
    <div className="flex flex-col gap-6">
      {organization === undefined && queue === undefined && (
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
      {queue !== undefined && queue.reports > 0 && (
        <Notice
          title={
            queue.reports === 1
              ? "1 report is open"
              : `${queue.reports.toLocaleString("en-US")} reports are open`
          }
          actions={
            <LinkButton size="small" href="/moderation/reports">
              Open reports
            </LinkButton>
          }
        >
          People reported problems with public listings.
        </Notice>
      )}
      {queue !== undefined && (queue.count > 0 ? <QueueCard {...queue} /> : <NothingWaits />)}
      {organization !== undefined && (
        <OrganizationHome {...organization} organizationSlug={organizationSlug} />
      )}
    </div>
  );
}

const REQUESTS_PATH = "/installations/requests";

interface RequestNoticesProps {
  /** That the reader can decide about. */
  waiting: number;
  /** The reader's own that were approved and not used, the first to end first. */
  approved: readonly {
    id: string;
    title: string;
    publisherSlug: string;
    appName: string;
    tenantName: string;
    validUntil: Date;
    /** It is launched from the page that its link opens. */
    needsLink: boolean;
  }[];
  hasMoreApproved: boolean;
}

/** Requests to launch an app that the reader can do something about. */
function RequestNotices({ waiting, approved, hasMoreApproved }: RequestNoticesProps) {
  return (
    <>
      {waiting > 0 && (
        <Notice
          title={
            waiting === 1
              ? "1 launch request is waiting"
              : `${waiting.toLocaleString("en-US")} launch requests are waiting`
          }
          actions={
            <LinkButton size="small" href={REQUESTS_PATH}>
              Open requests
            </LinkButton>
          }
        >
          Members ask to launch apps. Approve or decline what they ask for.
        </Notice>
      )}
      {approved.map(({ id, title, publisherSlug, appName, tenantName, validUntil, needsLink }) => (
        <Notice
          key={id}
          tone="success"
          title={
            <>
              Approved: launch <UserText>{title}</UserText>
            </>
          }
          actions={
            needsLink ? undefined : (
              <LinkButton
                size="small"
                href={`/launch/${publisherSlug}/${appName}`}
                aria-label={`Launch: ${title}, ${tenantName}`}
              >
                Launch
              </LinkButton>
            )
          }
        >
          You can launch it once for <UserText>{tenantName}</UserText>. The approval expires{" "}
          <RelativeTime at={validUntil} />.
          {needsLink && " Open the app with the link that you have, then select Launch."}
        </Notice>
      ))}
      {hasMoreApproved && (
        <TextLink href={`${REQUESTS_PATH}?state=ended`} className="text-small">
          All your approved requests
        </TextLink>
      )}
    </>
  );
}

function OrganizationHome({
  tracks,
  requests,
  installations,
  listings,
  organizationSlug,
}: NonNullable<HomeViewProps["organization"]> & Pick<HomeViewProps, "organizationSlug">) {
  const isEmpty = installations.rows.length + listings.rows.length === 0;
  return (
    <>
      <RequestNotices {...requests} />
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
      {installations.rows.length > 0 && <InstallationsCard {...installations} />}
      {listings.rows.length > 0 && <ListingsCard {...listings} organizationSlug={organizationSlug} />}
      {isEmpty && tracks.length === 0 && (
        <Card flush>
          <EmptyState
            icon={Layers}
            title="No apps are installed"
            action={<LinkButton href="/marketplace">Browse the marketplace</LinkButton>}
          >
            Apps that you launch appear here with their calls and anything that needs attention.
          </EmptyState>
        </Card>
      )}
    </>
  );
}

function NothingWaits() {
  return (
    <Card flush>
      <EmptyState
        icon={ListChecks}
        title="No reviews are waiting"
        action={<LinkButton href="/moderation">Open moderation</LinkButton>}
      >
        A review appears here when a publisher submits a version or a listing text.
      </EmptyState>
    </Card>
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
