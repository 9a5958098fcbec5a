import type { CallView } from "@/lib/contract/call-view";
import { mayOperate } from "@/lib/domain/installation";
import type { Role } from "@/lib/contract/role";
import { isJson } from "./pretty-print";
import { ROUTE_KIND_LABELS } from "./route-kinds";

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

/** The payload if it was stored as it was sent; undefined if it was not, or was cut. */
export function wholePayload({ payload, payloadBytes }: Pick<CallView, "payload" | "payloadBytes">) {
  if (payload === null || payloadBytes === null) return undefined;
  return isJson(payload) ? payload : undefined;
}
