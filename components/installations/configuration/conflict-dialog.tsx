"use client";

import { LockKeyhole } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Label, RadioGroup } from "react-aria-components";
import { Button } from "@/components/ui/button";
import { ChoiceCard } from "@/components/ui/forms/choices";
import { Dialog } from "@/components/ui/forms/lazy-code";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ConfigurationView } from "@/lib/contract/installations/configuration-view";
import { AnswerSheet, type ChosenAnswers } from "@/lib/domain/catalog/answer-sheet";
import { compareSides, type Conflict, keepMine, type Side } from "./both-sides";

interface ConflictDialogProps {
  /** What I started from, and what is stored now. */
  before: ConfigurationView;
  now: ConfigurationView;
  answers: ChosenAnswers;
  isSaving: boolean;
  /** Returns to the form, unchanged. */
  onClose: () => void;
  onSettle: (mine: ChosenAnswers, andSave: boolean) => void;
}

type Choice = "theirs" | "mine";

/** Somebody else saved first: both sides of what both changed, to choose from. Nothing that was typed is lost. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { before, now, answers, isSaving, onClose, onSettle } = props;
  const [chosen, setChosen] = useState<ReadonlyMap<string, Choice>>(new Map());
  const { conflicts, theirs, mine, gone } = compareSides(before, now, answers);
  const open = conflicts.filter(({ pointer }) => !chosen.has(pointer)).length;
  const taken = new Set([...chosen].flatMap(([pointer, side]) => (side === "theirs" ? [pointer] : [])));
  const settled = keepMine(answers, now, taken);
  const hasChanges = new AnswerSheet(now, settled).changes().size > 0;
  const chooseAll = (side: Choice) => setChosen(new Map(conflicts.map(({ pointer }) => [pointer, side])));
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      isBusy={isSaving}
      width="large"
      title={`${now.savedBy} saved revision ${now.revision} in the meantime`}
      description={
        <>
          Saved <RelativeTime at={now.savedAt} />. You started from revision {before.revision}. Your changes
          are still here.
        </>
      }
      footer={
        <>
          {open > 0 && (
            <p className="mr-auto self-center text-small text-ink-faint">
              {conflicts.length === 1 ? "Choose a side." : `${open} of ${conflicts.length} left to choose.`}
            </p>
          )}
          <Button onPress={() => onSettle(settled, false)} isDisabled={open > 0 || isSaving}>
            Back to the form
          </Button>
          {hasChanges && (
            <Button
              tone="primary"
              onPress={() => onSettle(settled, true)}
              isDisabled={open > 0}
              isPending={isSaving}
            >
              Save as revision {now.revision + 1}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-6">
        {conflicts.length > 0 && (
          <section className="flex flex-col gap-3">
            <div className="flex flex-wrap items-center justify-between gap-2">
              <h3 className="text-small font-medium text-ink">You both changed</h3>
              {conflicts.length > 1 && (
                <span className="flex gap-1">
                  <Button size="small" tone="quiet" onPress={() => chooseAll("theirs")}>
                    All theirs
                  </Button>
                  <Button size="small" tone="quiet" onPress={() => chooseAll("mine")}>
                    All mine
                  </Button>
                </span>
              )}
            </div>
            {conflicts.map((conflict) => (
              <ConflictChoice
                key={conflict.pointer}
                conflict={conflict}
                saved={now}
                value={chosen.get(conflict.pointer)}
                onChange={(side) => setChosen((all) => new Map(all).set(conflict.pointer, side))}
              />
            ))}
          </section>
        )}
        {theirs.length > 0 && (
          <section>
            <h3 className="mb-2 text-small font-medium text-ink">Only {now.savedBy} changed</h3>
            <ul className="divide-y divide-line rounded-field border border-line">
              {theirs.map(({ pointer, title, productName, theirs: side }) => (
                <li
                  key={pointer}
                  className="grid gap-x-4 px-3 py-2 text-small leading-5 sm:grid-cols-[12rem_minmax(0,1fr)]"
                >
                  <span className="min-w-0 break-words text-ink-faint">
                    {title}
                    {productName !== undefined && ` of ${productName}`}
                  </span>
                  <SideText side={side} isMapping={productName !== undefined} />
                </li>
              ))}
            </ul>
            <p className="mt-2 text-small text-ink-faint">These changes are kept.</p>
          </section>
        )}
        {mine.length > 0 && (
          <p className="text-small">
            <span className="font-medium text-ink">Only you changed </span>
            {mine.join(", ")}. Your changes are kept.
          </p>
        )}
        {gone.length > 0 && (
          <p className="text-small">
            The app now runs version {now.version}, which no longer asks for {gone.join(", ")}.
          </p>
        )}
        {conflicts.length + theirs.length === 0 && (
          <p className="text-small">The saved revision does not differ from what you see.</p>
        )}
      </div>
    </Dialog>
  );
}

interface ConflictChoiceProps {
  conflict: Conflict;
  /** The revision that came first. A secret may have its own author and time. */
  saved: Pick<ConfigurationView, "savedBy" | "savedAt">;
  value: Choice | undefined;
  onChange: (side: Choice) => void;
}

/** One entry that both changed: theirs on one side, mine on the other. */
function ConflictChoice({ conflict, saved, value, onChange }: ConflictChoiceProps) {
  const { title, productName, theirs, mine } = conflict;
  const isMapping = productName !== undefined;
  const by = (theirs.kind === "secret" ? theirs.by : undefined) ?? saved.savedBy;
  const at = (theirs.kind === "secret" ? theirs.at : undefined) ?? saved.savedAt;
  return (
    <RadioGroup
      value={value ?? null}
      onChange={(side) => onChange(side === "mine" ? "mine" : "theirs")}
      className="flex min-w-0 flex-col gap-2"
    >
      <Label className="text-small break-words text-ink-soft">
        {title}
        {isMapping && ` of ${productName}`}
      </Label>
      <div className="grid gap-2 sm:grid-cols-2">
        <SideCard
          value="theirs"
          head={
            <>
              Theirs: {by}, <RelativeTime at={at} />
            </>
          }
        >
          <SideText side={theirs} isMapping={isMapping} />
        </SideCard>
        <SideCard value="mine" head="Mine: not saved yet">
          <SideText side={mine} isMapping={isMapping} isMine />
        </SideCard>
      </div>
    </RadioGroup>
  );
}

function SideCard({ value, head, children }: { value: Choice; head: ReactNode; children: ReactNode }) {
  return (
    <ChoiceCard value={value}>
      <span className="flex min-w-0 flex-col gap-0.5 text-small leading-5">
        <span className="leading-6 text-ink-faint">{head}</span>
        {children}
      </span>
    </ChoiceCard>
  );
}

const SECRET_CHANGES = { set: "Set", replaced: "Replaced", cleared: "Cleared" } as const;

/** One side of an entry. Of a secret there is only what was done. */
function SideText({ side, isMapping, isMine = false }: { side: Side; isMapping: boolean; isMine?: boolean }) {
  if (side.kind === "secret")
    return (
      <span className="min-w-0 text-ink">
        <LockKeyhole aria-hidden className="-mt-0.5 mr-1.5 inline size-3.5 text-ink-faint" />
        {isMine && side.change !== "cleared" ? "Set" : SECRET_CHANGES[side.change]}
        {side.change !== "cleared" && (
          <span className="text-ink-faint">{isMine ? " to what you typed" : " and hidden"}</span>
        )}
      </span>
    );
  if (side.text === undefined) return <span className="text-ink-faint">Skipped</span>;
  if (side.text === "") return <span className="text-ink-faint">Empty</span>;
  return (
    <span
      translate="no"
      className={`min-w-0 text-ink ${isMapping ? "font-mono wrap-anywhere" : "wrap-anywhere whitespace-pre-wrap"}`}
    >
      {side.text}
    </span>
  );
}
