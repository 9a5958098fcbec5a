"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ConfigurationView } from "@/lib/contract/configuration-view";
import { bothSides, keepMine } from "./both-sides";
import { changesOfEdit, hasChanges } from "./changes-of-edit";
import { ClashChoice, type Chosen } from "./clash-choice";
import type { ConfigurationEdit } from "./configuration-edit";
import { SideText } from "./side-text";

interface ConflictDialogProps {
  /** What I started from, and what is stored now. */
  before: ConfigurationView;
  now: ConfigurationView;
  edit: ConfigurationEdit;
  isSaving: boolean;
  /** Back to the form, as it was. */
  onClose: () => void;
  onSettle: (mine: ConfigurationEdit, andSave: boolean) => void;
}

/** Somebody saved first: both sides of what both changed, to choose from. All that was typed is still there. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { before, now, edit, isSaving, onClose, onSettle } = props;
  const [chosen, setChosen] = useState<ReadonlyMap<string, Chosen>>(new Map());
  const { clashes, theirs, mine, gone } = bothSides(before, now, edit);
  const open = clashes.filter(({ pointer }) => !chosen.has(pointer)).length;
  const taken = new Set([...chosen].flatMap(([pointer, side]) => (side === "theirs" ? [pointer] : [])));
  const settled = keepMine(edit, now, taken);
  const isLeft = hasChanges(changesOfEdit(now, settled));
  const chooseAll = (side: Chosen) => setChosen(new Map(clashes.map(({ pointer }) => [pointer, side])));
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      isBusy={isSaving}
      width="large"
      title={`${now.savedBy} saved revision ${now.revision} meanwhile`}
      description={
        <>
          Saved <RelativeTime at={now.savedAt} />. You started from revision {before.revision}. Nothing of
          what you typed is lost.
        </>
      }
      footer={
        <>
          {open > 0 && (
            <p className="mr-auto self-center text-[13px] text-ink-faint">
              {clashes.length === 1 ? "Choose one side." : `${open} of ${clashes.length} still to choose.`}
            </p>
          )}
          <Button onPress={() => onSettle(settled, false)} isDisabled={open > 0 || isSaving}>
            Back to the form
          </Button>
          {isLeft && (
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
        {clashes.length > 0 && (
          <section className="flex flex-col gap-3">
            <div className="flex flex-wrap items-center justify-between gap-2">
              <h3 className="text-[13px] font-medium text-ink">You both changed</h3>
              {clashes.length > 1 && (
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
            {clashes.map((clash) => (
              <ClashChoice
                key={clash.pointer}
                clash={clash}
                who={now.savedBy}
                when={now.savedAt}
                value={chosen.get(clash.pointer)}
                onChange={(side) => setChosen((all) => new Map(all).set(clash.pointer, side))}
              />
            ))}
          </section>
        )}
        {theirs.length > 0 && (
          <section>
            <h3 className="mb-2 text-[13px] font-medium text-ink">Only {now.savedBy} changed</h3>
            <ul className="divide-y divide-line rounded-field border border-line">
              {theirs.map(({ pointer, title, productName, theirs: side }) => (
                <li
                  key={pointer}
                  className="grid gap-x-4 px-3 py-2 text-[13px] leading-5 sm:grid-cols-[12rem_minmax(0,1fr)]"
                >
                  <span className="min-w-0 break-words text-ink-faint">
                    {title}
                    {productName !== undefined && ` of ${productName}`}
                  </span>
                  <SideText side={side} isMapping={productName !== undefined} />
                </li>
              ))}
            </ul>
            <p className="mt-2 text-[13px] text-ink-faint">These are taken over as they are.</p>
          </section>
        )}
        {mine.length > 0 && (
          <p className="text-[13px]">
            <span className="font-medium text-ink">Only you changed </span>
            {mine.join(", ")}. That stays as you typed it.
          </p>
        )}
        {gone.length > 0 && (
          <p className="text-[13px]">
            The app runs as {now.version} now and does not ask for {gone.join(", ")} any more.
          </p>
        )}
        {clashes.length + theirs.length === 0 && (
          <p className="text-[13px]">What was saved is no different from what you see and typed.</p>
        )}
      </div>
    </Dialog>
  );
}
