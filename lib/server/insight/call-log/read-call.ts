import type { z } from "zod";
import type { DeliveryView } from "@/lib/contract/calls/call-summary";
import type { CallEvent, CallLog, CallView, sentCalls } from "@/lib/contract/insight/call";
import { Problem } from "@/lib/contract/platform/problem";
import { isId } from "@/lib/contract/platform/text";
import { mayReadLogs } from "@/lib/domain/catalog/listing";
import { listAnswerIssues } from "@/lib/domain/calls/explain-answer";
import { traceIdOf } from "@/lib/domain/calls/trace";
import type { Agent, Member } from "@/lib/domain/platform/actor";
import { routeUrl } from "../../calls/call-route";
import type { Db } from "../../platform/database/connect";
import { notifyWorker } from "../../platform/database/work-channel";
import type { Platform } from "../../platform/platform";
import { insertRequest, selectPublisher } from "../logs/excerpt-queries";
import {
  installationExists,
  selectAttempt,
  selectAttempts,
  selectContext,
  selectDeliveriesOfEvent,
  selectDelivery,
  selectLogExcerpt,
  selectSentCalls,
} from "./call-queries";

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
    traceId: traceIdOf(row.traceId ?? row.id),
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
    answerIssues: listAnswerIssues(row),
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
  const rows = await selectDeliveriesOfEvent(db, organizationId, event.id);
  return {
    ...event,
    receivedAt: event.receivedAt.toISOString(),
    deliveries: rows.map(({ total: _, ...delivery }) => delivery),
    deliveriesInAll: rows[0]?.total ?? 0,
  };
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

/** One delivery of the member's organization with its newest attempts. Throws NOT_FOUND for any other. */
export async function readDelivery(
  { db }: Platform,
  { organization }: Member,
  deliveryId: string,
): Promise<DeliveryView> {
  const found = isId(deliveryId) ? await findDelivery(db, organization.id, deliveryId) : undefined;
  if (found === undefined) throw new Problem("NOT_FOUND");
  return found.delivery;
}

/** A delivery with its attempts, and its event. */
async function findDelivery(db: Db, organizationId: string, deliveryId: string) {
  const row = await selectDelivery(db, organizationId, deliveryId);
  if (row === undefined) return undefined;
  const { event, ...delivery } = row;
  const attempts = await selectAttempts(db, deliveryId);
  const view: DeliveryView = {
    ...delivery,
    nextAttemptAt: delivery.nextAttemptAt.toISOString(),
    createdAt: delivery.createdAt.toISOString(),
    attemptsInAll: attempts[0]?.total ?? 0,
    attempts: attempts.map(({ total: _, ...attempt }) => ({
      ...attempt,
      startedAt: attempt.startedAt.toISOString(),
      dueAt: attempt.dueAt?.toISOString() ?? null,
    })),
  };
  return { delivery: view, event };
}

const SENT_CALLS = 12;

/** The last test calls of one of the member's installations whose payloads were recorded. */
export async function listSentCalls(
  platform: Platform,
  member: Member,
  installationId: string,
): Promise<z.infer<typeof sentCalls>> {
  const { db } = platform;
  const { id: organizationId } = member.organization;
  if (!isId(installationId) || !(await installationExists(db, organizationId, installationId)))
    throw new Problem("NOT_FOUND");
  const calls = await selectSentCalls(db, installationId, SENT_CALLS + 1);
  return {
    calls: calls.slice(0, SENT_CALLS).map((call) => ({ ...call, startedAt: call.startedAt.toISOString() })),
    more: calls.length > SENT_CALLS,
  };
}

/**
 * Asks a worker for the log at the time of a call. Throws NOT_FOUND for calls of other organizations, and for members
 * who may not read the app's log: for them there is none. It changes nothing but a copy of the log, so it is not
 * audited.
 */
export async function requestExcerpt(platform: Platform, member: Member, attemptId: string): Promise<void> {
  const found = isId(attemptId)
    ? await selectPublisher(platform.db, member.organization.id, attemptId)
    : undefined;
  if (found === undefined || !mayReadLogs(member, found.publisherId)) throw new Problem("NOT_FOUND");
  if (!found.ended)
    throw new Problem("WRONG_STATE", "The call is still in progress. Read its log once it has ended.");
  await platform.db.transaction(async (tx) => {
    await insertRequest(tx, attemptId);
    await notifyWorker(tx);
  });
}
