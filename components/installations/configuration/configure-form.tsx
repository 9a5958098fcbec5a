"use client";

import { useMutation } from "@tanstack/react-query";
import { SlidersHorizontal } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import {
  IssueSummary,
  SheetContext,
  useMarkedIssues,
} from "@/components/catalog/configuration-form/answer-form";
import { CheckStrip } from "@/components/catalog/configuration-form/configuration-check";
import {
  MissingFieldsDialog,
  useMissingFields,
} from "@/components/catalog/configuration-form/missing-fields";
import { NamesSwitch } from "@/components/catalog/configuration-form/names-shown";
import { SettingRows } from "@/components/catalog/configuration-form/setting-rows";
import { Button } from "@/components/ui/button";
import { Card, EmptyState } from "@/components/ui/card";
import { ConfirmDialog, lazyPart } from "@/components/ui/forms/lazy-code";
import { LeaveDialog } from "@/components/ui/forms/leave-dialog";
import { SettingsForm } from "@/components/ui/forms/settings-form";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi, ProblemError } from "@/lib/client/api";
import type { ConfigurationCheckInput } from "@/lib/contract/catalog/configuration";
import type { ConfigurationView } from "@/lib/contract/installations/configuration-view";
import {
  type AnswerChange,
  AnswerSheet,
  type ChosenAnswers,
  UNTOUCHED,
  withAnswers,
} from "@/lib/domain/catalog/answer-sheet";
import type { PathNotes } from "@/lib/domain/catalog/mapping/check-path";
import { describeChanges, describeUnfinished, keepMine } from "./both-sides";
import { ProductCards } from "./product-cards";

interface ConfigureFormProps {
  initial: ConfigurationView;
  /** Of the stored paths. */
  notes: PathNotes;
  /** Continues after a save. The form stays busy, and no longer asks before the user leaves. */
  onSaved: (revision: number) => void;
  /** A newer revision replaced the one that the form was opened with, and nothing was saved yet. */
  onReplaced?: () => void;
  /**
   * For a page that follows changes: what is stored and declared now. The form continues from it at once and keeps its
   * answers, instead of asking when a save is refused.
   */
  latest?: ConfigurationView;
}

const ConflictDialog = lazyPart(async () => (await import("./conflict-dialog")).ConflictDialog);
/** Schemas may have changed since they were noted. */
const NO_NOTES: PathNotes = {};
const NONE: ReadonlySet<string> = new Set();

/** The whole configuration on one page. Answers are only in memory: secrets reach no storage and no address. */
export function ConfigureForm({ initial, notes, onSaved, onReplaced, latest }: ConfigureFormProps) {
  // What the changes start from. A newer revision arrives with a stale save, never while somebody types.
  const [from, setFrom] = useState(initial);
  const [answers, setAnswers] = useState(UNTOUCHED);
  const [now, setNow] = useState<ConfigurationView>();
  const { form, issues, mark, unmark } = useMarkedIssues();
  const save = useSave(from.installationId, setNow, onSaved);
  const sheet = useMemo(() => new AnswerSheet(from, answers), [from, answers]);
  const [followed, setFollowed] = useState(latest);
  if (latest !== undefined && latest !== followed) {
    setFollowed(latest);
    setFrom(latest);
    setAnswers(keepMine(answers, latest, NONE));
  }

  const changeAll = useCallback(
    (changes: readonly AnswerChange[]) => {
      setAnswers((before) => withAnswers(before, changes));
      unmark(changes.map(([pointer]) => pointer));
    },
    [unmark],
  );
  const missingFields = useMissingFields(mark);
  const send = (start: ConfigurationView, wanted: ChosenAnswers, allowMissingFields = false) =>
    save.mutate({ from: start, answers: wanted, allowMissingFields }, { onError: missingFields.refuse });
  const submit = () => {
    const found = sheet.issues();
    mark(found);
    if (found.length === 0) send(from, answers);
  };
  const discard = () => {
    setAnswers(UNTOUCHED);
    mark([]);
    save.reset();
  };
  const settle = (mine: ChosenAnswers, andSave: boolean) => {
    if (now === undefined) return;
    setFrom(now);
    setAnswers(mine);
    setNow(undefined);
    mark([]);
    if (andSave) send(now, mine);
    // The page's header shows the revision too.
    else onReplaced?.();
  };

  const createCheck = (checked: AnswerSheet): ConfigurationCheckInput => {
    const { installationId, revision } = from;
    return { for: "installation", installationId, revision, ...checked.toSend() };
  };

  const summary = describeChanges(sheet);
  const isSaving = save.isPending || save.isDone;
  if (from.declared.length + from.mappingFields.length === 0) return <NothingToConfigure />;
  return (
    <>
      <SettingsForm
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          // React also delivers the submits of dialogs here.
          if (event.target === event.currentTarget && !isSaving) submit();
        }}
        // Keeps a focused field from hiding behind the bar.
        className="flex max-w-3xl flex-col gap-6 wrap-anywhere [&_:is(button,input,textarea)]:scroll-mb-32"
      >
        <IssueSummary issues={issues} />
        <SheetContext value={{ sheet, issues, changeAll }}>
          {from.declared.length > 0 && (
            <Card
              flush
              title="Settings"
              description="Secrets are never shown again: keep, replace, or clear them."
              actions={<NamesSwitch />}
            >
              <div className="divide-y divide-line border-t border-line">
                <SettingRows settings={from.declared} className="px-4 py-5 sm:px-6" />
                {from.checksConfiguration && (
                  <CheckStrip createInput={createCheck} mark={mark} className="px-4 py-5 sm:px-6" />
                )}
              </div>
            </Card>
          )}
          <ProductCards configuration={from} notes={from === initial ? notes : NO_NOTES} />
        </SheetContext>
        <ChangeBar
          summary={summary}
          unfinished={describeUnfinished(sheet)}
          isSaving={isSaving}
          error={issues.length + missingFields.asked.length === 0 ? save.error : null}
          onDiscard={discard}
        />
      </SettingsForm>
      <MissingFieldsDialog
        missing={missingFields}
        confirmText="Save anyway"
        isPending={isSaving}
        onConfirm={() => send(from, answers, true)}
      />
      {now !== undefined && (
        <ConflictDialog
          before={from}
          now={now}
          answers={sheet.changes()}
          isSaving={isSaving}
          onClose={() => setNow(undefined)}
          onSettle={settle}
        />
      )}
      <LeaveDialog isDirty={summary !== "" && !save.isDone} lost={summary} />
    </>
  );
}

interface Sent {
  from: ConfigurationView;
  answers: ChosenAnswers;
  allowMissingFields: boolean;
}

type SaveResult = { saved: number } | { stale: ConfigurationView };

/** Saves the changes. If somebody else saved first, `onStale` receives what is stored now. */
function useSave(
  installationId: string,
  onStale: (now: ConfigurationView) => void,
  onSaved: (revision: number) => void,
) {
  const [isDone, setDone] = useState(false);
  const path = `/api/installations/${installationId}/configuration`;
  const mutation = useMutation({
    mutationFn: async ({ from, answers, allowMissingFields }: Sent): Promise<SaveResult> => {
      const body = {
        revision: from.revision,
        ...new AnswerSheet(from, answers).toSend(),
        ...(allowMissingFields && { allowMissingFields }),
      };
      try {
        return {
          saved: (
            await callApi("PUT", path, {
              body,
              answer: async () => (await import("@/lib/contract/catalog/configuration")).savedRevision,
            })
          ).revision,
        };
      } catch (error) {
        if (!(error instanceof ProblemError) || error.body.code !== "STALE_REVISION") throw error;
        return {
          stale: await callApi("GET", path, {
            answer: async () =>
              (await import("@/lib/contract/installations/configuration-view")).configurationView,
          }),
        };
      }
    },
    onSuccess: (result) => {
      if ("stale" in result) return onStale(result.stale);
      setDone(true);
      onSaved(result.saved);
    },
  });
  return { ...mutation, isDone };
}

function NothingToConfigure() {
  return (
    <Card className="max-w-3xl">
      <EmptyState icon={SlidersHorizontal} title="Nothing to configure">
        This version of the app has no settings and no mapping fields.
      </EmptyState>
    </Card>
  );
}

interface ChangeBarProps {
  /** What saving changes; empty if nothing. */
  summary: string;
  /** What is missing before it can be saved; empty if nothing. */
  unfinished: string;
  isSaving: boolean;
  /** Why the last save failed; null if it did not, or if the form shows why. */
  error: unknown;
  onDiscard: () => void;
}

/** Always visible at the bottom, so that nothing jumps with the first change. */
function ChangeBar({ summary, unfinished, isSaving, error, onDiscard }: ChangeBarProps) {
  const [isAsking, setAsking] = useState(false);
  const texts = [summary, unfinished].filter((text) => text !== "");
  const isChanged = texts.length > 0;
  return (
    <div className="sticky bottom-0 z-20 -mx-4 border-t border-line bg-raised px-4 py-3 shadow-high sm:bottom-4 sm:mx-0 sm:rounded-card sm:border sm:px-6">
      <ProblemNotice error={error} className="mb-3" />
      <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
        <p aria-live="polite" className="min-w-0 flex-1 basis-56 text-small leading-5 wrap-anywhere">
          <span className={isChanged ? "text-ink" : "text-ink-faint"}>
            {isChanged ? `${texts.join(". ")}.` : "No changes."}
          </span>
          {summary !== "" && (
            <span className="block text-ink-faint">
              Everything else stays the same. Takes effect on the next call.
            </span>
          )}
        </p>
        <div className="flex gap-2">
          {isChanged && (
            <Button
              tone="quiet"
              onPress={() => (summary === "" ? onDiscard() : setAsking(true))}
              isDisabled={isSaving}
            >
              Discard
            </Button>
          )}
          <Button type="submit" tone="primary" isDisabled={!isChanged} isPending={isSaving}>
            Save
          </Button>
        </div>
      </div>
      <ConfirmDialog
        isOpen={isAsking && isChanged}
        onOpenChange={setAsking}
        title="Discard your changes?"
        confirmText="Discard"
        onConfirm={() => {
          setAsking(false);
          onDiscard();
        }}
      >
        You will lose: {summary}.
      </ConfirmDialog>
    </div>
  );
}
