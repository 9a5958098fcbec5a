"use client";

import { useRouter } from "next/navigation";
import type { ConfigurationView } from "@/lib/contract/installations/configuration-view";
import type { PathNotes } from "@/lib/domain/catalog/mapping/check-path";
import { ConfigureForm } from "./configure-form";
import { useSavedToast } from "./saved-toast";

interface ConfigureInstallationProps {
  initial: ConfigurationView;
  /** Of the stored paths. */
  notes: PathNotes;
}

/** The form on an installation's page. A save leads to the overview, which confirms it. */
export function ConfigureInstallation({ initial, notes }: ConfigureInstallationProps) {
  const router = useRouter();
  const showToast = useSavedToast();
  return (
    <ConfigureForm
      initial={initial}
      notes={notes}
      onReplaced={router.refresh}
      onSaved={(revision) => {
        showToast(revision);
        router.push(`/installations/${initial.installationId}`);
        // After a return, this form shows what is stored then, not what it was opened with.
        router.refresh();
      }}
    />
  );
}
