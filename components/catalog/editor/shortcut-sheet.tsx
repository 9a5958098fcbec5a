"use client";

import { Dialog } from "@/components/ui/forms/dialog";
import { SingleKeys } from "@/components/ui/forms/single-keys";
import { Shortcut } from "@/components/ui/shortcut";
import { type Command, COMMAND_GROUPS } from "./command";

interface ShortcutSheetProps {
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
  commands: readonly Command[];
}

export function ShortcutSheet({ isOpen, onOpenChange, commands }: ShortcutSheetProps) {
  const groups = COMMAND_GROUPS.map((group) => ({
    group,
    rows: commands.filter((command) => command.group === group && command.keys !== undefined),
  })).filter(({ rows }) => rows.length > 0);
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="Keyboard shortcuts"
      width="large"
      footer={<SingleKeys />}
    >
      {/* Focusable, so that the keyboard can scroll it. */}
      <div
        tabIndex={0}
        role="group"
        aria-label="All shortcuts"
        className="gap-x-10 rounded-field sm:columns-2"
      >
        {groups.map(({ group, rows }) => (
          <section key={group} className="mb-6 break-inside-avoid">
            <h3 className="mb-1 text-small font-medium text-ink">{group}</h3>
            <dl>
              {rows.map(({ id, title, keys = [] }) => (
                <div key={id} className="flex min-h-8 items-center justify-between gap-4 py-1">
                  <dt className="min-w-0 text-small text-ink-soft">{title}</dt>
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
    </Dialog>
  );
}
