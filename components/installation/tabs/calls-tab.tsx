"use client";

import { CallLog } from "@/components/call-log/call-log";
import type { FirstPage } from "@/components/call-log/use-call-log";
import { CallConsole } from "@/components/console/console";
import type { CallScopes } from "@/lib/contract/call-log";
import { useInstallation } from "../use-installation";

interface CallsTabProps {
  first?: FirstPage;
  scopes: CallScopes;
}

/** The console, and all calls of the app for this tenant. */
export function CallsTab({ first, scopes }: CallsTabProps) {
  const { installation, role } = useInstallation();
  return (
    <>
      {installation.state !== "UNINSTALLED" && <CallConsole installation={installation} role={role} />}
      <CallLog installation={installation} role={role} first={first} scopes={scopes} />
    </>
  );
}
