"use client";

import { CallConsole } from "@/components/console/console";
import { AttemptList } from "@/components/console/attempt-list";
import { Card } from "@/components/ui/card";
import { useInstallation } from "../use-installation";

/** The console, and all calls of the app for this tenant. */
export function CallsTab() {
  const { installation, role } = useInstallation();
  return (
    <>
      {installation.state !== "UNINSTALLED" && <CallConsole installation={installation} role={role} />}
      <Card title="Calls" description="What the core, the platform, and this console sent to the app.">
        <AttemptList installation={installation} />
      </Card>
    </>
  );
}
