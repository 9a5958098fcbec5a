import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import type { InstallationView } from "@/lib/contract/installation-view";
import { FactList } from "./fact-list";

const INSTANCE_WORDS: Record<string, string> = {
  STARTING: "Starting",
  READY: "Ready",
  FAILED: "Failed",
  STOPPED: "Stopped",
};
const RUNTIME_WORDS: Record<string, string> = { docker: "Container", process: "Process on the host" };

export function RunsCard({ installation }: { installation: InstallationView }) {
  const { instance } = installation;
  return (
    <Card title="What runs">
      <div className="flex flex-col gap-4">
        {instance?.runtime === "process" && (
          <Notice tone="warning" title="Not isolated">
            No container engine is reachable, so the app runs as a process of this machine. That is for trying
            out only.
          </Notice>
        )}
        <FactList
          rows={[
            { name: "App", value: installation.name },
            { name: "Version", value: installation.version },
            {
              name: "Image",
              value: <span className="font-mono text-[13px] break-all">{installation.imageDigest}</span>,
            },
            {
              name: "Runtime",
              value:
                instance === null ? "Not started yet" : (RUNTIME_WORDS[instance.runtime] ?? instance.runtime),
            },
            ...(instance === null ? [] : [{ name: "Instance", value: instanceInWords(instance) }]),
            {
              name: "Core API",
              value: (
                <span className="font-mono text-[13px] break-all">{installation.tenant.coreApiUrl}</span>
              ),
            },
            {
              name: "Launched",
              value: (
                <>
                  <RelativeTime at={installation.createdAt} /> by {installation.createdBy}
                </>
              ),
            },
          ]}
        />
      </div>
    </Card>
  );
}

function instanceInWords(instance: NonNullable<InstallationView["instance"]>) {
  const state = INSTANCE_WORDS[instance.state] ?? instance.state;
  const restarts =
    instance.restarts === 0
      ? ""
      : `, restarted ${instance.restarts === 1 ? "once" : `${instance.restarts} times`}`;
  return (
    <>
      {state}
      {instance.state === "READY" && instance.readyAt !== null && (
        <>
          {" "}
          since <RelativeTime at={instance.readyAt} />
        </>
      )}
      {restarts}
      {instance.reason !== null && <span className="block text-[13px] text-ink-soft">{instance.reason}</span>}
    </>
  );
}
