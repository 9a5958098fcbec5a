/** A process's Platform: created at its start, closed at its end. */
import type { PoolConfig } from "pg";
import { createApiKeyUses } from "../accounts/credentials/authenticate-api-key";
import { createCores } from "../accounts/credentials/authenticate-core";
import { createTryLimiters } from "../accounts/count-tries";
import { createLiveLists } from "../accounts/live-list";
import { createCoreCalls } from "../calls/call-route";
import { createEventIntake } from "../calls/deliveries/accept-event";
import { createWebhookKeys } from "../calls/deliveries/sign-webhook";
import { createStateReader, createStateReads } from "../calls/read-state";
import { createCallRecorder } from "../calls/record-behind";
import { createStateAnswers } from "../calls/serve-state";
import { createAppShares } from "../calls/wait-for-app";
import type { Environment } from "../platform/environment";
import {
  connect,
  createFoundation,
  type Foundation,
  type Platform,
  type PoolName,
  type Services,
} from "../platform/platform";
import { createTokens } from "../platform/sign-token";
import { createVersionSecrets } from "../runtime/logs/version-secrets";

export function createPlatform(environment: Environment, part: string): Platform {
  const foundation = createFoundation(environment, part);
  return { ...foundation, services: createServices(foundation) };
}

/** Writes what is written behind the requests, then ends the database connections. Nothing may use the platform meanwhile. */
export async function closePlatform({ services, pool }: Platform): Promise<void> {
  await services.close();
  await pool.end();
}

/**
 * The same process with database connections and services of its own, for work that must never wait for others' queries. Only what
 * is remembered of cores is shared.
 */
export function withOwnPool(platform: Platform, name: PoolName, options: PoolConfig): Platform {
  const foundation = { ...platform, ...connect(platform, name, options) };
  return { ...foundation, services: { ...createServices(foundation), cores: platform.services.cores } };
}

/** All services, in the order of their contexts. */
export function createServices(foundation: Foundation): Services {
  const tokens = createTokens(foundation);
  const cores = createCores(foundation);
  const apiKeyUses = createApiKeyUses(foundation);
  const coreCalls = createCoreCalls(foundation);
  const recorder = createCallRecorder(foundation);
  const stateReader = createStateReader(foundation, tokens);
  const stateReads = createStateReads(foundation);
  const stateAnswers = createStateAnswers();
  return {
    tokens,
    cores,
    apiKeyUses,
    tryLimiters: createTryLimiters(foundation),
    liveLists: createLiveLists(),
    appShares: createAppShares(),
    coreCalls,
    recorder,
    stateReader,
    stateReads,
    stateAnswers,
    eventIntake: createEventIntake(foundation),
    webhookKeys: createWebhookKeys(foundation),
    versionSecrets: createVersionSecrets(),
    close: async () => {
      stateAnswers.clear();
      await Promise.all([cores.uses.flush(), apiKeyUses.flush(), recorder.flush(), stateReads.flush()]);
      await Promise.all([coreCalls.close(), stateReader.close()]);
    },
  };
}
