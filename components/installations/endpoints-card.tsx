"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/forms/lazy-code";
import { Switch } from "@/components/ui/forms/toggles";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { ShortId } from "@/components/ui/technical-text";
import { callApi } from "@/lib/client/api";
import type { EndpointView, InstallationView } from "@/lib/contract/installations/installation-view";

interface EndpointsCardProps {
  installation: Pick<InstallationView, "id" | "endpoints" | "state">;
  operable: boolean;
}

/** The paths that third parties and browsers reach, with a switch for each public one, and a way to replace the URL. */
export function EndpointsCard({ installation, operable }: EndpointsCardProps) {
  const { id, endpoints, state } = installation;
  if (endpoints.length === 0) return null;
  const changeable = operable && state !== "UNINSTALLING";
  return (
    <Card
      title="Endpoints"
      description="Third parties and browsers reach the app for this tenant here, while it is running."
      actions={changeable ? <ReplaceUrl id={id} /> : undefined}
      flush
    >
      <ul className="divide-y divide-line border-t border-line">
        {endpoints.map((endpoint) => (
          <Endpoint key={endpoint.routeId} id={id} endpoint={endpoint} changeable={changeable} />
        ))}
      </ul>
    </Card>
  );
}

interface EndpointProps {
  /** Of the installation. */
  id: string;
  endpoint: EndpointView;
  changeable: boolean;
}

function Endpoint({ id, endpoint, changeable }: EndpointProps) {
  const { routeId, title, methods, access, address, open } = endpoint;
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (isOpen: boolean) =>
      callApi("PUT", `/api/installations/${id}/endpoints/${routeId}`, { body: { open: isOpen } }),
    onSettled: () => client.invalidateQueries({ queryKey: ["installation", id] }),
  });
  const isPublic = access === "public";
  return (
    <li className="flex flex-col gap-2 px-4 py-4 sm:px-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <bdi className="min-w-0 font-medium break-words text-ink">{title}</bdi>
        <Badge tone={isPublic && open ? "warning" : "neutral"}>
          {isPublic ? (open ? "Public" : "Public, closed") : "Core credential"}
        </Badge>
        {isPublic && changeable && (
          <span className="ml-auto">
            <Switch
              value={change.isPending ? change.variables : open}
              onChange={change.mutate}
              isDisabled={change.isPending}
            >
              Open<span className="sr-only"> {title}</span>
            </Switch>
          </span>
        )}
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-small">
        <span translate="no" className="font-mono text-ink-faint">
          {methods.join(", ")}
        </span>
        <ShortId value={address} label={`URL of ${title}`} />
      </div>
      <p className="text-small leading-5 text-ink-faint">{describeAccess(endpoint)}</p>
      <ProblemNotice error={change.error} />
    </li>
  );
}

function describeAccess({ access, open }: Pick<EndpointView, "access" | "open">): string {
  if (access === "core") return "Callers need the tenant's core credential.";
  return open ? "Anyone who knows the URL can call it." : "Requests get a 404 until you open it.";
}

const EFFECTS = [
  "The current URLs stop working immediately.",
  "The app gets the new URL the next time it starts. To pass it on now, stop and start the app.",
  "Give the new URL to everyone who calls these endpoints.",
];

function ReplaceUrl({ id }: { id: string }) {
  const [asking, setAsking] = useState(false);
  const client = useQueryClient();
  const replace = useMutation({
    mutationFn: () => callApi("POST", `/api/installations/${id}/route-base`),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["installation", id] });
      setAsking(false);
    },
  });
  const ask = () => {
    replace.reset();
    setAsking(true);
  };
  return (
    <>
      <Button size="small" onPress={ask}>
        Replace URL
      </Button>
      <ConfirmDialog
        isOpen={asking}
        onOpenChange={setAsking}
        title="Replace the URL of all endpoints?"
        confirmText="Replace URL"
        onConfirm={() => replace.mutate()}
        isPending={replace.isPending}
        error={replace.error}
      >
        <ul className="flex list-disc flex-col gap-1 pl-5 marker:text-ink-faint">
          {EFFECTS.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </ConfirmDialog>
    </>
  );
}
