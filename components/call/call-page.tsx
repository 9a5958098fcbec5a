"use client";

import { Link as LinkIcon, RotateCcw, Terminal } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { CopyTextButton } from "@/components/ui/code-block";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { TextLink } from "@/components/ui/text-link";
import { UserText } from "@/components/ui/user-text";
import type { CallView } from "@/lib/contract/call-view";
import type { Role } from "@/lib/contract/role";
import { toCurlCommand } from "@/lib/domain/curl-command";
import { CallBodies } from "./call-bodies";
import { linkToConsole, nameCall, wholePayload } from "./call-labels";
import { CallTimeline } from "./call-timeline";
import { DeliveryCard } from "./delivery-card";
import { EventCard } from "./event-card";
import { LogCard } from "./log-card";
import { LatencyBar } from "./latency-bar";
import { Outcome } from "./outcome";
import { StateSettings } from "./state-settings";
import { useCall } from "./use-call";

interface CallPageProps {
  initial: CallView;
  role: Role;
}

/** Everything about one call. It refreshes itself while it can still change. */
export function CallPage({ initial, role }: CallPageProps) {
  const { data: call = initial, error, dataUpdatedAt } = useCall(initial.id, initial);
  return (
    <>
      <PageHeader
        title={<UserText>{nameCall(call)}</UserText>}
        description={<Description call={call} />}
        back={{ href: `/installations/${call.installation.id}/calls`, text: "Calls" }}
        badges={
          <>
            <Outcome attempt={call} />
            {call.test && <Badge tone="warning">Test</Badge>}
          </>
        }
        actions={<Actions call={call} role={role} />}
      />
      {error !== null && <ProblemNotice error={error} className="mb-6" />}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex min-w-0 flex-col gap-6">
          <Card title="Timeline">
            <CallTimeline call={call} now={dataUpdatedAt} />
            <StateSettings call={call} />
          </Card>
          <CallBodies call={call} />
          {call.log.state !== "hidden" && <LogCard call={call} />}
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <Card title="Latency">
            <LatencyBar call={call} />
          </Card>
          <DeliveryCard call={call} role={role} />
          <EventCard call={call} />
        </div>
      </div>
    </>
  );
}

function Description({ call: { installation, startedAt } }: { call: CallView }) {
  return (
    <>
      <TextLink href={`/installations/${installation.id}`}>
        <UserText>{installation.title}</UserText>
      </TextLink>{" "}
      for {installation.tenantName}
      {installation.test && ", a Test Launch"}, <RelativeTime at={startedAt} />
    </>
  );
}

function Actions({ call, role }: { call: CallView; role: Role }) {
  const console = linkToConsole(call, role);
  const { address } = call;
  return (
    <>
      <CopyTextButton icon={LinkIcon} create={() => new URL(`/calls/${call.id}`, location.href).href}>
        Copy link
      </CopyTextButton>
      {address !== null && (
        <CopyTextButton
          icon={Terminal}
          create={() => toCurlCommand({ address, payload: wholePayload(call) })}
        >
          Copy as curl
        </CopyTextButton>
      )}
      {console !== undefined && (
        <LinkButton size="small" href={console}>
          <RotateCcw aria-hidden className="size-4" />
          Edit and send again
        </LinkButton>
      )}
    </>
  );
}
