"use client";

import type { ReactNode } from "react";
import { useStore } from "zustand";
import type { ShortcutGroup } from "../page-shortcuts";
import { Shortcut } from "../shortcut";
import { setSingleKeys, singleKeys } from "../typing";
import { Dialog } from "./dialog";
import { Checkbox } from "./toggles";

interface ShortcutDialogProps {
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
  groups: readonly ShortcutGroup[];
  /** In two columns. */
  isLong?: boolean;
  /** After the groups. */
  children?: ReactNode;
}

/** A list of shortcuts, which `?` opens. */
export function ShortcutDialog(props: ShortcutDialogProps) {
  const { isOpen, onOpenChange, groups, isLong = false, children } = props;
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="Keyboard shortcuts"
      width={isLong ? "large" : undefined}
      footer={<SingleKeys />}
    >
      {/* Focusable, so that the keyboard can scroll it. */}
      <div
        tabIndex={0}
        role="group"
        aria-label="All shortcuts"
        className={`rounded-field ${isLong ? "gap-x-10 sm:columns-2" : ""}`}
      >
        {groups.map(({ title, rows }) => (
          <section key={title} className="mb-6 break-inside-avoid">
            <h3 className="mb-1 text-small font-medium text-ink">{title}</h3>
            <dl>
              {rows.map(({ what, keys }) => (
                <div key={what} className="flex min-h-8 items-center justify-between gap-4 py-1">
                  <dt className="min-w-0 text-small text-ink-soft">{what}</dt>
                  <dd className="flex flex-wrap justify-end gap-2">
                    {keys.map((each) => (
                      <Shortcut key={each} keys={each} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      {children}
    </Dialog>
  );
}

/** For people whose speech input types single keys by accident. */
function SingleKeys() {
  const isOn = useStore(singleKeys, (state) => state.isOn);
  return (
    <div className="mr-auto">
      <Checkbox value={isOn} onChange={setSingleKeys}>
        Allow single-key shortcuts, such as ?
      </Checkbox>
    </div>
  );
}
