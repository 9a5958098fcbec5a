"use client";

import { ShieldQuestion } from "lucide-react";
import { useIsAway } from "@/components/platform/availability";
import { Badge } from "@/components/ui/badge";
import { Card, EmptyState } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { TextLink } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { docsPath } from "@/lib/contract/platform/docs-pages";
import type { IsolationPlace, IsolationView } from "@/lib/contract/runtime/isolation";
import { groupCommands, isAsExpected, listReached, shortenAddresses } from "@/lib/domain/runtime/isolation";

/** The latest check of what apps can reach. */
export function IsolationReport({ isolation }: { isolation: IsolationView }) {
  return (
    <div className="flex flex-col gap-6">
      <EgressNotice egress={isolation.egress} problem={isolation.problem} />
      <Places isolation={isolation} />
    </div>
  );
}

/** Which way is in force. */
function EgressNotice({ egress, problem }: Pick<IsolationView, "egress" | "problem">) {
  if (egress === null) return null;
  if (egress.way === "guard")
    return (
      <Notice tone="success" title="The egress guard limits apps to the hosts that they declare">
        Apps that start now reach the state API, the cores of their customers, and the hosts in their
        manifests. An app whose manifest has no list of hosts can connect to any host on the internet, on
        ports 80 and 443.
      </Notice>
    );
  return (
    <Notice tone="warning" title="Nothing limits apps to the hosts that they declare">
      {egress.why !== problem && `${egress.why} `}Customers see this next to what an app may do.
    </Notice>
  );
}

function Places({ isolation }: { isolation: IsolationView }) {
  const { state, checkedAt, durationMs, problem, places } = isolation;
  const isWorkerAway = useIsAway("worker");
  if (state === "failed")
    return (
      <Notice tone="danger" title="What apps can reach is unknown">
        {problem ?? "The check ended without a result. Check again."}{" "}
        <TextLink href={docsPath("security", "what-an-app-can-reach")}>What apps can reach</TextLink>
      </Notice>
    );
  if (places.length === 0)
    return (
      <Card flush>
        <EmptyState
          icon={ShieldQuestion}
          title={
            state === "checking" && !isWorkerAway ? "The check is running" : "Nothing has been checked yet"
          }
        >
          {isWorkerAway
            ? "The platform's worker is unavailable. It checks what apps can reach when it is back."
            : state === "checking"
              ? "It takes a few seconds. The result appears here."
              : "A worker checks what apps can reach when it starts. Start one, or check again."}
        </EmptyState>
      </Card>
    );
  const fixes = groupCommands(places);
  return (
    <div className="flex flex-col gap-6">
      <Verdict places={places} />
      <Card
        flush
        title="Places"
        description={
          <>
            Checked <RelativeTime at={checkedAt ?? ""} />
            {durationMs !== null && ` in ${(durationMs / 1000).toFixed(1)} s`}, from a container with the
            limits and the network of an app.
          </>
        }
      >
        <Table label="Places">
          <TableHead columns={["Place", "Expected", "Result", "Addresses"]} />
          <TableBody>
            {places.map((place) => (
              <PlaceRow key={place.name} place={place} />
            ))}
          </TableBody>
        </Table>
      </Card>
      {fixes.length > 0 && (
        <Card
          title={
            fixes.every(({ expected }) => expected === "closed")
              ? "Close the open places"
              : "Fix the firewall"
          }
          description="Run these commands on the container engine's machine (Linux with iptables), then check again. Save your firewall's rules, because a restart of the machine removes them."
        >
          <div className="flex flex-col gap-5">
            {fixes.map(({ names, commands, expected }) => (
              <div key={commands.join()} className="min-w-0">
                <p className="mb-2 text-sm text-ink">
                  {expected === "closed" ? "Closes" : "Lets apps reach"} {joinNames(names)}
                </p>
                <CodeBlock
                  code={commands.join("\n")}
                  label={`commands that ${expected === "closed" ? "close" : "let apps reach"} ${joinNames(names)}`}
                  wrap
                />
              </div>
            ))}
          </div>
        </Card>
      )}
    </div>
  );
}

const NO_STATE =
  "They can't read their configuration, so they fail. Check that the gateway runs, and that a firewall lets containers reach PLATFORM_STATE_API_CONTAINER.";

function Verdict({ places }: { places: readonly IsolationPlace[] }) {
  const open = places.filter((place) => place.expected === "closed" && !isAsExpected(place));
  const missing = places.filter((place) => place.expected === "reachable" && !isAsExpected(place));
  if (missing.length > 0)
    return (
      <Notice tone="danger" title={`Apps can't reach ${joinNames(missing.map(({ name }) => name))}`}>
        {[...new Set(missing.map(({ fix = NO_STATE }) => fix))].join(" ")}
      </Notice>
    );
  if (open.length > 0)
    return (
      <Notice
        tone="warning"
        title={`Apps can reach ${open.length} ${open.length === 1 ? "place that" : "places that"} should be closed`}
      >
        {capitalize(joinNames(open.map(({ name }) => name)))}. The commands below close what is open.
      </Notice>
    );
  return (
    <Notice tone="success" title="All places are as expected">
      Apps can reach what they need, and nothing answered at the other addresses.
    </Notice>
  );
}

function PlaceRow({ place }: { place: IsolationPlace }) {
  const reached = listReached(place);
  const addresses = reached.length > 0 ? reached : place.tried.map(({ address }) => address);
  return (
    <TableRow>
      <TableCell className="font-medium text-ink">{capitalize(place.name)}</TableCell>
      <TableCell label="Expected" className="text-ink-soft">
        {place.expected === "reachable" ? "Reachable" : "Closed"}
      </TableCell>
      <TableCell label="Result">
        <Badge tone={isAsExpected(place) ? "success" : "danger"} dot>
          {reached.length === 0 ? "No answer" : place.expected === "closed" ? "Open" : "Reachable"}
        </Badge>
      </TableCell>
      <TableCell translate="no" label="Addresses" className="font-mono text-small text-ink-soft">
        {addresses.length === 0 ? "none to try" : shortenAddresses(addresses)}
      </TableCell>
    </TableRow>
  );
}

function joinNames(names: readonly string[]): string {
  return new Intl.ListFormat("en-US").format(names);
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
