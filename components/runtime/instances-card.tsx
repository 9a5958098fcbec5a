"use client";

import { useMutation } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/forms/lazy-code";
import { SelectField } from "@/components/ui/forms/select-field";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { UserText } from "@/components/ui/values";
import { callApi } from "@/lib/client/api";
import type { ReplicasInput } from "@/lib/contract/catalog/listing";

export interface RunningInstance {
  id: string;
  /** Of its version. */
  number: string;
  replica: number;
  runtime: string;
  state: "STARTING" | "READY" | "DRAINING" | "FAILED" | "STOPPED";
  /** Why its health checks fail, or why it is draining. */
  reason: string | null;
  failingSince: Date | null;
  createdAt: Date;
  readyAt: Date | null;
  /** It is from before a restart, and will be replaced. */
  outdated: boolean;
}

interface InstancesCardProps {
  listing: { id: string; title: string };
  /** How many instances of each version should run. */
  replicas: number;
  instances: readonly RunningInstance[];
}

/** How much of an app runs, with each instance on demand, and the restart of all of them. */
export function InstancesCard({ listing, replicas, instances }: InstancesCardProps) {
  const canRestart = instances.some(({ state, outdated }) => state === "READY" && !outdated);
  if (instances.length === 0)
    return (
      <Card
        title="Instances"
        description="Nothing is running. A version starts when somebody launches the app, or when a call arrives for one that is asleep."
      >
        <RestartButton listing={listing} isDisabled />
      </Card>
    );
  const { ready, wanted } = countReady(instances, replicas);
  return (
    <Card
      flush
      title="Instances"
      description="Calls go to the healthy instance with the fewest calls in progress."
      actions={<RestartButton listing={listing} isDisabled={!canRestart} />}
    >
      <details className="group" open={ready < wanted}>
        <summary className="flex cursor-pointer items-center gap-2 border-t border-line px-4 py-3 text-sm font-medium -outline-offset-2 hover:bg-subtle sm:px-6">
          <ChevronRight
            aria-hidden
            className="size-4 shrink-0 text-ink-faint transition-transform group-open:rotate-90"
          />
          <span className={`tabular-nums ${ready < wanted ? "text-warning" : "text-ink"}`}>
            {ready} of {wanted} ready
          </span>
        </summary>
        <ul aria-label="Instances" className="divide-y divide-line border-t border-line">
          {instances.map((instance) => (
            <InstanceRow key={instance.id} instance={instance} />
          ))}
        </ul>
      </details>
    </Card>
  );
}

/** Instances that finish their last calls are not wanted anymore. */
function countReady(instances: readonly RunningInstance[], replicas: number) {
  const kept = instances.filter(({ state }) => state !== "DRAINING");
  const versions = new Set(kept.map(({ number }) => number)).size;
  return {
    ready: kept.filter(({ state, failingSince }) => state === "READY" && failingSince === null).length,
    wanted: Math.max(kept.length, versions * replicas),
  };
}

const RUNTIMES: Record<string, string> = { docker: "Container", process: "Process on the host" };

function InstanceRow({ instance }: { instance: RunningInstance }) {
  const { number, replica, runtime, reason, readyAt, createdAt } = instance;
  const [tone, text] = describeState(instance);
  return (
    <li className="flex flex-col gap-1 px-4 py-3 sm:px-6">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="flex flex-wrap items-center gap-2 font-medium tabular-nums">
          Version {number} · replica {replica + 1}
          <Badge tone={tone} dot>
            {text}
          </Badge>
        </span>
        <span className="text-small text-ink-faint">
          {RUNTIMES[runtime] ?? runtime} · {readyAt === null ? "created" : "ready"}{" "}
          <RelativeTime at={readyAt ?? createdAt} />
        </span>
      </div>
      {reason !== null && (
        <p className="text-small leading-5 wrap-anywhere text-ink-soft">
          <UserText>{reason}</UserText>
        </p>
      )}
    </li>
  );
}

function describeState({ state, failingSince, outdated }: RunningInstance): readonly [Tone, string] {
  if (state === "STARTING") return ["accent", "Starting"];
  if (state === "DRAINING") return ["neutral", "Finishing its last calls"];
  if (failingSince !== null) return ["warning", "Failing health checks"];
  return outdated ? ["accent", "Ready, about to be replaced"] : ["success", "Ready"];
}

/** The value of the choice that adds none. */
const NONE = "none";

interface ScaleCardProps {
  listingId: string;
  /** How many instances of each version should run. */
  replicas: number;
  /** Up to how many the platform may run while a version is busy; null if it adds none. */
  mostReplicas: number | null;
  /** The most that the operator allows. */
  most: number;
  /** In progress now; known where the platform may add replicas. */
  calls: number;
}

export function ScaleCard(props: ScaleCardProps) {
  return (
    <Card
      title="Replicas"
      description="How many instances of each version run. All installations of a version share them."
    >
      <ReplicasForm key={`${props.replicas} ${props.mostReplicas}`} {...props} />
    </Card>
  );
}

function ReplicasForm({ listingId, replicas, mostReplicas, most, calls }: ScaleCardProps) {
  const [chosen, setChosen] = useState({ replicas, mostReplicas });
  const router = useRouter();
  const save = useMutation({
    mutationFn: (input: ReplicasInput) =>
      callApi("PUT", `/api/listings/${listingId}/replicas`, { body: input }),
    onSuccess: () => router.refresh(),
  });
  const counts = Array.from({ length: most }, (_, index) => index + 1);
  const isChanged = chosen.replicas !== replicas || chosen.mostReplicas !== mostReplicas;
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(chosen);
      }}
    >
      <div className="flex flex-wrap items-end gap-3">
        <SelectField
          className="w-44"
          label="Replicas of each version"
          isRequired
          options={counts.map((count) => ({ value: String(count), text: countInstances(count) }))}
          value={String(chosen.replicas)}
          onChange={(value) => {
            const next = Number(value);
            const upTo = chosen.mostReplicas;
            setChosen({ replicas: next, mostReplicas: upTo !== null && upTo <= next ? null : upTo });
          }}
        />
        {most > chosen.replicas && (
          <SelectField
            className="w-44"
            label="When busy"
            isRequired
            options={[
              { value: NONE, text: "Don't add any" },
              ...counts
                .filter((count) => count > chosen.replicas)
                .map((count) => ({ value: String(count), text: `Up to ${countInstances(count)}` })),
            ]}
            value={String(chosen.mostReplicas ?? NONE)}
            onChange={(value) =>
              setChosen({ ...chosen, mostReplicas: value === NONE ? null : Number(value) })
            }
          />
        )}
        <Button type="submit" isDisabled={!isChanged} isPending={save.isPending}>
          Save
        </Button>
      </div>
      {mostReplicas !== null && (
        <p className="text-small leading-5 text-ink-soft tabular-nums">
          Calls in progress: {Math.round(calls)}. The platform adds replicas within seconds, and removes them
          after five quiet minutes.
        </p>
      )}
      {(chosen.mostReplicas ?? chosen.replicas) > 1 && (
        <p className="text-small leading-5 text-ink-soft">
          A call can reach any of them, so your app must not keep anything in memory that a later call needs.
        </p>
      )}
      <ProblemNotice error={save.error} />
    </form>
  );
}

function countInstances(count: number): string {
  return count === 1 ? "1 instance" : `${count} instances`;
}

function RestartButton({
  listing: { id, title },
  isDisabled,
}: {
  listing: InstancesCardProps["listing"];
  isDisabled: boolean;
}) {
  const [isOpen, setOpen] = useState(false);
  const router = useRouter();
  const restart = useMutation({
    mutationFn: () => callApi("POST", `/api/listings/${id}/restart`),
    onSuccess: () => {
      setOpen(false);
      router.refresh();
    },
  });
  return (
    <>
      <Button isDisabled={isDisabled} onPress={() => setOpen(true)}>
        Restart
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onOpenChange={(open) => {
          setOpen(open);
          restart.reset();
        }}
        title={`Restart ${title}?`}
        confirmText="Restart"
        tone="primary"
        onConfirm={() => restart.mutate()}
        isPending={restart.isPending}
        error={restart.error}
      >
        Instances are replaced one at a time. Calls in progress finish on the old instance, and no call is
        lost. If the new one fails to start, the old one keeps serving.
      </ConfirmDialog>
    </>
  );
}
