"use client";

import { SlidersHorizontal } from "lucide-react";
import { useRouter } from "next/navigation";
import { useCallback, useState } from "react";
import { IssueSummary } from "@/components/configuration-form/issue-summary";
import { NamesSwitch } from "@/components/configuration-form/names-shown";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { problemBodyOf } from "@/lib/client/api";
import type { ConfigurationView } from "@/lib/contract/configuration-view";
import { settingPointer } from "@/lib/domain/configuration";
import { mappingPointer } from "@/lib/domain/mapping/check-mappings";
import { ChangeBar } from "./change-bar";
import { changesInWords, changesOfEdit } from "./changes-of-edit";
import { issuesOfEdit } from "./check-edit";
import { NO_EDIT, onlyChanges, withAnswer, withConfirmed, withPath, type Answer } from "./configuration-edit";
import { ConflictDialog } from "./conflict-dialog";
import { LeaveDialog } from "@/components/ui/leave-dialog";
import { ProductCards } from "./product-cards";
import { SettingRows } from "./setting-rows";
import { useMarkedIssues } from "@/components/configuration-form/use-marked-issues";
import { useSave } from "./use-save";

/** The whole configuration on one page. What is typed lives in memory alone: secrets reach no storage and no address. */
export function ConfigureForm({ initial }: { initial: ConfigurationView }) {
  const router = useRouter();
  // What the changes are made from. A newer revision comes in by a stale save, never under somebody's hands.
  const [from, setFrom] = useState(initial);
  const [edit, setEdit] = useState(NO_EDIT);
  const [now, setNow] = useState<ConfigurationView>();
  const { form, issues, mark, mended } = useMarkedIssues();
  const save = useSave(from.installationId, setNow);

  const changeAnswer = useCallback(
    (name: string, answer: Answer) => {
      setEdit((before) => withAnswer(before, name, answer));
      mended(settingPointer(name));
    },
    [mended],
  );
  const changePath = useCallback(
    (product: string, field: string, path: string) => {
      setEdit((before) => withPath(before, product, field, path));
      mended(mappingPointer(product, field));
    },
    [mended],
  );
  const confirm = (product: string, isRight: boolean) =>
    setEdit((before) => withConfirmed(before, product, isRight));
  const send = (start: ConfigurationView, wanted: typeof edit) => {
    const onError = (error: unknown) => mark(problemBodyOf(error).issues ?? []);
    save.mutate({ from: start, edit: wanted }, { onError });
  };
  const submit = () => {
    const found = issuesOfEdit(from, edit);
    mark(found);
    if (found.length === 0) send(from, edit);
  };
  const discard = () => {
    setEdit(NO_EDIT);
    mark([]);
    save.reset();
  };
  const settle = (mine: typeof edit, andSave: boolean) => {
    if (now === undefined) return;
    setFrom(now);
    setEdit(mine);
    setNow(undefined);
    mark([]);
    if (andSave) send(now, mine);
    // The page's head says the revision too.
    else router.refresh();
  };

  const words = changesInWords(changesOfEdit(from, edit));
  const isSaving = save.isPending || save.isDone;
  if (from.declared.length + from.mappingFields.length === 0) return <NothingToConfigure />;
  return (
    <>
      <form
        ref={form}
        noValidate
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          // A dialog's own form is no child on the page, but its events come through here.
          if (event.target === event.currentTarget && !isSaving) submit();
        }}
        // What takes the focus is not hidden behind the bar.
        className="flex max-w-3xl flex-col gap-6 wrap-anywhere [&_button]:scroll-mb-32 [&_input]:scroll-mb-32"
      >
        <IssueSummary issues={issues} />
        {from.declared.length > 0 && (
          <Card
            flush
            title="Settings"
            description="What the app works with. Secrets are never shown again: keep, replace or clear them."
            actions={<NamesSwitch />}
          >
            <div className="divide-y divide-line border-t border-line">
              <SettingRows configuration={from} edit={edit} issues={issues} onChange={changeAnswer} />
            </div>
          </Card>
        )}
        <ProductCards
          configuration={from}
          edit={edit}
          issues={issues}
          onChange={changePath}
          onConfirm={confirm}
        />
        <ChangeBar
          words={words}
          isSaving={isSaving}
          error={issues.length === 0 ? save.error : null}
          onDiscard={discard}
        />
      </form>
      {now !== undefined && (
        <ConflictDialog
          before={from}
          now={now}
          edit={onlyChanges(from, edit)}
          isSaving={isSaving}
          onClose={() => setNow(undefined)}
          onSettle={settle}
        />
      )}
      <LeaveDialog isDirty={words !== "" && !save.isDone} lost={words} />
    </>
  );
}

function NothingToConfigure() {
  return (
    <Card className="max-w-3xl">
      <EmptyState icon={SlidersHorizontal} title="There is nothing to configure">
        This version of the app declares no settings and no mapping fields.
      </EmptyState>
    </Card>
  );
}
