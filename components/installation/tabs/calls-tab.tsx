"use client";

import { CallList } from "@/components/console/call-list";
import { CallConsole } from "@/components/console/console";
import { Card } from "@/components/ui/card";
import type { AttemptFilter } from "@/lib/contract/installation";
import type { AttemptPage } from "@/lib/contract/installation-view";
import { useInstallation } from "../use-installation";

interface CallsTabProps {
  /** The first page of calls, and the filter it was read with. */
  first?: { page: AttemptPage; filter: AttemptFilter };
}

/** The console, and all calls of the app for this tenant. */
export function CallsTab({ first }: CallsTabProps) {
  const { installation, role } = useInstallation();
  return (
    <>
      {installation.state !== "UNINSTALLED" && <CallConsole installation={installation} role={role} />}
      <Card title="Calls" description="What the core, the platform, and the console sent to the app.">
        <CallList installation={installation} first={first} />
      </Card>
    </>
  );
}
