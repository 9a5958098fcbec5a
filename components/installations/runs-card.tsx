import { ScrollText } from "lucide-react";
import { Card } from "@/components/ui/card";
import { type Fact, FactList, LongText } from "@/components/ui/fact-list";
import { LinkButton, TextLink } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { LogTail, NextStep, ShortId } from "@/components/ui/technical-text";
import type { InstallationStatus } from "@/lib/contract/insight/health";
import type { InstallationView } from "@/lib/contract/installations/installation-view";
import { showsLog } from "./health-notice";

const INSTANCE_LABELS: Record<string, string> = {
  STARTING: "Starting",
  READY: "Ready",
  DRAINING: "Ending after its last calls",
  FAILED: "Failed",
  STOPPED: "Stopped",
};
const RUNTIME_LABELS: Record<string, string> = {
  docker: "Container",
  kubernetes: "Pod in the cluster",
  process: "Process on the host",
};

export function RunsCard({ installation }: { installation: InstallationView }) {
  const { instance, tenant, version, logsPath, upgradeTo, upgrade } = installation;
  const isNewest = upgradeTo === null && upgrade?.state !== "STARTING" && installation.pilot === undefined;
  return (
    <Card
      title="Details"
      actions={
        logsPath !== null && (
          <LinkButton size="small" href={logsPath}>
            <ScrollText aria-hidden className="size-4" />
            Logs
          </LinkButton>
        )
      }
    >
      <div className="flex flex-col gap-4">
        {instance?.runtime === "process" && instance.moving === false && (
          <Notice tone="warning" title="Not isolated">
            This app runs as a plain process on the machine of the platform, not in a container. Use this only
            for trying things out.
          </Notice>
        )}
        <FactList
          rows={[
            { key: "app", name: "App", value: installation.name },
            {
              key: "version",
              name: "Version",
              value: (
                <>
                  {version}
                  {isNewest && <span className="text-ink-faint"> (latest)</span>}
                </>
              ),
            },
            {
              key: "image",
              name: "Image",
              value: <ShortId label="image digest" value={installation.imageDigest} />,
            },
            {
              key: "runtime",
              name: "Runtime",
              value:
                instance === null
                  ? "Not started yet"
                  : instance.moving === true
                    ? "Moving to a container"
                    : (RUNTIME_LABELS[instance.runtime] ?? instance.runtime),
            },
            ...(instance === null ? [] : instanceFacts(installation.health.status, instance)),
            {
              key: "tenant",
              name: "Tenant",
              value: (
                <>
                  <TextLink href={`/tenants/${tenant.id}`}>{tenant.name}</TextLink>
                  {tenant.sandbox && <span className="text-ink-faint"> (sandbox)</span>}
                </>
              ),
            },
            launchedFact(installation),
          ]}
        />
      </div>
    </Card>
  );
}

function launchedFact({ createdAt, createdBy }: InstallationView): Fact {
  return {
    key: "launched",
    name: "Launched",
    value: (
      <>
        <RelativeTime at={createdAt} /> by {createdBy}
      </>
    ),
  };
}

type Instance = NonNullable<InstallationView["instance"]>;

function instanceFacts(status: InstallationStatus, instance: Instance): Fact[] {
  const { state, readyAt, reason, reasonCode, failures, lastFailure, log } = instance;
  // The notice above says why, and what to do.
  const isExplained = showsLog(status);
  return [
    {
      key: "instance",
      name: "Instance",
      value: (
        <>
          {INSTANCE_LABELS[state] ?? state}
          {state === "READY" && readyAt !== null && (
            <>
              {" "}
              · started <RelativeTime at={readyAt} />
            </>
          )}
          {!isExplained && reason !== null && reason !== lastFailure?.reason && (
            <>
              <LongText label="Reason" className="text-small text-ink-soft">
                {reason}
              </LongText>
              {reasonCode !== null && <NextStep code={reasonCode} />}
            </>
          )}
        </>
      ),
    },
    {
      key: "failures",
      name: "Failures",
      value: failures === 0 ? "None in the last hour" : `${failures} in the last hour`,
    },
    ...(lastFailure === null ? [] : [lastFailureFact(lastFailure, log, isExplained)]),
  ];
}

/** Kept when the app is restarted. */
function lastFailureFact(
  { at, code, reason }: NonNullable<Instance["lastFailure"]>,
  log: Instance["log"],
  isExplained: boolean,
): Fact {
  return {
    key: "last-failure",
    name: "Last failure",
    value: (
      <>
        <RelativeTime at={at} />
        {!isExplained && (
          <>
            <LongText label="Reason" className="text-small text-ink-soft">
              {reason}
            </LongText>
            {code !== null && <NextStep code={code} />}
            {log !== null && <LogTail log={log} />}
          </>
        )}
      </>
    ),
  };
}

/** What is kept of an uninstalled installation. */
export function RemainsCard({ installation }: { installation: InstallationView }) {
  const { id, name, listing, version, imageDigest, tenant, test, updatedAt, configuration } = installation;
  return (
    <Card
      title="Details"
      description="The record of what ran. Settings and secrets were deleted."
      actions={
        <>
          <LinkButton size="small" href={`/installations/${id}/history`}>
            History
          </LinkButton>
          {!test && listing.state === "PUBLIC" && (
            <LinkButton size="small" href={`/marketplace/${name}`}>
              View listing
            </LinkButton>
          )}
        </>
      }
    >
      <FactList
        rows={[
          { key: "app", name: "App", value: name },
          { key: "version", name: "Version", value: version },
          { key: "image", name: "Image", value: <ShortId label="image digest" value={imageDigest} /> },
          { key: "tenant", name: "Tenant", value: `${tenant.name} (${tenant.hostName})` },
          launchedFact(installation),
          { key: "uninstalled", name: "Uninstalled", value: <RelativeTime at={updatedAt} /> },
          { key: "revisions", name: "Revisions", value: configuration.revision },
        ]}
      />
    </Card>
  );
}
