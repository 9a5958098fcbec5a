import type { Manifest } from "@/lib/contract/catalog/manifest";
import type { LifecycleEvent } from "@/lib/contract/platform/manifest-terms";
import type { Platform } from "../platform/platform";
import { storableText } from "../platform/redaction/redact-secrets";
import { routeUrl } from "./call-route";
import {
  type AppCall,
  describeCall,
  describeStart,
  type FinishedCall,
  openCall,
  sendCall,
} from "./call-steps";
import { toReplicas } from "./choose-replica";
import { recordAttempts } from "./record-queries";
import { redactionFor } from "./redact-call";
import { recordsBodies } from "./route-queries";

/** The installation that a hook is called for, with the configuration and the manifest that apply. */
export interface HookSubject {
  id: string;
  revision: number;
  /** The installation's key epoch when the work was claimed: a later command ends the hook's key. */
  epoch: number;
  manifest: Manifest;
  lifecycleRouteId: string;
  /** Its endpoints are below this. If it is replaced, the next hook gets the new one. */
  routeBase: string;
}

/** The instance that is called, whatever other replicas of the app there are. */
type HookTarget = Parameters<typeof toReplicas>[0];

const DEADLINE_MS = 60_000;
const QUOTED_CHARACTERS = 500;

/**
 * Calls `GET /_app/<event>?route=<the installation's route base>` on the container, if the manifest declares the hook.
 * Returns why it failed, with the app's answer; undefined if it succeeded or is not declared.
 */
export async function runLifecycleHook(
  platform: Platform,
  installation: HookSubject,
  event: LifecycleEvent,
  instance: HookTarget,
): Promise<string | undefined> {
  if (!declaresHook(installation, event)) return undefined;
  const { id: installationId, lifecycleRouteId: routeId, revision, epoch } = installation;
  const routeBase = routeUrl(platform.environment, installation.routeBase);
  const { failure, answer: answered } = await callApp(platform, {
    installationId,
    routeId,
    revision,
    epoch,
    kind: "lifecycle",
    hook: event,
    replicas: toReplicas(instance),
    method: "GET",
    path: `/_app/${event}?route=${encodeURIComponent(routeBase)}`,
    deadlineMs: DEADLINE_MS,
  });
  if (failure === null) return undefined;
  const redact = await redactionFor(platform, installationId, revision);
  const answer = storableText(answered ?? "", redact).trim();
  if (answer === "") return `The ${event} hook failed. ${failure}`;
  // On one line, a secret that the app broke into two becomes whole again.
  return `The ${event} hook failed. ${failure} The app said: ${shorten(redact(toOneLine(answer)))}`;
}

export function declaresHook({ manifest }: Pick<HookSubject, "manifest">, event: LifecycleEvent): boolean {
  return manifest.core?.lifecycle?.includes(event) ?? false;
}

/** The app's text becomes part of our sentence: no line breaks, control or formatting characters. */
function toOneLine(answer: string): string {
  return answer.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
}

/** Never cuts a surrogate pair in half: PostgreSQL refuses that. */
function shorten(line: string): string {
  if (line.length <= QUOTED_CHARACTERS) return line;
  return `${line.slice(0, QUOTED_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/**
 * Records the attempt, sends it with its own state key, and records the answer. An app's failure is in the result; only
 * database errors are thrown. The caller gets the answer unchanged.
 */
export async function callApp(platform: Platform, call: Omit<AppCall, "recorded">): Promise<FinishedCall> {
  const recorded = call.test === true || (await recordsBodies(platform.pool, call.installationId));
  const open = openCall(platform, { ...call, recorded });
  // Committed before the call: it may take long, and a page shows it meanwhile.
  await recordAttempts(platform.db, [await describeStart(platform, open)]);
  const finished = await sendCall(platform, open);
  await recordAttempts(platform.db, [await describeCall(platform, open, finished)]);
  return finished;
}
