"use client";

import { useSyncExternalStore } from "react";
import { Switch } from "@/components/ui/toggles";

const KEY = "names-shown";
const listeners = new Set<() => void>();
let shown: boolean | undefined;

/** Whether the inputs say their names: for people who write apps. The same on all pages, and on the next visit. */
export function useNamesShown(): boolean {
  return useSyncExternalStore(subscribe, read, () => false);
}

export function NamesSwitch() {
  const isOn = useNamesShown();
  return (
    <div className="shrink-0">
      <Switch value={isOn} onChange={write}>
        Show names
      </Switch>
    </div>
  );
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

function read(): boolean {
  try {
    shown ??= localStorage.getItem(KEY) === "1";
  } catch {
    shown = false;
  }
  return shown;
}

function write(next: boolean): void {
  shown = next;
  try {
    localStorage.setItem(KEY, next ? "1" : "0");
  } catch {
    // Without storage it holds for this page.
  }
  for (const listener of listeners) listener();
}
