import type { LifecycleEvent } from "@/lib/contract/manifest";
import { callApp } from "../calls/call-app";
import type { Platform } from "../platform";
import type { ClaimedInstallation } from "./work/queries";

const DEADLINE_MS = 60_000;
const SHOWN_ANSWER = 500;

/**
 * `GET /_app/<event>?route=<the installation's route base>` on the container, when the manifest declares that hook.
 * @returns why it failed, with the hook's own words; undefined when it succeeded or is not declared
 */
export async function runLifecycleHook(
  platform: Platform,
  installation: ClaimedInstallation,
  event: LifecycleEvent,
  origin: string | null,
): Promise<string | undefined> {
  if (!declaresHook(installation, event)) return undefined;
  const { id: installationId, lifecycleRouteId: routeId } = installation;
  const routeBase = `${platform.environment.PLATFORM_GATEWAY_URL.replace(/\/+$/, "")}/r/${routeId}`;
  const path = `/_app/${event}?route=${encodeURIComponent(routeBase)}`;
  const target = { installationId, routeId, kind: "lifecycle" as const, origin, path };
  const { failure, answer } = await callApp(platform, { ...target, method: "GET", deadlineMs: DEADLINE_MS });
  if (failure === null) return undefined;
  const said = answer === null || answer.trim() === "" ? "" : ` The app said: ${plain(answer)}`;
  return `The ${event} hook failed. ${failure}${said}`;
}

export function declaresHook(installation: ClaimedInstallation, event: LifecycleEvent): boolean {
  return installation.manifest.core?.lifecycle?.includes(event) ?? false;
}

/** An app's words within a sentence of ours: short, on one line, and inert. */
function plain(answer: string): string {
  const line = answer.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return line.length > SHOWN_ANSWER ? `${line.slice(0, SHOWN_ANSWER)}…` : line;
}
