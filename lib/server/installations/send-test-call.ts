import { v7 } from "uuid";
import { z } from "zod";
import type { TestCallInput } from "@/lib/contract/catalog/configuration";
import type { Recipient, SentTestCall } from "@/lib/contract/installations/installation-view";
import { coreEvent } from "@/lib/contract/platform/core";
import { parseInput, Problem } from "@/lib/contract/platform/problem";
import { isId } from "@/lib/contract/platform/text";
import { isCallable, mayOperate } from "@/lib/domain/calls/installation";
import type { Member } from "@/lib/domain/platform/actor";
import { editText } from "@/lib/domain/platform/json-text/edit-text";
import { countTry } from "../accounts/count-tries";
import { callRoute } from "../calls/call-route";
import { acceptEvent, type AcceptOptions, findSubscribers } from "../calls/deliveries/accept-event";
import { selectDeliveryId } from "../calls/deliveries/event-queries";
import type { Db } from "../platform/database/connect";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import { requireInstallation, requireOperator, selectTestRoute, selectTitles } from "./queries";

/** What a person writes of an event. The rest is filled in, so that apps get events like the core's. */
const eventPayload = coreEvent
  .omit({ id: true })
  .extend({ data: z.unknown().optional() })
  .partial({ timestamp: true });

/**
 * Sends a call from an installation's page, as the core would. A test event reaches the webhooks of the tenant that subscribe
 * to its type and that the sender was shown; without a list, this route alone. A publisher's reaches Test Launches only. Calls to
 * trials are limited, because they run in the instances of customers.
 */
export async function sendTestCall(
  platform: Platform,
  member: Member,
  installationId: string,
  input: TestCallInput,
): Promise<SentTestCall> {
  const organizationId = member.organization.id;
  const route = isId(installationId)
    ? await selectTestRoute(platform.db, organizationId, installationId, input.routeId)
    : undefined;
  if (route === undefined) throw new Problem("NOT_FOUND");
  const { role } = member.organization;
  requireOperator(role, route.test, "send test calls to a Test Launch");
  if (route.kind === "lifecycle")
    throw new Problem("BAD_INPUT", "Only the platform calls lifecycle hooks. Choose another route.");
  if (!isCallable(route.state))
    throw new Problem(
      "WRONG_STATE",
      "The app isn't running for this tenant. Start it, then send the call again.",
    );
  if (route.kind === "webhook" && route.endedAt !== null)
    throw new Problem(
      "WRONG_STATE",
      "The app ended this subscription by answering 410. To subscribe again, uninstall the app and launch it again.",
    );
  if (route.trial) await countTry(platform, [["trial-call-person", member.userId], ["trial-call-all"]]);
  const only = input.recipients ?? [input.routeId];
  const entry = {
    chain: organizationId,
    actor: `user:${member.userId}`,
    action: "installation.send-test-call" as const,
    subject: `installation:${installationId}`,
    details:
      route.kind === "webhook" ? { routeId: input.routeId, recipients: only } : { routeId: input.routeId },
  };
  const record = (tx: Db) => recordAudit(tx, platform.keyring, entry);
  if (route.kind === "webhook") {
    const options = { record, test: true, testOnly: !mayOperate(role, false), only };
    return sendEvent(platform, member, { ...route, id: input.routeId }, input.text, options);
  }
  const { attemptId } = await callRoute(platform, input.routeId, readPayload(input.text), {
    organizationId,
    test: true,
    record,
    text: input.text,
  });
  return { sent: "call", attemptId };
}

function readPayload(text: string): unknown {
  return parseInput(z.unknown(), text);
}

async function sendEvent(
  platform: Platform,
  member: Member,
  route: { id: string; tenantId: string },
  text: string,
  options: AcceptOptions,
): Promise<SentTestCall> {
  const parsed = eventPayload.safeParse(readPayload(text));
  if (!parsed.success)
    throw new Problem(
      "BAD_INPUT",
      'The payload is not an event. Send {"type": "policy.issued", "data": {…}}, with a dotted type and any data. A timestamp is ISO 8601 text, or a number of milliseconds.',
    );
  const id = `console-${v7()}`;
  const { data: written } = parsed;
  const filledIn = {
    timestamp: new Date().toISOString(),
    transactionId: id,
    username: member.name,
    data: null,
  };
  const missing = Object.entries(filledIn).filter(([name]) => !Object.hasOwn(written, name));
  const event = { ...filledIn, ...written, data: written.data ?? null, id };
  const whole = editText(text, {
    type: "assign",
    path: [],
    // Never the id of one of the core's events, which would then count as a repetition.
    members: { ...Object.fromEntries(missing), id },
  });
  const { eventId, deliveries } = await acceptEvent(platform, route.tenantId, event, {
    ...options,
    text: whole,
  });
  const deliveryId = (await selectDeliveryId(platform.db, eventId, route.id)) ?? null;
  return { sent: "event", eventId, deliveries, deliveryId };
}

/** The recipients of a test event from an installation's page: each webhook of the tenant that subscribes to its type. */
export async function listRecipients(
  platform: Platform,
  member: Member,
  installationId: string,
  type: string,
): Promise<{ recipients: Recipient[] }> {
  const organizationId = member.organization.id;
  const { tenantId } = await requireInstallation(platform.db, organizationId, installationId);
  const testOnly = !mayOperate(member.organization.role, false);
  const found = await findSubscribers(platform.db, tenantId, type, testOnly);
  const titles = await selectTitles(platform.db, organizationId, [
    ...new Set(found.map((subscriber) => subscriber.installationId)),
  ]);
  return {
    recipients: found.map(({ routeId, path, installationId: id, test }) => ({
      routeId,
      path,
      installationId: id,
      title: titles.get(id) ?? "",
      test,
    })),
  };
}
