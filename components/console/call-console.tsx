"use client";

import { Card } from "@/components/ui/card";
import type { InstallationView } from "@/lib/contract/installation-view";
import type { Role } from "@/lib/contract/organization";
import { mayOperate } from "@/lib/domain/installation";
import { AttemptList } from "./attempt-list";
import { CallForm } from "./call-form";

interface CallConsoleProps {
  installation: InstallationView;
  role: Role;
}

/** Fires a call as the core would, and shows request, state read and answer. Who may not fire sees what was fired. */
export function CallConsole({ installation, role }: CallConsoleProps) {
  return (
    <Card title="Console" description="Fire a call as the core would, and see what the app makes of it.">
      <div className="flex flex-col gap-6">
        {mayOperate(role, installation.test) ? (
          <CallForm installation={installation} testOnly={!mayOperate(role, false)} />
        ) : (
          <p className="text-ink-soft">
            Operators and owners of your organization fire calls at it. Publishers fire calls at Test
            Launches.
          </p>
        )}
        <AttemptList installation={installation} />
      </div>
    </Card>
  );
}
