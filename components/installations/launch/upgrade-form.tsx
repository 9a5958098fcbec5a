"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { Fragment, useCallback, useMemo, useState } from "react";
import {
  IssueSummary,
  SheetContext,
  useMarkedIssues,
} from "@/components/catalog/configuration-form/answer-form";
import {
  MissingFieldsDialog,
  useMissingFields,
} from "@/components/catalog/configuration-form/missing-fields";
import { PublicEndpoints } from "@/components/catalog/configuration-form/public-endpoints";
import { RightsList } from "@/components/catalog/configuration-form/rights-list";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { LeaveDialog } from "@/components/ui/forms/leave-dialog";
import { SettingsForm } from "@/components/ui/forms/settings-form";
import { Checkbox } from "@/components/ui/forms/toggles";
import { LinkButton } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi, toProblemBody } from "@/lib/client/api";
import type { ConfigurationCheckInput } from "@/lib/contract/catalog/configuration";
import type { Terms } from "@/lib/contract/catalog/listing";
import type { UpgradeOffer } from "@/lib/contract/installations/configuration-view";
import { type AnswerChange, AnswerSheet, UNTOUCHED, withAnswers } from "@/lib/domain/catalog/answer-sheet";
import { NOT_AGREED } from "@/lib/domain/catalog/rights";
import { TERMS_NOT_ACCEPTED } from "@/lib/domain/catalog/terms";
import { NeededCard } from "./needed-card";
import { PilotAgreement } from "./pilot-agreement";
import { TermsQuestion, useTermsQuestion } from "./terms-question";
import { explainAsks, withoutAsked } from "./upgrade-changes";
import { ChangeCard, StepsCard, VersionCard } from "./version-card";

interface UpgradeFormProps {
  offer: UpgradeOffer;
  isRunning: boolean;
  /** Why it cannot be upgraded now. */
  why: { title: string; text: string } | undefined;
}

/** What changes, what is needed, and the button. The answers stay when the offer is loaded again. */
export function UpgradeForm({ offer, isRunning, why }: UpgradeFormProps) {
  const [answers, setAnswers] = useState(UNTOUCHED);
  const [opensEndpoints, setOpensEndpoints] = useState(false);
  const [agrees, setAgrees] = useState(false);
  const terms = useTermsQuestion(offer.newTerms);
  const [isPilot, setPilot] = useState(false);
  const [asksPilot, setAsksPilot] = useState(false);
  const { form, issues, mark, unmark } = useMarkedIssues();
  const sheet = useMemo(
    () => new AnswerSheet({ ...offer, asks: explainAsks(offer) }, answers),
    [offer, answers],
  );
  const missingFields = useMissingFields(mark);
  const upgrade = useUpgrade(offer, missingFields.refuse);
  const { installationId, revision, to, rollback } = offer;

  const changeAll = useCallback(
    (changes: readonly AnswerChange[]) => {
      setAnswers((before) => withAnswers(before, changes));
      unmark(changes.map(([pointer]) => pointer));
    },
    [unmark],
  );
  const start = (allowMissingFields: boolean) =>
    upgrade.start({ sheet, opensEndpoints, agrees, allowMissingFields, acceptedTerms: terms.accepted });
  const changes = why === undefined ? withoutAsked(offer) : offer.changes;
  const submit = () => {
    const found = [
      ...sheet.issues(),
      ...(offer.rights.isMore && !agrees ? [NOT_AGREED] : []),
      ...terms.issues,
    ];
    mark(found);
    const lacksPilot = offer.to.pilot === true && !isPilot;
    setAsksPilot(lacksPilot);
    if (found.length === 0 && !lacksPilot) start(false);
  };

  const createInput = (checked: AnswerSheet): ConfigurationCheckInput => {
    const { versionId } = to;
    const pilot = isPilot ? { pilot: true as const } : {};
    const sent = { installationId, revision, versionId, agree: agrees, ...pilot, ...checked.toSend() };
    return { for: "installation", ...sent };
  };

  return (
    <>
      <SettingsForm
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          // React also delivers the submits of dialogs here.
          if (event.target === event.currentTarget && !upgrade.isBusy && why === undefined) submit();
        }}
        className="flex max-w-3xl flex-col gap-6 wrap-anywhere"
      >
        {why !== undefined && <Notice title={why.title}>{why.text}</Notice>}
        <VersionCard offer={offer} />
        {offer.to.pilot === true && why === undefined && (
          <PilotAgreement
            number={to.number}
            agrees={isPilot}
            onChange={setPilot}
            error={asksPilot && !isPilot ? "Agree to this before you upgrade." : undefined}
          />
        )}
        {(changes.length > 0 || offer.changes.length === 0) && (
          <ChangeCard changes={changes} to={to.number} />
        )}
        <IssueSummary issues={issues} />
        {why === undefined && (
          <SheetContext value={{ sheet, issues, changeAll }}>
            <NeededCard offer={offer} check={offer.checksConfiguration ? { createInput, mark } : undefined} />
          </SheetContext>
        )}
        {why === undefined && (
          <RightsCard
            offer={offer}
            agrees={agrees}
            error={issues.find(({ pointer }) => pointer === NOT_AGREED.pointer)?.message}
            onChange={(isAgreed) => {
              setAgrees(isAgreed);
              unmark([NOT_AGREED.pointer]);
            }}
          />
        )}
        {why === undefined && offer.newTerms !== undefined && (
          <Card
            title="The publisher has new terms"
            description="Your organization hasn't accepted these terms for this installation. Accept them to upgrade."
          >
            <TermsQuestion
              question={terms}
              error={issues.find(({ pointer }) => pointer === TERMS_NOT_ACCEPTED.pointer)?.message}
              onAnswer={() => unmark([TERMS_NOT_ACCEPTED.pointer])}
            />
          </Card>
        )}
        {why === undefined && offer.publicEndpoints.length > 0 && (
          <Card
            title="New public endpoints"
            description={`${to.number} asks to be reachable in these ways too. They start closed unless you open them here.`}
          >
            <PublicEndpoints
              endpoints={offer.publicEndpoints}
              opens={opensEndpoints}
              onChange={setOpensEndpoints}
            />
          </Card>
        )}
        <StepsCard offer={offer} isRunning={isRunning} />
        {upgrade.isStale && (
          <Notice tone="warning" title="Somebody saved the configuration in the meantime">
            {upgrade.isFresh
              ? `This page now shows revision ${revision}. Your answers are still here: check them, then try again.`
              : "Loading the newest revision."}
          </Notice>
        )}
        {issues.length + missingFields.asked.length === 0 && <ProblemNotice error={upgrade.error} />}
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
      </SettingsForm>
      <MissingFieldsDialog
        missing={missingFields}
        confirmText={rollback ? "Roll back anyway" : "Upgrade anyway"}
        isPending={upgrade.isBusy}
        onConfirm={() => start(true)}
      />
      <LeaveDialog isDirty={sheet.changes().size > 0 && !upgrade.isDone} lost="your answers" />
    </>
  );
}

interface RightsCardProps {
  offer: UpgradeOffer;
  agrees: boolean;
  error: string | undefined;
  onChange: (agrees: boolean) => void;
}

/** What the new version may do more, which is a question, and less, which is not. */
function RightsCard({ offer, agrees, error, onChange }: RightsCardProps) {
  const { added, removed, isMore } = offer.rights;
  if (!isMore && removed.length === 0) return null;
  const { number } = offer.to;
  return (
    <Card
      title={isMore ? "It asks for more" : "It asks for less"}
      description={isMore ? `You haven't agreed to this yet. With ${number}, the app may:` : undefined}
    >
      <div className="flex flex-col gap-4">
        {isMore && <RightsList rights={added} isWhole={false} enforcement={offer.enforcement} />}
        {removed.length > 0 && (
          <p className="text-sm text-ink-soft">
            {number} no longer asks for{" "}
            {removed.map((right, index) => (
              <Fragment key={right}>
                {index > 0 && (index === removed.length - 1 ? " and " : ", ")}
                <bdi>{right}</bdi>
              </Fragment>
            ))}
            .
          </p>
        )}
        {isMore && (
          <div data-pointer={NOT_AGREED.pointer} className="flex flex-col gap-1">
            <Checkbox name="agree" value={agrees} onChange={onChange}>
              I agree for my organization
            </Checkbox>
            {error !== undefined && <p className="text-small text-danger">{error}</p>}
          </div>
        )}
      </div>
    </Card>
  );
}

interface Answered {
  sheet: AnswerSheet;
  opensEndpoints: boolean;
  agrees: boolean;
  allowMissingFields: boolean;
  acceptedTerms: Terms | undefined;
}

/** Starts the upgrade and opens the installation, which shows its progress. A stale offer is loaded again. */
function useUpgrade(offer: UpgradeOffer, onRefused: (error: unknown) => void) {
  const router = useRouter();
  const [staleFrom, setStaleFrom] = useState<number>();
  const { installationId, revision, to } = offer;
  const mutation = useMutation({
    mutationFn: ({ sheet, opensEndpoints, agrees, allowMissingFields, acceptedTerms }: Answered) =>
      callApi("POST", `/api/installations/${installationId}/upgrade`, {
        body: {
          versionId: to.versionId,
          revision,
          openEndpoints: opensEndpoints,
          agree: agrees,
          ...(allowMissingFields && { allowMissingFields }),
          acceptedTerms,
          // The form asked for it.
          pilot: to.pilot,
          ...sheet.toSend(),
        },
        answer: async () => (await import("@/lib/contract/catalog/configuration")).startedUpgrade,
      }),
    onMutate: () => setStaleFrom(undefined),
    onSuccess: () => router.push(`/installations/${installationId}`),
    onError: (error) => {
      const { code } = toProblemBody(error);
      onRefused(error);
      if (code === "STALE_REVISION") setStaleFrom(revision);
      if (code === "STALE_REVISION" || code === "TERMS_CHANGED") router.refresh();
    },
  });
  const isStale = staleFrom !== undefined;
  return {
    start: mutation.mutate,
    isBusy: mutation.isPending || mutation.isSuccess,
    isDone: mutation.isSuccess,
    error: isStale ? null : mutation.error,
    isStale,
    isFresh: isStale && staleFrom !== revision,
  };
}
