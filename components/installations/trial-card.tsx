"use client";

import { FlaskConical, Rocket } from "lucide-react";
import { installationsPath } from "@/components/catalog/marketplace/launch-button";
import { Button } from "@/components/ui/button";
import { LinkButton } from "@/components/ui/links";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import type { InstallationView } from "@/lib/contract/installations/installation-view";
import { stateAfter } from "@/lib/domain/calls/installation";
import { useCommand } from "./commands";

interface TrialCardProps {
  installation: InstallationView;
  endsAt: string;
}

/** Marks the page as a trial, and says when it ends and how to go on. */
export function TrialCard({ installation, endsAt }: TrialCardProps) {
  const { name, state } = installation;
  const command = useCommand(installation);
  const isOver = state === "UNINSTALLING" || state === "UNINSTALLED";
  return (
    <section
      aria-label="Trial"
      className="flex flex-col gap-3 rounded-card border border-warning-line bg-warning-soft p-4 text-small leading-5"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <FlaskConical aria-hidden className="size-4 shrink-0 text-warning" />
        <p className="min-w-0 flex-1 basis-56 text-ink-soft">
          <span className="font-medium text-ink">Trial</span>:{" "}
          {isOver ? (
            "it has ended, and its settings and secrets were deleted."
          ) : (
            <>
              the insurer, its products, and its policies are made up, and nothing reaches a real core. It
              ends automatically <RelativeTime at={endsAt} />.
            </>
          )}
        </p>
        {isOver ? (
          <LinkButton size="small" href={`/marketplace/${name}`}>
            Open the listing
          </LinkButton>
        ) : (
          <>
            <UseForReal installation={installation} />
            <Button
              size="small"
              isDisabled={stateAfter(state, "uninstall") === undefined}
              isPending={command.isPending}
              onPress={() => command.mutate("uninstall")}
            >
              End trial
            </Button>
          </>
        )}
      </div>
      <ProblemNotice error={command.error} />
    </section>
  );
}

/** Launches it with the trial's settings. Where it runs for real already, that is where it is used. */
function UseForReal({ installation: { id, name, used } }: Pick<TrialCardProps, "installation">) {
  const { installed, hasOtherTenant } = used ?? { installed: [], hasOtherTenant: true };
  const isUsed = installed.length > 0;
  return (
    <>
      {isUsed && (
        <LinkButton size="small" tone="primary" href={installationsPath(name, installed)}>
          {installed.length === 1 ? "Open the installation" : `Open ${installed.length} installations`}
        </LinkButton>
      )}
      {(!isUsed || hasOtherTenant) && (
        <LinkButton size="small" tone={isUsed ? "secondary" : "primary"} href={`/launch/${name}?from=${id}`}>
          <Rocket aria-hidden className="size-4" />
          {isUsed ? "Use it for another tenant" : "Use it for real"}
        </LinkButton>
      )}
    </>
  );
}
