/** What one organization can do to another: each case loads the platform for one, and measures what the other notices. */
import { setTimeout as sleep } from "node:timers/promises";
import { v7 } from "uuid";
import { createTar, dockerArchive } from "@/lib/server/images/archive/test-archives";
import { sealStateKey } from "@/lib/server/platform/state-key";
import { COSTLY_UPLOADS } from "../hostile-images/costly-uploads";
import { createAutofill, createEvent, send } from "./core";
import { readJournal } from "./deliveries";
import {
  countFailed,
  type LoadOrder,
  type LoadReport,
  type LoadRequest,
  percentile,
  sendLoad,
} from "./send-load";
import { chooseGatewayUrl, type Customer, World } from "./world";

/** What the neighbor notices in one period. */
interface Noticed {
  latenciesMs: number[];
  failed: number;
}

export interface Case {
  name: string;
  /** What would slow the neighbor while it is measured. */
  prepare?: () => Promise<unknown>;
  measure: (stage: Stage, seconds: number) => Promise<Noticed>;
  /** Runs while the neighbor is measured, and for a moment before. */
  load: (stage: Stage, seconds: number) => Promise<LoadReport[]>;
}

export interface CaseResult {
  name: string;
  /** Of all answers of a round, and their ratio. */
  rounds: { aloneMs: number; besideMs: number; ratio: number }[];
  failed: number;
  samples: number;
  load: LoadReport[];
}

/** Addresses of their own, as callers of two organizations have. */
const NEIGHBOR = "127.0.0.2";
const LOUD = "127.0.0.3";
/** The neighbor's app takes as long as one that looks something up. */
const APP_MS = 20;
const CALLS_PER_SECOND = 60;
const EVENTS_PER_SECOND = 8;
const HANGS_MS = 30_000;
/** Until the load is at its full height. */
const RISE_MS = 1_000;

export const CASES: Case[] = [
  {
    name: "hanging_app",
    measure: (stage, seconds) => measureCalls(stage, seconds),
    load: (stage, seconds) =>
      loadOne(stage, { requests: [call(stage.loud, HANGS_MS)], connections: 560, perSecond: 560, seconds }),
  },
  {
    name: "slow_uploads",
    measure: async (stage, seconds) => {
      const noticed = await Promise.all([measureCalls(stage, seconds), measureStateReads(stage, seconds)]);
      return {
        latenciesMs: noticed.flatMap(({ latenciesMs }) => latenciesMs),
        failed: noticed.reduce((sum, { failed }) => sum + failed, 0),
      };
    },
    load: (stage, seconds) => {
      const upload = {
        method: "POST",
        path: versionsOf(stage.loud.appName),
        authorization: stage.loud.publisher,
      };
      return loadOne(stage, { requests: [upload], connections: 520, perSecond: 0, seconds, trickle: true });
    },
  },
  {
    name: "flood",
    measure: (stage, seconds) => measureCalls(stage, seconds),
    load: (stage, seconds) =>
      loadOne(stage, {
        requests: [call(stage.loud, 0)],
        connections: 2_000,
        perSecond: 10 * stage.capacity,
        seconds,
      }),
  },
  {
    name: "slow_events",
    measure: measureEvents,
    load: async (stage, seconds) => {
      const requests = Array.from({ length: 160 }, () => event(stage.loud, 5_000));
      return loadOne(stage, { requests, connections: 160, perSecond: 160, seconds: Math.min(1, seconds) });
    },
  },
  {
    name: "expensive_archives",
    prepare: createExpensive,
    measure: measurePublications,
    load: async (stage, seconds) => {
      const archives = await createExpensive();
      // One after another, each newcomer from another archive on.
      return Promise.all(
        stage.newcomers.map(({ appName, publisher }, first) => {
          const bodies = [...archives.slice(first), ...archives.slice(0, first)];
          const target = { method: "POST", path: versionsOf(appName), authorization: publisher };
          const requests = bodies.map((body) => ({ ...target, body }));
          return sendLoad({
            url: stage.url,
            localAddress: LOUD,
            isLoad: true,
            requests,
            connections: 1,
            perSecond: 1_000,
            seconds,
          });
        }),
      );
    },
  },
];

let expensive: Promise<Buffer[]> | undefined;

function createExpensive(): Promise<Buffer[]> {
  expensive ??= Promise.all(COSTLY_UPLOADS.map(({ archive }) => archive()));
  return expensive;
}

/** Of which nothing was verified yet. */
const NEWCOMERS = ["new-1", "new-2", "new-3", "new-4"];

/** A gateway and a worker, two customers with apps of their own, and how many calls a second the gateway answers at most. */
export interface Stage {
  world: World;
  url: string;
  loud: Customer;
  neighbor: Customer;
  newcomers: readonly Customer[];
  capacity: number;
}

export async function setStage(): Promise<Stage & AsyncDisposable> {
  const world = await World.create();
  try {
    const loudOrigin = await world.startApp();
    const loud = await world.addCustomer("loud", loudOrigin);
    const neighbor = await world.addCustomer("neighbor", await world.startApp());
    const newcomers: Customer[] = [];
    for (const slug of NEWCOMERS) newcomers.push(await world.addCustomer(slug, loudOrigin, false));
    const url = await chooseGatewayUrl();
    await world.start("gateway", url);
    await world.start("worker", url);
    const stage = { world, url, loud, neighbor, newcomers, capacity: 0 };
    const capacity = await measureCapacity(stage);
    return { ...stage, capacity, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
  } catch (error) {
    await world[Symbol.asyncDispose]();
    throw error;
  }
}

/** With as many requests at once as keep the gateway busy: each connection sends again as soon as it has its answer. */
async function measureCapacity(stage: Omit<Stage, "capacity">): Promise<number> {
  const full = { requests: [call(stage.neighbor, 0)], connections: 16, perSecond: 100_000 };
  await sendLoad({ url: stage.url, ...full, seconds: 2 });
  const { okPerSecond } = await sendLoad({ url: stage.url, ...full, seconds: 3 });
  return Math.max(...okPerSecond.slice(0, 3));
}

/** The neighbor alone and beside the load, in turn. */
export async function runCase(
  stage: Stage,
  { name, prepare, measure, load }: Case,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<CaseResult> {
  const result: CaseResult = { name, rounds: [], failed: 0, samples: 0, load: [] };
  await prepare?.();
  for (let round = 0; round < rounds; round += 1) {
    const alone = await measure(stage, seconds);
    const loading = load(stage, seconds + (2 * RISE_MS) / 1_000);
    await sleep(RISE_MS);
    const beside = await measure(stage, seconds);
    result.load.push(...(await loading));
    const [aloneMs, besideMs] = [percentile(alone.latenciesMs, 0.99), percentile(beside.latenciesMs, 0.99)];
    result.rounds.push({ aloneMs, besideMs, ratio: besideMs / aloneMs });
    result.failed += alone.failed + beside.failed;
    result.samples += beside.latenciesMs.length;
  }
  return result;
}

/** The neighbor's calls. */
export async function measureCalls(stage: Stage, seconds: number): Promise<Noticed> {
  return measureRequests(stage, call(stage.neighbor, APP_MS), CALLS_PER_SECOND, seconds);
}

async function measureStateReads(stage: Stage, seconds: number): Promise<Noticed> {
  const { installationId, autofillRouteId: routeId } = stage.neighbor;
  const expiresAt = new Date(Date.now() + 600_000);
  const content = { installationId, routeId, revision: 1, epoch: 0, attemptId: v7(), expiresAt };
  const key = sealStateKey(stage.world.platform.keyring, content);
  return measureRequests(stage, { method: "GET", path: `/state/${key}` }, CALLS_PER_SECOND, seconds);
}

async function measureRequests(
  stage: Stage,
  request: LoadRequest,
  perSecond: number,
  seconds: number,
): Promise<Noticed> {
  const order = { requests: [request], connections: 100, perSecond, seconds, localAddress: NEIGHBOR };
  const noticed = await sendLoad({ url: stage.url, ...order });
  for (const [status, sample] of Object.entries(noticed.samples))
    console.error(`neighbor: ${status} ${sample}`);
  return { latenciesMs: noticed.latenciesMs, failed: countFailed(noticed) + noticed.skipped };
}

/** From the moment an event is sent to the moment the app has it. */
async function measureEvents({ world, url, neighbor }: Stage, seconds: number): Promise<Noticed> {
  const sentAt = new Map<string, number>();
  const until = Date.now() + seconds * 1_000;
  let failed = 0;
  const sending: Promise<void>[] = [];
  while (Date.now() < until) {
    const id = v7();
    sentAt.set(id, Date.now());
    sending.push(
      send("POST", `${url}/core/v1/events`, neighbor.core, createEvent(id, 0)).then(
        ({ status }) => void (failed += status === 202 ? 0 : 1),
        () => void (failed += 1),
      ),
    );
    await sleep(1_000 / EVENTS_PER_SECOND);
  }
  await Promise.all(sending);
  const giveUpAt = Date.now() + 60_000;
  for (;;) {
    const receipts = (await readJournal(world.journalFile)).filter(({ eventId }) => sentAt.has(eventId));
    if (receipts.length + failed >= sentAt.size || Date.now() > giveUpAt) {
      const latenciesMs = receipts.map(({ at, eventId }) => at - (sentAt.get(eventId) ?? at));
      return { latenciesMs, failed: sentAt.size - receipts.length };
    }
    await sleep(100);
  }
}

/** The neighbor publishes one small version after another. */
async function measurePublications(stage: Stage, seconds: number): Promise<Noticed> {
  const noticed: Noticed = { latenciesMs: [], failed: 0 };
  for (const until = Date.now() + seconds * 1_000; Date.now() < until;) {
    const version = `9.${Date.now()}.0`;
    const manifest = JSON.stringify({ name: stage.neighbor.appName, version });
    const archive = await dockerArchive({
      layers: [await createTar([{ name: "platform-app.json", content: manifest }])],
    });
    const startedAt = performance.now();
    const status = await publish(stage, stage.neighbor, archive);
    if (status === 201) noticed.latenciesMs.push(performance.now() - startedAt);
    else noticed.failed += 1;
  }
  return noticed;
}

async function publish({ url }: Stage, { appName, publisher }: Customer, archive: Buffer): Promise<number> {
  const sent = await fetch(url + versionsOf(appName), {
    method: "POST",
    headers: { authorization: publisher, "content-type": "application/x-tar" },
    body: new Uint8Array(archive),
  });
  await sent.body?.cancel();
  return sent.status;
}

function versionsOf(appName: string): string {
  return `/publish/v1/apps/${appName}/versions`;
}

export async function loadOne(stage: Stage, order: Omit<LoadOrder, "url">): Promise<LoadReport[]> {
  return [await sendLoad({ url: stage.url, localAddress: LOUD, isLoad: true, ...order })];
}

function call(customer: Customer, takesMs: number): LoadRequest {
  const path = `/r/${customer.autofillRouteId}`;
  return { method: "POST", path, authorization: customer.core, body: createAutofill(takesMs) };
}

function event(customer: Customer, takesMs: number): LoadRequest {
  return {
    method: "POST",
    path: "/core/v1/events",
    authorization: customer.core,
    body: createEvent(v7(), takesMs),
  };
}
