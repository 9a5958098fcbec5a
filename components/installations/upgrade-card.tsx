"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import {
  ArrowUpCircle,
  Circle,
  CircleAlert,
  CircleCheck,
  LoaderCircle,
  type LucideIcon,
  Undo2,
} from "lucide-react";
import type { ReactNode } from "react";
import { useIsAway } from "@/components/platform/availability";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { LongText } from "@/components/ui/fact-list";
import { LinkButton } from "@/components/ui/links";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { callApi } from "@/lib/client/api";
import type { UpgradeView } from "@/lib/contract/installations/configuration-view";
import type { InstallationView } from "@/lib/contract/installations/installation-view";
import { isMoving } from "@/lib/domain/calls/installation";
import {
  describeUpgrade,
  isUpgrading,
  type UpgradeNews,
  upgradePath,
  upgradePathTo,
} from "./describe-installation";

interface UpgradeCardProps {
  installation: InstallationView;
  /** Whether the user may upgrade it. */
  operable: boolean;
  /** Milliseconds. */
  now: number;
}

/** An upgrade in progress, an available version, and a way to roll back. Nothing if there are none. */
export function UpgradeCard({ installation, operable, now }: UpgradeCardProps) {
  const { id, version, upgrade, upgradeTo, rollbackTo, test } = installation;
  const news = describeUpgrade(installation, now, useIsAway("worker"));
  const movable = !isUpgrading(installation) && !isMoving(installation.state);
  const offered = movable && installation.state !== "UNINSTALLED";
  // A failed upgrade offers its own target again.
  const newer = offered && (news?.kind !== "failed" || upgrade?.to !== upgradeTo?.number) ? upgradeTo : null;
  const back = offered && (news?.kind !== "failed" || upgrade?.to !== rollbackTo?.number) ? rollbackTo : null;
  if (news === undefined && newer === null && back === null) return null;
  return (
    <Card title="Upgrade" flush>
      <ul className="divide-y divide-line border-t border-line">
        {news !== undefined && upgrade !== null && (
          <li className="px-4 py-4 sm:px-6">
            <UpgradeNotice installation={installation} upgrade={upgrade} news={news} operable={operable} />
          </li>
        )}
        {newer !== null && (
          <Row
            icon={ArrowUpCircle}
            title={`Version ${newer.number} is available`}
            action={
              <LinkButton
                tone={operable ? "primary" : "secondary"}
                size="small"
                href={upgradePath(id, newer.versionId)}
              >
                Review changes
              </LinkButton>
            }
          >
            {test ? "Published" : "Verified and published"} <RelativeTime at={newer.publishedAt} />. This
            installation stays on {version} until {operable ? "you upgrade" : "an operator or owner upgrades"}{" "}
            it.
          </Row>
        )}
        {back !== null && (
          <Row
            icon={Undo2}
            title={`Previous version: ${back.number}`}
            action={
              operable && (
                <LinkButton size="small" href={upgradePath(id, back.versionId)}>
                  Roll back to {back.number}
                </LinkButton>
              )
            }
          >
            Settings that {version} no longer uses are kept for a rollback. Secrets are kept only until a
            later version has run.
          </Row>
        )}
      </ul>
    </Card>
  );
}

interface RowProps {
  icon: LucideIcon;
  title: string;
  children: ReactNode;
  action: ReactNode;
}

function Row({ icon: Icon, title, children, action }: RowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-4 sm:px-6">
      <div className="flex min-w-0 flex-1 basis-64 gap-3">
        <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-faint" />
        <div className="min-w-0">
          <p className="font-medium break-words text-ink">{title}</p>
          <p className="mt-0.5 text-small leading-5 text-ink-soft">{children}</p>
        </div>
      </div>
      <div className="ml-7 flex flex-wrap gap-2 sm:ml-0">{action}</div>
    </li>
  );
}

interface UpgradeNoticeProps {
  installation: InstallationView;
  upgrade: UpgradeView;
  news: UpgradeNews;
  operable: boolean;
}

const ICONS = {
  moving: { icon: LoaderCircle, style: "animate-spin text-accent-text motion-reduce:animate-none" },
  done: { icon: CircleCheck, style: "text-success" },
  failed: { icon: CircleAlert, style: "text-danger" },
} as const;

/** The newest upgrade or rollback: its progress or its result. Screen readers announce each change. */
function UpgradeNotice({ installation, upgrade, news, operable }: UpgradeNoticeProps) {
  const { icon: Icon, style } = ICONS[news.kind];
  return (
    <div className="flex gap-3">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${style}`} />
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        <div role="status">
          <p className="font-medium break-words text-ink">{news.title}</p>
          <p className="mt-0.5 text-ink-soft">{news.text}</p>
          {news.kind === "failed" && upgrade.reason !== null && (
            <div className="mt-2 rounded-field border border-danger-line bg-danger-soft px-3 py-2 text-small leading-5 text-ink">
              <LongText label="Reason">{upgrade.reason}</LongText>
            </div>
          )}
        </div>
        {news.steps.length > 0 && <Steps steps={news.steps} />}
        <p className="text-small text-ink-faint">
          Started <RelativeTime at={upgrade.startedAt} /> by {upgrade.startedBy}
          {upgrade.endedAt !== null && (
            <>
              , finished <RelativeTime at={upgrade.endedAt} />
            </>
          )}
        </p>
        {news.kind === "failed" && operable && <AfterFailure installation={installation} upgrade={upgrade} />}
      </div>
    </div>
  );
}

const PROGRESS = {
  done: { icon: CircleCheck, style: "text-success", word: "done" },
  now: {
    icon: LoaderCircle,
    style: "animate-spin text-accent-text motion-reduce:animate-none",
    word: "in progress",
  },
  later: { icon: Circle, style: "text-ink-faint", word: "not started" },
} as const;

function Steps({ steps }: { steps: UpgradeNews["steps"] }) {
  return (
    <ol className="flex flex-col gap-1.5 text-small leading-5">
      {steps.map(({ text, progress }) => {
        const { icon: Icon, style, word } = PROGRESS[progress];
        return (
          <li
            key={text}
            aria-current={progress === "now" ? "step" : undefined}
            className={`flex items-center gap-2 ${progress === "later" ? "text-ink-faint" : "text-ink"}`}
          >
            <Icon aria-hidden className={`size-4 shrink-0 ${style}`} />
            {text}
            <span className="sr-only">, {word}</span>
          </li>
        );
      })}
    </ol>
  );
}

function AfterFailure({ installation, upgrade }: Pick<UpgradeNoticeProps, "installation" | "upgrade">) {
  const client = useQueryClient();
  const retry = useMutation({
    mutationFn: () => callApi("POST", `/api/installations/${installation.id}/upgrade/retry`),
    onSettled: () => client.invalidateQueries({ queryKey: ["installation", installation.id] }),
  });
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {upgrade.retryable && (
          <Button size="small" tone="primary" isPending={retry.isPending} onPress={() => retry.mutate()}>
            Try again
          </Button>
        )}
        <LinkButton size="small" href={upgradePathTo(installation, upgrade.to)}>
          Review changes
        </LinkButton>
      </div>
      <ProblemNotice error={retry.error} />
    </>
  );
}
