import { History } from "lucide-react";
import { HistoryTabs } from "@/components/installations/configuration/history-tabs";
import { RevisionList } from "@/components/installations/configuration/revision-list";
import { SecretList } from "@/components/installations/configuration/secret-list";
import { Badge, StateBadge } from "@/components/ui/badge";
import { Card, EmptyState } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { PageHeader, Pager } from "@/components/ui/page-header";
import { UserText } from "@/components/ui/values";
import type { RevisionView } from "@/lib/contract/installations/configuration-view";
import type { InstallationView } from "@/lib/contract/installations/installation-view";
import { mayOperate } from "@/lib/domain/calls/installation";
import type { Member } from "@/lib/domain/platform/actor";
import {
  countRevisions,
  listRevisions,
  readSecretLedger,
} from "@/lib/server/installations/read-configuration";
import type { Platform } from "@/lib/server/platform/platform";
import { page, titled } from "@/lib/server/surface/web/page";
import { currentInstallation, nameInstallation } from "@/lib/server/surface/web/page-reads";

export const generateMetadata = titled(
  "/installations/[installationId]/history",
  "Installations",
  ({ params }) => nameInstallation(params.installationId, "History"),
);

/** A revision's number; anything else in the URL is ignored. */
const CURSOR = /^(before:)?[1-9]\d{0,8}$/;

export default page("/installations/[installationId]/history", async (input) => {
  const { platform, member, params, searchParams } = input;
  const id = params.installationId ?? "";
  const installation = await currentInstallation(id);
  const view = searchParams.view === "secrets" ? "secrets" : "revisions";
  return (
    <>
      <PageHeader
        title="History"
        description={
          <>
            <UserText>{installation.title}</UserText> for {installation.tenant.name}, at version{" "}
            {installation.version}
          </>
        }
        badges={
          <>
            <StateBadge state={installation.health.status} />
            {installation.test && (
              <Badge tone="warning">{installation.trialEndsAt === null ? "Test Launch" : "Trial"}</Badge>
            )}
          </>
        }
        back={{ href: `/installations/${id}/configuration`, text: installation.title }}
      />
      <div className="mb-4">
        <HistoryTabs installationId={id} view={view} />
      </div>
      {view === "secrets" ? (
        <SecretList secrets={await readSecretLedger(platform, member, id)} />
      ) : (
        <Revisions
          platform={platform}
          member={member}
          installation={installation}
          after={CURSOR.test(searchParams.after ?? "") ? searchParams.after : undefined}
        />
      )}
    </>
  );
});

interface RevisionsProps {
  platform: Platform;
  member: Member;
  installation: InstallationView;
  /** The cursor of this page; undefined on the first. */
  after: string | undefined;
}

async function Revisions({ platform, member, installation, after }: RevisionsProps) {
  const path = `/installations/${installation.id}/history`;
  const [{ revisions, ...pages }, total] = await Promise.all([
    listRevisions(platform, member, installation.id, after),
    countRevisions(platform, member, installation.id),
  ]);
  if (revisions.length === 0)
    return (
      <Card flush>
        <EmptyState
          icon={History}
          title="No earlier revisions"
          action={<LinkButton href={path}>Show latest</LinkButton>}
        >
          You reached the end of the history.
        </EmptyState>
      </Card>
    );
  const { state, test } = installation;
  const gone = state === "UNINSTALLED";
  const mayRestore = mayOperate(member.organization.role, test) && !gone && state !== "UNINSTALLING";
  return (
    <>
      {gone && (
        <Notice title="Uninstalled" className="mb-4">
          Setting values and secrets were deleted. The record of who saved what, and when, remains.
        </Notice>
      )}
      <RevisionList
        installationId={installation.id}
        revisions={revisions}
        newer={await newerThan(platform, member, installation.id, revisions)}
        current={installation.configuration.revision}
        mayRestore={mayRestore}
        gone={gone}
      />
      <Pager path={path} query={{}} pages={pages} total={`${total.toLocaleString("en-US")} revisions`} />
    </>
  );
}

/** A restore is compared with the newest revision, so the pages in between are read too, up to this many. */
const PAGES_BETWEEN = 5;

/** All revisions newer than those of a page; undefined if there are too many. */
async function newerThan(
  platform: Platform,
  member: Member,
  id: string,
  [first]: RevisionView[],
): Promise<RevisionView[] | undefined> {
  if (first === undefined || first.current) return [];
  const newer: RevisionView[] = [];
  let before: string | undefined;
  for (let pages = 0; pages < PAGES_BETWEEN; pages += 1) {
    const { revisions, next } = await listRevisions(platform, member, id, before);
    newer.push(...revisions.filter(({ revision }) => revision > first.revision));
    if (next === undefined || Number(next) <= first.revision) return newer;
    before = next;
  }
  return undefined;
}
