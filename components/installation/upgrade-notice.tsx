"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Circle, CircleAlert, CircleCheck, LoaderCircle } from "lucide-react";
import { Button } from "@/components/ui/button";
import { LinkButton } from "@/components/ui/link-button";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { callApi } from "@/lib/client/api";
import type { UpgradeView } from "@/lib/contract/configuration-view";
import type { InstallationView } from "@/lib/contract/installation-view";
import { LongText } from "./fact-list";
import { upgradePathTo, type UpgradeNews } from "./labels";

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
export function UpgradeNotice({ installation, upgrade, news, operable }: UpgradeNoticeProps) {
  const { icon: Icon, style } = ICONS[news.kind];
  return (
    <div className="flex gap-3">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${style}`} />
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        <div role="status">
          <p className="font-medium break-words text-ink">{news.title}</p>
          <p className="mt-0.5 text-ink-soft">{news.text}</p>
          {news.kind === "failed" && upgrade.reason !== null && (
            <div className="mt-2 rounded-field border border-danger-line bg-danger-soft px-3 py-2 text-[13px] leading-5 text-ink">
              <LongText label="Reason">{upgrade.reason}</LongText>
            </div>
          )}
        </div>
        {news.steps.length > 0 && <Steps steps={news.steps} />}
        <p className="text-[13px] text-ink-faint">
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
    <ol className="flex flex-col gap-1.5 text-[13px] leading-5">
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
