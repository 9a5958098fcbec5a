"use client";

import { useCallback, useState } from "react";
import { IssueSummary } from "@/components/configuration-form/issue-summary";
import { LeaveDialog } from "@/components/ui/leave-dialog";
import { useMarkedIssues } from "@/components/configuration-form/use-marked-issues";
import { Button } from "@/components/ui/button";
import { LinkButton } from "@/components/ui/link-button";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import type { UpgradeOffer } from "@/lib/contract/configuration-view";
import { settingPointer } from "@/lib/domain/configuration";
import { ChangeCard } from "./change-card";
import { HowItGoes } from "./how-it-goes";
import { NeededCard } from "./needed-card";
import { isTouched, issuesOf, NO_ANSWERS, withPath, withSkip, withValue } from "./upgrade-questions";
import { useUpgrade } from "./use-upgrade";
import { VersionCard } from "./version-card";

interface UpgradeFormProps {
  offer: UpgradeOffer;
  isRunning: boolean;
  /** Why it cannot be moved now. */
  why: { title: string; text: string } | undefined;
}

/** What changes, what is needed, and the press. The answers stay when the offer is read anew. */
export function UpgradeForm({ offer, isRunning, why }: UpgradeFormProps) {
  const [answers, setAnswers] = useState(NO_ANSWERS);
  const { form, issues, mark, mended } = useMarkedIssues();
  const upgrade = useUpgrade(offer, mark);
  const { installationId, revision, to, rollback } = offer;

  const changeValue = useCallback(
    (name: string, value: string | undefined) => {
      setAnswers((before) => withValue(before, name, value));
      mended(settingPointer(name));
    },
    [mended],
  );
  const changeSkip = useCallback(
    (name: string, isSkipped: boolean) => {
      setAnswers((before) => withSkip(before, name, isSkipped));
      mended(settingPointer(name));
    },
    [mended],
  );
  const changePath = useCallback(
    (pointer: string, path: string) => {
      setAnswers((before) => withPath(before, pointer, path));
      mended(pointer);
    },
    [mended],
  );
  const submit = () => {
    const found = issuesOf(offer, answers);
    mark(found);
    if (found.length === 0) upgrade.begin(answers);
  };

  return (
    <>
      <form
        ref={form}
        noValidate
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          // A dialog's own form is no child on the page, but its events come through here.
          if (event.target === event.currentTarget && !upgrade.isBusy && why === undefined) submit();
        }}
        className="flex max-w-3xl flex-col gap-6 wrap-anywhere"
      >
        {why !== undefined && <Notice title={why.title}>{why.text}</Notice>}
        <VersionCard offer={offer} />
        <ChangeCard changes={offer.changes} to={to.number} />
        <IssueSummary issues={issues} />
        {why === undefined && (
          <NeededCard
            offer={offer}
            answers={answers}
            issues={issues}
            onValue={changeValue}
            onSkip={changeSkip}
            onPath={changePath}
          />
        )}
        <HowItGoes offer={offer} isRunning={isRunning} />
        {upgrade.isStale && (
          <Notice tone="warning" title="The configuration was saved by somebody meanwhile">
            {upgrade.isFresh
              ? `This page shows revision ${revision} now. What you typed is still there: look through it, then go on.`
              : "The page is being brought up to date."}
          </Notice>
        )}
        {issues.length === 0 && <ProblemNotice error={upgrade.error} />}
        {why === undefined && (
          <div className="flex flex-wrap items-center justify-end gap-3">
            <LinkButton tone="quiet" href={`/installations/${installationId}`}>
              Not now
            </LinkButton>
            <Button type="submit" tone="primary" isPending={upgrade.isBusy}>
              {rollback ? `Roll back to ${to.number}` : `Upgrade to ${to.number}`}
            </Button>
          </div>
        )}
      </form>
      <LeaveDialog isDirty={isTouched(answers) && !upgrade.isDone} lost="the answers that you typed" />
    </>
  );
}
