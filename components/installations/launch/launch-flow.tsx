"use client";

import { useMutation } from "@tanstack/react-query";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useCallback, useDeferredValue, useMemo, useState, useTransition } from "react";
import { SheetContext } from "@/components/catalog/configuration-form/answer-form";
import {
  createCheckInput,
  createLaunchInput,
  findLaunchIssues,
  type LaunchOffer,
  selectedTenant,
  withDraftAnswers,
} from "@/components/catalog/configuration-form/launch-draft";
import {
  MissingFieldsDialog,
  useMissingFields,
} from "@/components/catalog/configuration-form/missing-fields";
import { AppRights } from "@/components/catalog/configuration-form/rights-list";
import { StepForm } from "@/components/catalog/configuration-form/step-form";
import {
  furthestStep,
  listSteps,
  useStepInAddress,
  useStepNavigation,
  WizardContext,
} from "@/components/catalog/configuration-form/wizard";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card, Skeleton } from "@/components/ui/card";
import { lazyPart } from "@/components/ui/forms/lazy-code";
import { SelectField } from "@/components/ui/forms/select-field";
import { LinkButton } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { UserText } from "@/components/ui/values";
import { callApi, toProblemBody } from "@/lib/client/api";
import type { LaunchInput, TrialInput } from "@/lib/contract/catalog/configuration";
import type { Issue } from "@/lib/contract/platform/problem";
import type { AnswerChange, AnswerSheet } from "@/lib/domain/catalog/answer-sheet";
import { TERMS_NOT_ACCEPTED } from "@/lib/domain/catalog/terms";
import { type DraftOwner, type FoundDraft, useLaunchStore } from "./launch-store";
import { TenantStep, useTenantInAddress } from "./tenant-step";
import { TermsQuestion, useTermsQuestion } from "./terms-question";

const StepBody = lazyPart(
  async () => (await import("@/components/catalog/configuration-form/step-body")).StepBody,
  <Skeleton className="h-64 w-full" />,
);

interface LaunchFlowProps {
  offer: LaunchOffer;
  owner: DraftOwner;
  mayConnect: boolean;
  /** Of the publishing organization: may create a sandbox for a Test Launch. */
  maySandbox: boolean;
}

/** Tenant → Configure → one mapping per product → Review → Launch. */
export function LaunchFlow({ offer, owner, mayConnect, maySandbox }: LaunchFlowProps) {
  const { test, trial = false } = owner;
  const router = useRouter();
  const search = useSearchParams();
  const { store, draft, sheet, isRead, found, isSaved } = useLaunchStore(owner, offer);
  const tenant = selectedTenant(offer, draft);
  const { tenants, tenantSearch } = offer;
  const isListed = tenantSearch === undefined || tenants.some(({ id }) => id === draft.tenantId);
  const writeTenant = useTenantInAddress(isListed ? undefined : draft.tenantId);
  const [marked, setMarked] = useState<readonly Issue[]>([]);
  const [opensEndpoints, setOpensEndpoints] = useState(false);
  const terms = useTermsQuestion(offer.terms);
  const unmark = useCallback(
    (edited: readonly string[]) => {
      setMarked((issues) =>
        issues.some(({ pointer }) => edited.includes(pointer))
          ? issues.filter(({ pointer }) => !edited.includes(pointer))
          : issues,
      );
    },
    [setMarked],
  );
  const changeAll = useCallback(
    (changes: readonly AnswerChange[]) => {
      store.change((before) => withDraftAnswers(offer, before, changes), offer);
      unmark(changes.map(([pointer]) => pointer));
    },
    [store, offer, unmark],
  );
  const steps = listSteps(offer, tenant, trial);
  // Fifty products have thousands of paths to check: typing does not wait for it.
  const settled = useDeferredValue(sheet);
  const settledIssues = useMemo(() => settled.issues(), [settled]);
  const missing = tenant === undefined ? findLaunchIssues(tenant, sheet) : settledIssues;
  const [current, openStep] = useStepInAddress(
    steps.map(({ id }) => id),
    furthestStep(steps, missing),
    settled === sheet,
  );
  const step = steps[current];

  const launch = useMutation({
    mutationFn: (allowMissingFields: boolean) => {
      if (tenant === undefined) throw new Error("no tenant is selected");
      const answer = async () => (await import("@/lib/contract/catalog/configuration")).launched;
      if (trial) {
        const { versionId, link } = offer;
        const { settings } = sheet.toSend();
        const body: TrialInput = { versionId, settings, ...(link === undefined ? {} : { link }) };
        return callApi("POST", "/api/trials", { body, answer });
      }
      const input = createLaunchInput(offer, tenant, sheet, test, opensEndpoints, terms.accepted);
      const body: LaunchInput = { ...input, ...(allowMissingFields && { allowMissingFields }) };
      return callApi("POST", "/api/installations", { body, answer });
    },
    onSuccess: ({ installationId }) => {
      store.finish();
      router.push(`/installations/${installationId}`);
    },
    onError: (error) => {
      const { code, issues = [] } = toProblemBody(error);
      missingFields.refuse(error);
      // A newer version, other products or other terms: the page loads what is offered now, and the answers stay.
      if (code === "WRONG_STATE" || code === "TERMS_CHANGED" || issues.length > 0) router.refresh();
    },
  });
  const findIssues = () => [...findLaunchIssues(tenant, sheet), ...terms.issues];
  const finish = () => launch.mutate(false);
  const { focus, isReturning, open, mark, next } = useStepNavigation({
    steps,
    current,
    findIssues,
    setMarked,
    openStep,
    finish,
  });
  const missingFields = useMissingFields(mark);
  const chooseTenant = (id: string) => {
    store.change((before) => ({ ...before, tenantId: id }), offer);
    unmark(["/tenantId"]);
    if (tenantSearch !== undefined) writeTenant(id);
  };
  if (step === undefined || (!isRead && search.has("step"))) return <StepSkeleton />;

  const check =
    offer.checksConfiguration === true && tenant !== undefined
      ? { createInput: (checked: AnswerSheet) => createCheckInput(offer, tenant, checked, test), mark }
      : undefined;
  const isSent = launch.isPending || launch.isSuccess;
  const { trialLimit } = offer;
  const isLimitSaid = launch.isError && toProblemBody(launch.error).detail === trialLimit?.detail;
  return (
    // The next step's code is loaded before somebody can ask for it.
    <div className="flex min-w-0 flex-col gap-6" onPointerEnter={StepBody.preload} onFocus={StepBody.preload}>
      {found !== undefined && (
        <RestoredNotice
          found={found}
          number={offer.number}
          onContinue={() => {
            store.dismissNotice();
            open(step.id);
          }}
          onStartOver={() => {
            setMarked([]);
            store.startOver();
            open(steps[0]?.id);
          }}
        />
      )}
      {trialLimit !== undefined && !isLimitSaid && (
        <Notice
          tone="warning"
          title="You can't start a trial now"
          actions={<TrialLinks trials={trialLimit.trials} />}
        >
          {trialLimit.detail}
        </Notice>
      )}
      <SheetContext value={{ sheet, issues: marked, changeAll }}>
        <WizardContext
          value={{
            offer,
            tenant,
            steps,
            current,
            missing,
            focus,
            isReturning,
            isSent,
            open,
            next,
            check,
            opensEndpoints,
            setOpensEndpoints,
          }}
        >
          <StepForm
            submitText={trial ? "Start trial" : test ? "Start Test Launch" : "Launch"}
            badge={(trial || test) && <Badge tone="warning">{trial ? "Trial" : "Test Launch"}</Badge>}
          >
            {step.id === "tenant" && (
              <TenantStep
                mayConnect={mayConnect}
                mayUseSandbox={test && maySandbox}
                onChoose={chooseTenant}
              />
            )}
            {/* Other launches show it with the tenant. */}
            {trial && current === 0 && step.id !== "review" && (
              <AppRights rights={offer.rights} enforcement={offer.enforcement} />
            )}
            {step.id !== "tenant" && <StepBody />}
            {step.id === "review" && (
              <TermsQuestion
                question={terms}
                heading="Terms of the publisher"
                error={marked.find(({ pointer }) => pointer === TERMS_NOT_ACCEPTED.pointer)?.message}
                onAnswer={() => unmark([TERMS_NOT_ACCEPTED.pointer])}
              />
            )}
            {step.id === "review" && missingFields.asked.length === 0 && (
              <ProblemNotice
                error={launch.error}
                actions={isLimitSaid && <TrialLinks trials={trialLimit?.trials ?? []} />}
              />
            )}
            {!isSaved && (
              <p className="text-small text-ink-faint">
                This browser can&apos;t save your draft. If you leave this page, your answers are lost.
              </p>
            )}
          </StepForm>
        </WizardContext>
      </SheetContext>
      <MissingFieldsDialog
        missing={missingFields}
        confirmText={test ? "Start anyway" : "Launch anyway"}
        isPending={isSent}
        onConfirm={() => launch.mutate(true)}
      />
    </div>
  );
}

/** The member's trials, in new tabs, because secrets that were typed on this page are not saved. */
function TrialLinks({ trials }: Pick<NonNullable<LaunchOffer["trialLimit"]>, "trials">) {
  return trials.map(({ id, title, organizationName, isEnding }) => (
    <LinkButton key={id} size="small" href={`/installations/${id}`} target="_blank" rel="noopener">
      <span className="wrap-anywhere">
        Open <UserText>{title}</UserText>
        {organizationName !== undefined && (
          <>
            , of <UserText translate="no">{organizationName}</UserText>
          </>
        )}
        {isEnding && ", which is ending"}
        <span className="sr-only"> (opens in a new tab)</span>
      </span>
    </LinkButton>
  ));
}

interface RestoredNoticeProps {
  found: FoundDraft;
  /** The version that is offered now. */
  number: string;
  onContinue: () => void;
  onStartOver: () => void;
}

function RestoredNotice({ found, number, onContinue, onStartOver }: RestoredNoticeProps) {
  return (
    <Notice
      title="Draft restored"
      actions={
        <>
          <Button size="small" onPress={onContinue}>
            Continue
          </Button>
          <Button size="small" tone="quiet" onPress={onStartOver}>
            Start over
          </Button>
        </>
      }
    >
      Saved in this browser <RelativeTime at={found.savedAt} />.
      {found.number !== number && ` Your answers were for version ${found.number}; this is ${number}.`}
      {found.secrets.length > 0 && " Secrets are not saved: enter them again."}
    </Notice>
  );
}

/** Until it is known which step can be shown. */
function StepSkeleton() {
  return (
    <Card>
      <div className="flex flex-col gap-6">
        <Skeleton className="h-6 w-40" />
        <Skeleton className="h-16" />
        <Skeleton className="h-16" />
        <Skeleton className="h-16" />
      </div>
    </Card>
  );
}

interface VersionChoiceProps {
  versions: NonNullable<LaunchOffer["versions"]>;
  value: string;
}

/** The version that a Test Launch runs. Answers stay as far as the other version asks for them. */
export function VersionChoice({ versions, value }: VersionChoiceProps) {
  const router = useRouter();
  const pathname = usePathname();
  const search = useSearchParams();
  const [isPending, start] = useTransition();
  const choose = (versionId: string) => {
    const query = new URLSearchParams(search);
    query.set("version", versionId);
    start(() => router.replace(`${pathname}?${query}`, { scroll: false }));
  };
  return (
    <SelectField
      label="Version to run"
      isRequired
      isDisabled={isPending}
      options={versions.map(({ versionId, number, verified }, index) => ({
        value: versionId,
        text: `${number} (${index === 0 ? "newest, " : ""}${verified ? "verified" : "not verified"})`,
      }))}
      value={value}
      onChange={choose}
      className="mt-3 max-w-60"
    />
  );
}
