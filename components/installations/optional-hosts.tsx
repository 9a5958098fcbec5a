"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { Switch } from "@/components/ui/forms/toggles";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { UserText } from "@/components/ui/values";
import { callApi } from "@/lib/client/api";
import type { OptionalHost } from "@/lib/contract/catalog/rights";

interface OptionalHostsNoteProps {
  count: number;
  /** Only owners decide for their organization. */
  mayRefuse: boolean;
  /** Whether anything blocks what is refused. */
  isGuarded: boolean;
}

/** What refusing an optional host does, above the list of hosts. */
export function OptionalHostsNote({ count, mayRefuse, isGuarded }: OptionalHostsNoteProps) {
  const [hosts, them] = count === 1 ? ["1 of its hosts", "it"] : [`${count} of its hosts`, "them"];
  return (
    <p>
      The app works without {hosts}. {mayRefuse ? "You can refuse" : "An owner can refuse"} {them} for your
      organization, and the app is told with each call.{" "}
      {isGuarded
        ? "The platform blocks a host once all customers of the app have refused it, because one container serves all of them."
        : "The platform doesn't block the connections of this app, so whether it follows a refusal is up to the app."}
    </p>
  );
}

interface HostAccessProps {
  installationId: string;
  host: OptionalHost;
  mayRefuse: boolean;
}

/** Whether the organization allows an optional host, with a switch for owners; who refused it, and whether it is blocked. */
export function HostAccess({ installationId, host: { host, refused }, mayRefuse }: HostAccessProps) {
  const router = useRouter();
  const change = useMutation({
    mutationFn: (isAllowed: boolean) =>
      callApi("PUT", `/api/installations/${installationId}/hosts`, { body: { host, refused: !isAllowed } }),
    onSettled: () => router.refresh(),
  });
  const isAllowed = change.isPending ? change.variables : refused === undefined;
  return (
    <span className="inline-flex max-w-72 flex-col items-start gap-1 align-top">
      {mayRefuse && (
        <Switch value={isAllowed} onChange={change.mutate} isDisabled={change.isPending}>
          Allow<span className="sr-only"> {host}</span>
        </Switch>
      )}
      {refused === undefined ? (
        !mayRefuse && "Allowed"
      ) : (
        <span className="text-small leading-5 text-warning">
          Refused by <UserText>{refused.by}</UserText> <RelativeTime at={refused.at} />.{" "}
          {refused.isBlocked ? "Blocked for the app." : "Not blocked: the app is only told."}
        </span>
      )}
      <ProblemNotice error={change.error} />
    </span>
  );
}
