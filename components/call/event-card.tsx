import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { RelativeTime } from "@/components/ui/relative-time";
import { ShortId } from "@/components/ui/short-id";
import { TextLink } from "@/components/ui/text-link";
import { UserText } from "@/components/ui/user-text";
import { FactList } from "@/components/installation/fact-list";
import type { CallView } from "@/lib/contract/call-view";
import { DeliveryBadge } from "./delivery-card";

/** The event that a call delivers, and every installation of the organization that gets it. */
export function EventCard({ call: { id, event } }: { call: Pick<CallView, "id" | "event"> }) {
  if (event === null) return null;
  return (
    <Card title="Event" actions={event.test ? <Badge tone="warning">Test</Badge> : undefined}>
      <FactList
        rows={[
          { key: "type", name: "Type", value: <code className="font-mono text-[13px]">{event.type}</code> },
          { key: "core", name: "ID", value: <ShortId value={event.coreId} label="event ID" /> },
          { key: "id", name: "webhook-id", value: <ShortId value={event.id} label="webhook-id" /> },
          { key: "at", name: "Received", value: <RelativeTime at={event.receivedAt} /> },
        ]}
      />
      <h3 className="mt-5 text-[13px] font-medium text-ink">
        Sent to {event.deliveries.length} {event.deliveries.length === 1 ? "route" : "routes"}
      </h3>
      <ul aria-label="Deliveries of this event" className="mt-2 divide-y divide-line border-y border-line">
        {event.deliveries.map(({ id: key, title, path, state, test, attemptId }) => (
          <li key={key} className="flex flex-wrap items-center gap-x-2 gap-y-1 py-2">
            {attemptId === null || attemptId === id ? (
              <UserText className="wrap-anywhere text-ink">{title}</UserText>
            ) : (
              <TextLink href={`/calls/${attemptId}`}>
                <UserText>{title}</UserText>
              </TextLink>
            )}
            <code className="font-mono text-xs break-all text-ink-faint">{path}</code>
            {test && <Badge tone="warning">Test Launch</Badge>}
            <span className="ml-auto">
              <DeliveryBadge state={state} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
