/** The list of shortcuts that `?` opens on every page, with those that the open page adds. */
import { useEffect } from "react";
import { createStore } from "zustand/vanilla";

export interface ShortcutGroup {
  title: string;
  rows: readonly { what: string; keys: readonly string[] }[];
}

interface ListedShortcuts {
  isOpen: boolean;
  /** Of the open page. */
  added?: ShortcutGroup;
}

export const shortcutList = createStore<ListedShortcuts>(() => ({ isOpen: false }));

export function openShortcutList(): void {
  shortcutList.setState({ isOpen: true });
}

/** @param group a constant */
export function useListedShortcuts(group: ShortcutGroup): void {
  useEffect(() => {
    shortcutList.setState({ added: group });
    return () => shortcutList.setState({ added: undefined });
  }, [group]);
}
