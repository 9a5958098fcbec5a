import { v7 } from "uuid";
import { configurationCheckAnswer } from "@/lib/contract/configuration-check-answer";
import { CHECK_DEADLINE_MS, type CheckResult } from "@/lib/contract/configuration-check";
import { listSettings } from "@/lib/contract/manifest-terms";
import { KEY_HEADER } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import { parseJson } from "@/lib/contract/parse-json";
import { toCheckResult } from "@/lib/domain/configuration-check";
import { explainShape, explainStatus } from "@/lib/domain/explain-answer";
import { chooseReplica, countRequest } from "../calls/choose-replica";
import { enterApp } from "../calls/limit-apps";
import { selectReadyReplicas } from "../calls/queries";
import { selectSealedOfInstallation } from "../calls/redaction/queries";
import { openSecrets } from "../calls/redaction/read-secrets";
import { sendRequest, type AppAnswer } from "../calls/send-request";
import { ensureInstance, startFailure } from "../instances/ensure-instance";
import { selectLiveInstance } from "../instances/queries";
import { openSetting } from "../keys/data-key";
import { CHECK_ROUTE, sealStateKey } from "../keys/state-key";
import { LEASE_SECONDS, type Pool } from "../leases/lease-loop";
import type { Platform } from "../platform/platform";
import { createRedaction, storableText, withoutKey, type Redaction } from "../redaction/redact-secrets";
import type { Secret } from "../redaction/secret-forms";
import type { Runtimes } from "../runtimes/choose-runtime";
import { advanceCheck, claimChecks, endCheck, type ClaimedCheck } from "./queries";

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
      throw new Problem("UNAVAILABLE", "The app ended just now. Try again in a moment.");
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
    ...{ installationId: check.id, routeId: CHECK_ROUTE, attemptId: v7(), revision: 0, epoch: 0 },
    expiresAt: new Date(Date.now() + CHECK_DEADLINE_MS + KEY_SLACK_MS),
  });
  const sent = await sendRequest({
    ...{ method: "POST", path: "/_app/check", origin, deadlineMs: CHECK_DEADLINE_MS },
    headers: { [KEY_HEADER]: key },
  });
  const answer = sent.answer === null ? null : withoutKey(sent.answer, key);
  const failure = findFailure(sent, answer);
  if (failure !== undefined) return failed(`The app failed to check the settings. ${failure}`);
  const names = listSettings(check.manifest).map(({ name }) => name);
  const parsed = configurationCheckAnswer.parse(parseJson(answer ?? ""));
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
