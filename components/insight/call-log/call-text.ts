import type { CallView } from "@/lib/contract/insight/call";
import { parsePayload } from "@/lib/contract/platform/problem";
import { REDACTION_MARK } from "@/lib/contract/platform/text";
import type { Role } from "@/lib/contract/platform/role";
import { mayOperate } from "@/lib/domain/calls/installation";
import { formatText } from "@/lib/domain/platform/json-text/text-format";
import { ROUTE_KIND_LABELS } from "./describe-call";

/** What a page and its tab call a call: "Webhook policy.issued", "Lifecycle start", "Endpoint GET /quotes". */
export function nameCall({
  kind,
  eventType,
  hook,
  target,
}: Pick<CallView, "kind" | "eventType" | "hook" | "target">): string {
  const [method = "", path = ""] = target.split(/[ ?]/);
  const name = kind === "endpoint" ? `${method} ${path}` : (eventType ?? hook ?? path);
  return `${ROUTE_KIND_LABELS[kind]} ${name}`;
}

/** Where the console opens with a call's payload; undefined if this member can't send it, or nobody can. */
export function linkToConsole(
  { id, kind, installation }: Pick<CallView, "id" | "kind" | "installation">,
  role: Role,
): string | undefined {
  if (kind === "lifecycle" || kind === "endpoint" || installation.state === "UNINSTALLED") return undefined;
  if (!mayOperate(role, installation.test)) return undefined;
  return `/installations/${installation.id}/calls?again=${id}#console`;
}

/**
 * The payload of a call, if all of it was stored. Undefined if it was cut or changed. `redacted`: it has marks in place of secrets, unless
 * the sender wrote the same.
 */
export function wholePayload({ payload, payloadBytes }: Pick<CallView, "payload" | "payloadBytes">) {
  if (payload === null || payloadBytes === null || !isJson(payload)) return undefined;
  const redacted = payload.search(REDACTION_MARK) >= 0;
  if (!redacted && new TextEncoder().encode(payload).length !== payloadBytes) return undefined;
  return { text: payload, redacted };
}

/** Marks that change the direction of the text after them. */
const DIRECTION_MARKS = /[\u202A-\u202E\u2066-\u2069]/g;

/**
 * Formatted JSON with its numbers and members as they were sent; other text as it is. Direction marks are escaped,
 * which keeps the JSON the same.
 */
export function prettyPrint(text: string): string {
  const formatted = isJson(text) ? formatText(text) : text;
  return formatted.replace(DIRECTION_MARKS, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`);
}

/** A body that was cut when it was stored is no longer valid JSON. */
export function isJson(text: string): boolean {
  return parsePayload(text) !== undefined;
}
