import type { LifecycleEvent } from "@/lib/contract/manifest";
import { callApp } from "../calls/call-app";
import { redactionFor } from "../calls/read-secrets";
import type { Platform } from "../platform/platform";
import type { ClaimedInstallation } from "./work/queries";

/** What a hook is called for: an installation, with the configuration and the manifest that count then. */
export type HookSubject = Pick<
  ClaimedInstallation,
  "id" | "revision" | "epoch" | "manifest" | "lifecycleRouteId"
>;

const DEADLINE_MS = 60_000;
const SHOWN_ANSWER = 500;

/**
 * `GET /_app/<event>?route=<the installation's route base>` on the container, when the manifest declares that hook.
 * @returns why it failed, with the hook's own words; undefined when it succeeded or is not declared
 */
export async function runLifecycleHook(
  platform: Platform,
  installation: HookSubject,
  event: LifecycleEvent,
  origin: string | null,
): Promise<string | undefined> {
  if (!declaresHook(installation, event)) return undefined;
  const { id: installationId, lifecycleRouteId: routeId, revision, epoch } = installation;
  const routeBase = `${platform.environment.PLATFORM_GATEWAY_URL.replace(/\/+$/, "")}/r/${routeId}`;
  const path = `/_app/${event}?route=${encodeURIComponent(routeBase)}`;
  const target = { installationId, routeId, revision, epoch, kind: "lifecycle" as const, origin, path };
  const call = { ...target, method: "GET" as const, deadlineMs: DEADLINE_MS };
  const { failure, keptAnswer: answer } = await callApp(platform, call);
  if (failure === null) return undefined;
  // On one line there may stand what was apart before: a secret that the app broke in two.
  const redact = await redactionFor(platform, installationId, revision);
  const said =
    answer === null || answer.trim() === "" ? "" : ` The app said: ${shortened(redact(oneLine(answer)))}`;
  return `The ${event} hook failed. ${failure}${said}`;
}

export function declaresHook(installation: Pick<HookSubject, "manifest">, event: LifecycleEvent): boolean {
  return installation.manifest.core?.lifecycle?.includes(event) ?? false;
}

/** An app's words within a sentence of ours: on one line, and inert. */
function oneLine(answer: string): string {
  return answer.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
}

/** Half of a surrogate pair is no character, and PostgreSQL takes none. */
function shortened(line: string): string {
  if (line.length <= SHOWN_ANSWER) return line;
  return `${line.slice(0, SHOWN_ANSWER).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
