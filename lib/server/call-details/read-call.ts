import type { CallEvent, CallLog, CallView } from "@/lib/contract/call-view";
import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Agent } from "@/lib/domain/actor";
import { mayReadLogs } from "@/lib/domain/listing";
import { routeUrl } from "../calls/route-url";
import type { Db } from "../database/connect";
import type { Platform } from "../platform/platform";
import { selectAttempt } from "./attempt-queries";
import { selectContext, selectDeliveriesOfEvent, selectLogExcerpt } from "./queries";
import { findDelivery } from "./read-delivery";

/**
 * One call of the organization. Throws NOT_FOUND for any other.
 * @param listingId calls to other apps are not found either
 */
export async function readCall(
  platform: Platform,
  agent: Agent,
  attemptId: string,
  listingId?: string,
): Promise<CallView> {
  const { db } = platform;
  const organizationId = agent.organization.id;
  const attempt = isId(attemptId) ? await selectAttempt(db, organizationId, attemptId) : undefined;
  if (attempt === undefined) throw new Problem("NOT_FOUND");
  const [context, found] = await Promise.all([
    selectContext(db, attempt.installationId, attempt.stateRevision),
    attempt.deliveryId === null ? undefined : findDelivery(db, organizationId, attempt.deliveryId),
  ]);
  if (context === undefined || (listingId ?? context.listingId) !== context.listingId)
    throw new Problem("NOT_FOUND");
  const [event, log] = await Promise.all([
    found === undefined ? null : viewEvent(db, organizationId, found.event),
    mayReadLogs(agent, context.publisherId) ? viewLog(db, attempt.id) : { state: "hidden" as const },
  ]);
  const { settings, instanceState, publisherId: _, listingId: _listing, ...installation } = context;
  return {
    ...viewAttempt(attempt),
    stateSettings: settings,
    installation: {
      ...installation,
      instance: instanceState === null ? null : { state: instanceState },
    },
    address: findAddress(platform, attempt),
    delivery: found?.delivery ?? null,
    event,
    log,
  };
}

type AttemptRow = NonNullable<Awaited<ReturnType<typeof selectAttempt>>>;

/** Lists each member, so that a column that is added to the table is not shown by accident. */
function viewAttempt(row: AttemptRow) {
  return {
    id: row.id,
    routeId: row.routeId,
    deliveryId: row.deliveryId,
    kind: row.kind,
    hook: row.hook,
    target: row.target,
    test: row.test,
    eventType: row.eventType,
    dueAt: toIso(row.dueAt),
    heldBy: row.heldBy,
    queueMs: row.queueMs,
    platformMs: row.platformMs,
    startedAt: row.startedAt.toISOString(),
    durationMs: row.durationMs,
    endedAt: toIso(row.endedAt),
    status: row.status,
    failure: row.failure,
    fault: row.fault,
    stateReads: row.stateReads,
    stateReadAt: toIso(row.stateReadAt),
    stateLastReadAt: toIso(row.stateLastReadAt),
    stateRevision: row.stateRevision,
    recorded: row.recorded,
    payload: row.payload,
    payloadBytes: row.payloadBytes,
    answer: row.answer,
    answerBytes: row.answerBytes,
  };
}

/** Hooks are called by the platform alone, and endpoints by anybody, each with requests of their own. */
function findAddress({ environment }: Platform, { kind, routeId }: AttemptRow): string | null {
  switch (kind) {
    case "webhook":
      return `${environment.PLATFORM_GATEWAY_URL.replace(/\/+$/, "")}/core/v1/events`;
    case "autofill":
    case "rater":
      return routeUrl(environment, routeId);
    case "lifecycle":
    case "endpoint":
      return null;
  }
}

async function viewEvent(
  db: Db,
  organizationId: string,
  event: { id: string; coreId: string; type: string; receivedAt: Date; test: boolean },
): Promise<CallEvent> {
  const receivers = await selectDeliveriesOfEvent(db, organizationId, event.id);
  return { ...event, receivedAt: event.receivedAt.toISOString(), deliveries: receivers };
}

async function viewLog(db: Db, attemptId: string): Promise<CallLog> {
  const found = await selectLogExcerpt(db, attemptId);
  if (found === undefined) return { state: "unread" };
  switch (found.state) {
    case "WAITING":
      return { state: "waiting" };
    case "READ":
      return { state: "read", text: found.text ?? "", cut: found.cut };
    case "GONE": {
      const { endedAt, tail } = found;
      const isKept = endedAt !== null && tail !== null && tail !== "";
      return { state: "gone", tail: isKept ? { at: endedAt.toISOString(), text: tail } : null };
    }
  }
}

function toIso(moment: Date | null): string | null {
  return moment === null ? null : moment.toISOString();
}
