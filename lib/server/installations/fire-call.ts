import { v7 } from "uuid";
import { z } from "zod";
import { coreEvent } from "@/lib/contract/core";
import type { FireCallInput } from "@/lib/contract/installation";
import type { FiredCall } from "@/lib/contract/installation-view";
import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { isCallable, mayOperate } from "@/lib/domain/installation";
import { recordAudit } from "../audit/record-audit";
import { callRoute } from "../calls/call-route";
import type { Db } from "../database/connect";
import { acceptEvent, type AcceptOptions } from "../events/accept-event";
import type { Platform } from "../platform/platform";
import { selectFiringRoute } from "./queries";

const eventPayload = z.object({ type: coreEvent.shape.type, data: z.json().default(null) });

/**
 * Fires a call from an installation's page, as the core would. An event goes to every webhook of the tenant that
 * asked for its type, for that is what an event is; to Test Launches alone when who fires may operate nothing else.
 */
export async function fireCall(
  platform: Platform,
  member: Member,
  installationId: string,
  input: FireCallInput,
): Promise<FiredCall> {
  const organizationId = member.organization.id;
  const route = isId(installationId)
    ? await selectFiringRoute(platform.db, organizationId, installationId, input.routeId)
    : undefined;
  if (route === undefined) throw new Problem("NOT_FOUND");
  const { role } = member.organization;
  if (!mayOperate(role, route.test)) {
    throw new Problem(
      "NOT_ALLOWED",
      "Publishers may only fire calls at a Test Launch. Ask an operator or an owner of your organization.",
    );
  }
  if (route.kind === "lifecycle")
    throw new Problem("BAD_INPUT", "Lifecycle hooks are called by the platform alone. Choose another route.");
  if (!isCallable(route.state))
    throw new Problem("WRONG_STATE", "The app does not run for this tenant. Start it, then fire again.");
  if (route.kind === "webhook" && route.endedAt !== null) {
    throw new Problem(
      "WRONG_STATE",
      "The app ended this subscription with a 410. Uninstall and launch it again to subscribe anew.",
    );
  }
  const entry = {
    chain: organizationId,
    actor: `user:${member.userId}`,
    action: "installation.fire-call",
    subject: `installation:${installationId}`,
    details: { routeId: input.routeId },
  };
  const record = (tx: Db) => recordAudit(tx, platform.keyring, entry);
  if (route.kind === "webhook") {
    const options = { record, testOnly: !mayOperate(role, false) };
    return fireEvent(platform, route.tenantId, input.payload, options);
  }
  const { attemptId } = await callRoute(platform, input.routeId, input.payload, { organizationId }, record);
  return { fired: "call", attemptId };
}

async function fireEvent(
  platform: Platform,
  tenantId: string,
  payload: unknown,
  options: AcceptOptions,
): Promise<FiredCall> {
  const parsed = eventPayload.safeParse(payload);
  if (!parsed.success) {
    throw new Problem(
      "BAD_INPUT",
      'An event is {"type": "policy.issued", "data": {…}}: a dotted type, and data of any shape.',
    );
  }
  // Ids sort by time: the attempts of this event's deliveries come after this one.
  const after = v7();
  const event = { id: `console-${after}`, timestamp: new Date().toISOString(), ...parsed.data };
  const { eventId, deliveries } = await acceptEvent(platform, tenantId, event, options);
  return { fired: "event", eventId, deliveries, after };
}
