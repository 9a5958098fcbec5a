"use client";

import { type ReactNode, useState } from "react";
import { Checkbox } from "./toggles";

export interface Selection {
  ids: ReadonlySet<string>;
  toggle: (id: string, isSelected: boolean) => void;
}

export interface RowSelection extends Selection {
  /** Every row that can be selected is. */
  all: boolean;
  toggleAll: (isSelected: boolean) => void;
  clear: () => void;
}

/** Which rows of a list are selected. Another list (`key`), or a row that is gone, forgets it. */
export function useSelection(key: string, shown: readonly string[]): RowSelection {
  const [selected, setSelected] = useState<{ key: string; ids: readonly string[] }>({ key, ids: [] });
  const known = new Set(shown);
  const ids = new Set(selected.key === key ? selected.ids.filter((id) => known.has(id)) : []);
  return {
    ids,
    all: shown.length > 0 && ids.size === known.size,
    toggle: (id, isSelected) =>
      setSelected({ key, ids: isSelected ? [...ids, id] : [...ids].filter((each) => each !== id) }),
    toggleAll: (isSelected) => setSelected({ key, ids: isSelected ? [...known] : [] }),
    clear: () => setSelected({ key, ids: [] }),
  };
}

interface SelectionBarProps {
  selection: RowSelection;
  /** While nothing is selected. */
  text?: string;
  /** What can be done with the selected rows. */
  children: ReactNode;
}

/** Above a list: how many rows are selected, and what can be done with them. As high without buttons, so that nothing jumps. */
export function SelectionBar({ selection, text = "Select all on this page", children }: SelectionBarProps) {
  const { ids, all, toggleAll } = selection;
  return (
    <div className="flex min-h-13 flex-wrap items-center justify-between gap-3 border-b border-line bg-subtle px-4 py-2.5 sm:px-6">
      <Checkbox value={all} onChange={toggleAll}>
        {ids.size === 0 ? text : `${ids.size} selected`}
      </Checkbox>
      <span className="flex flex-wrap gap-2">{children}</span>
    </div>
  );
}

/** At the start of a row. `name`: what the row is about. */
export function RowCheckbox({ selection, id, name }: { selection: Selection; id: string; name: string }) {
  return (
    <Checkbox value={selection.ids.has(id)} onChange={(isSelected) => selection.toggle(id, isSelected)}>
      <span className="sr-only">Select {name}</span>
    </Checkbox>
  );
}
