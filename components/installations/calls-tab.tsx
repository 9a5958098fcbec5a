"use client";

import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { CallLog } from "@/components/insight/call-log/call-log";
import type { FirstPage } from "@/components/insight/call-log/use-call-log";
import { Button } from "@/components/ui/button";
import { Card, Skeleton } from "@/components/ui/card";
import { lazyPart } from "@/components/ui/forms/lazy-code";
import type { CallScopes } from "@/lib/contract/insight/call";
import type { InstallationView } from "@/lib/contract/installations/installation-view";
import type { Role } from "@/lib/contract/platform/role";
import { mayOperate } from "@/lib/domain/calls/installation";
import { useInstallation } from "./use-installation";
import { useProductSamples } from "./console/console-data";

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

/** Knows the event catalog and JSONPath, which the page needs only for an open console. */
const CallForm = lazyPart(
  async () => (await import("./console/call-form")).CallForm,
  <Skeleton className="h-96 w-full" />,
);

interface CallConsoleProps {
  installation: InstallationView;
  role: Role;
}

/** Sends test calls and shows their results. `?again=<id>` opens it with the payload of that call. */
export function CallConsole({ installation, role }: CallConsoleProps) {
  const isAsked = useSearchParams().has("again");
  // On a production installation it needs a click, because a test call reaches the running app.
  const [wasOpened, setOpened] = useState(false);
  const allowed = mayOperate(role, installation.test);
  const isOpen = installation.test || isAsked || wasOpened;
  return (
    <Card
      id="console"
      title="Console"
      description="Send a test call as the core would, and see how the app responds."
    >
      {!allowed && (
        <p className="text-ink-soft">
          Only operators and owners of your organization can send test calls. Publishers can send them to Test
          Launches.
        </p>
      )}
      {allowed && !isOpen && <Button onPress={() => setOpened(true)}>Open console</Button>}
      {allowed && isOpen && (
        <div className="flex flex-col gap-6">
          <OpenConsole installation={installation} testOnly={!mayOperate(role, false)} />
        </div>
      )}
    </Card>
  );
}

/** Waits for the tenant's products, so that no sample changes while it is read. */
function OpenConsole({ installation, testOnly }: { installation: InstallationView; testOnly: boolean }) {
  const { data, isPending } = useProductSamples(installation.id);
  if (isPending) return <Skeleton className="h-96 w-full" />;
  return <CallForm installation={installation} products={data?.products ?? []} testOnly={testOnly} />;
}
