"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/lazy-dialogs";
import type { InstallationState } from "@/lib/contract/installation-states";
import type { InstallationView } from "@/lib/contract/installation-view";
import { Effects, useCommand } from "../commands";

/** Removes the app from the tenant, after its name was typed. */
export function UninstallCard({ installation }: { installation: InstallationView }) {
  const [asking, setAsking] = useState(false);
  const command = useCommand(installation, () => setAsking(false));
  const ask = () => {
    command.reset();
    setAsking(true);
  };
  return (
    <Card
      title="Uninstall"
      description={`Removes the app from ${installation.tenant.name} with its settings, secrets, and routes. This can't be undone.`}
    >
      <Button tone="danger" onPress={ask}>
        Uninstall
      </Button>
      <ConfirmDialog
        isOpen={asking}
        onOpenChange={() => setAsking(false)}
        title={`Uninstall ${installation.title}?`}
        confirmText="Uninstall"
        typeToConfirm={installation.name}
        onConfirm={() => command.mutate("uninstall")}
        isPending={command.isPending}
        error={command.error}
      >
        <p className="mb-2">Removes the app from {installation.tenant.name}. This can&apos;t be undone.</p>
        <Effects lines={uninstallEffects(installation.state)} />
      </ConfirmDialog>
    </Card>
  );
}

/** In the order in which they happen. */
function uninstallEffects(state: InstallationState): string[] {
  return [
    state === "RUNNING"
      ? "The core's calls are refused, and state keys stop working within one second."
      : "State keys stop working within one second.",
    "The app's stop and uninstall hooks are called, if it has them. If a hook fails, the app is uninstalled anyway.",
    "Its settings, secrets, and routes are deleted.",
    "The history and the audit log are kept. They contain no secrets.",
  ];
}
