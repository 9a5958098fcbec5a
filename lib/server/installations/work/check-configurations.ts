import { v7 } from "uuid";
import {
  CHECK_DEADLINE_MS,
  type CheckResult,
  configurationCheckAnswer,
} from "@/lib/contract/catalog/configuration";
import { listSettings } from "@/lib/contract/platform/manifest-terms";
import { parsePayload, Problem } from "@/lib/contract/platform/problem";
import { KEY_HEADER } from "@/lib/contract/platform/text";
import { explainShape, explainStatus } from "@/lib/domain/calls/explain-answer";
import { toCheckResult } from "@/lib/domain/catalog/configuration";
import { chooseReplica, countRequest } from "../../calls/choose-replica";
import { openSecrets } from "../../calls/redact-call";
import { selectReadyReplicas } from "../../calls/route-queries";
import { selectSealedOfInstallation } from "../../calls/secret-queries";
import { type AppAnswer, sendRequest } from "../../calls/send-request";
import { enterApp } from "../../calls/wait-for-app";
import { openSetting } from "../../platform/data-key";
import { LEASE_SECONDS, type Pool } from "../../platform/lease-loop";
import type { Platform } from "../../platform/platform";
import {
  createRedaction,
  type Redaction,
  storableText,
  withoutKey,
} from "../../platform/redaction/redact-secrets";
import type { Secret } from "../../platform/redaction/secret-forms";
import { CHECK_ROUTE, sealStateKey } from "../../platform/state-key";
import type { Runtimes } from "../../runtime/engines/choose-runtime";
import { ensureInstance, startFailure } from "../../runtime/ensure-instance";
import { selectLiveInstance } from "../../runtime/instance-queries";
import { advanceCheck, claimChecks, type ClaimedCheck, endCheck } from "../check-queries";

/** How many checks a worker makes at once. */
const LIMIT = 8;

const KEY_SLACK_MS = 5_000;

/** Answers that apps check before they are saved. */
export function checkPool(
  platform: Platform,
  runtimes: Runtimes,
  readyWithinMs?: number,
): Pool<ClaimedCheck> {
  return {
    name: "configurationChecks",
    limit: LIMIT,
    leaseSeconds: LEASE_SECONDS,
    claim: (free, lease) => claimChecks(platform.db, free, lease),
    handle: async (check) => {
      const result = await makeCheck(platform, runtimes, check, readyWithinMs);
      await endCheck(platform.db, check, result);
    },
  };
}

/** Undefined if it was canceled. */
async function makeCheck(
  platform: Platform,
  runtimes: Runtimes,
  check: ClaimedCheck,
  readyWithinMs?: number,
): Promise<CheckResult | undefined> {
  const { versionId, organizationId, installationId } = check;
  const live = await selectLiveInstance(platform.db, versionId);
  if (live?.state !== "READY" && !(await advanceCheck(platform.db, check, "STARTING"))) return undefined;
  try {
    await ensureInstance(platform, runtimes, versionId, readyWithinMs);
    const replicas = await selectReadyReplicas(platform.pool, versionId);
    const replica = chooseReplica(replicas);
    if (replica === undefined)
      throw new Problem("UNAVAILABLE", "The app has just ended. Try again in a moment.");
    const place = await enterApp(platform, versionId, installationId ?? organizationId, replicas.length);
    const endRequest = countRequest(replica);
    try {
      return (await advanceCheck(platform.db, check, "CALLING"))
        ? await callApp(platform, check, replica.origin)
        : undefined;
    } finally {
      endRequest();
      place.leave();
    }
  } catch (error) {
    return failed(startFailure(platform, error).reason);
  }
}

async function callApp(platform: Platform, check: ClaimedCheck, origin: string): Promise<CheckResult> {
  const redact = await redactionFor(platform, check);
  const key = sealStateKey(platform.keyring, {
    installationId: check.id,
    routeId: CHECK_ROUTE,
    attemptId: v7(),
    revision: 0,
    epoch: 0,
    expiresAt: new Date(Date.now() + CHECK_DEADLINE_MS + KEY_SLACK_MS),
  });
  const sent = await sendRequest({
    method: "POST",
    path: "/_app/check",
    origin,
    deadlineMs: CHECK_DEADLINE_MS,
    headers: { [KEY_HEADER]: key },
    isRead: true,
  });
  const answer = sent.answer === null ? null : withoutKey(sent.answer, key);
  const failure = findFailure(sent, answer);
  if (failure !== undefined) return failed(`The app failed to check the settings. ${failure}`);
  const names = listSettings(check.manifest).map(({ name }) => name);
  const parsed = configurationCheckAnswer.parse(parsePayload(answer ?? ""));
  return toCheckResult(parsed, names, (text) => storableText(text, redact));
}

function findFailure(sent: AppAnswer, answer: string | null): string | undefined {
  const explained = explainStatus(sent.status) ?? explainShape(configurationCheckAnswer, answer);
  return sent.failure ?? explained?.failure;
}

/** Removes the secrets of this check, and those that the app may have received with earlier calls. */
async function redactionFor(platform: Platform, check: ClaimedCheck): Promise<Redaction> {
  const { id, organizationId, installationId, revision, settings } = check;
  const secrets: Secret[] = [];
  for (const [name, stored] of Object.entries(settings)) {
    if (stored.kind === "plain") continue;
    const place = { organizationId, installationId: id, name };
    secrets.push({ name, value: await openSetting(platform, platform.db, place, stored.sealed) });
  }
  const earlier =
    installationId === null || revision === null
      ? []
      : await selectSealedOfInstallation(platform.pool, installationId, revision);
  return createRedaction([...secrets, ...openSecrets(platform, earlier)]);
}

function failed(reason: string): CheckResult {
  return { outcome: "FAILED", reason };
}
