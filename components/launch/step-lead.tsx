import type { ReactNode } from "react";
import { NamesSwitch } from "@/components/configuration-form/names-shown";

/** What a step of questions is about. */
export function StepLead({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
      <p className="min-w-0 flex-1 basis-64 text-ink-soft">{children}</p>
      <NamesSwitch />
    </div>
  );
}
