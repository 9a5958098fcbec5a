"use client";

import { Dialog } from "@/components/ui/forms/dialog";
import { SingleKeys } from "@/components/ui/forms/single-keys";
import { Shortcut } from "@/components/ui/shortcut";

const GROUPS = [
  {
    title: "Everywhere",
    rows: [
      { what: "Search", keys: ["Mod+K"] },
      { what: "This list", keys: ["?"] },
      { what: "Close what is open", keys: ["Esc"] },
    ],
  },
  {
    title: "In the search, and in menus",
    rows: [
      { what: "Choose", keys: ["ArrowUp", "ArrowDown"] },
      { what: "Open", keys: ["Enter"] },
    ],
  },
  { title: "In the documentation", rows: [{ what: "Search the documentation", keys: ["/"] }] },
] as const;

interface ShortcutListProps {
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The shortcuts of every page. The manifest editor has a list of its own. */
export function ShortcutList({ isOpen, onOpenChange }: ShortcutListProps) {
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title="Keyboard shortcuts" footer={<SingleKeys />}>
      <div className="flex flex-col gap-5">
        {GROUPS.map(({ title, rows }) => (
          <section key={title}>
            <h3 className="mb-1 text-small font-medium text-ink">{title}</h3>
            <dl>
              {rows.map(({ what, keys }) => (
                <div key={what} className="flex min-h-8 items-center justify-between gap-4 py-1">
                  <dt className="min-w-0 text-small text-ink-soft">{what}</dt>
                  <dd className="flex gap-2">
                    {keys.map((each) => (
                      <Shortcut key={each} keys={each} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <p className="text-small leading-5 text-ink-faint">
          The manifest editor has more. Press ? in the editor to see them.
        </p>
      </div>
    </Dialog>
  );
}
