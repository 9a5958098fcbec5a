/**
 * The same work as jobs of a queue package: each job sends its event to the app with the platform's HTTP client, and with the
 * headers that a webhook has: a state key of its own, and a signature.
 */
import { createHmac, randomBytes } from "node:crypto";
import { Logger, run as runGraphile } from "graphile-worker";
import pg from "pg";
import PgBoss from "pg-boss";
import { v7 } from "uuid";
import { LANES } from "@/lib/server/calls/deliveries/delivery-pool";
import { sendRequest } from "@/lib/server/calls/send-request";
import { newMasterKey, readKeyring } from "@/lib/server/platform/keyring";
import { sealStateKey } from "@/lib/server/platform/state-key";

const [, , queue, databaseUrl = "", origin = ""] = process.argv;
const keyring = readKeyring(newMasterKey("bench"));
const secret = randomBytes(32);
const route = { installationId: v7(), routeId: v7(), revision: 1, epoch: 0 };

async function send(event: unknown): Promise<void> {
  const body = JSON.stringify(event);
  const attemptId = v7();
  const now = Date.now();
  const timestamp = Math.floor(now / 1000).toString();
  const headers = {
    "content-type": "application/json",
    "x-platform-key": sealStateKey(keyring, { ...route, attemptId, expiresAt: new Date(now + 900_000) }),
    "webhook-id": attemptId,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${createHmac("sha256", secret).update(`${attemptId}.${timestamp}.${body}`).digest("base64")}`,
  };
  const order = { method: "POST" as const, origin, path: "/events", headers, body, deadlineMs: 30_000 };
  const { status, failure } = await sendRequest(order);
  if (status !== 204) throw new Error(`The app returned ${status}. ${failure ?? ""}`);
}

/**
 * A worker of pg-boss fetches a batch, works on it, completes it in one statement, and then waits for its next poll. So
 * several of them share the lanes, and one whose batch was full is told at once that there is more.
 */
async function startPgBoss(): Promise<void> {
  const batchSize = 32;
  const boss = new PgBoss({ connectionString: databaseUrl, max: 10 });
  boss.on("error", console.error);
  await boss.start();
  await boss.createQueue("events");
  for (let workers = 0; workers < LANES / batchSize; workers += 1) {
    const id: string = await boss.work(
      "events",
      { batchSize, pollingIntervalSeconds: 0.5 },
      async (jobs: { data: unknown }[]) => {
        await Promise.all(jobs.map(({ data }) => send(data)));
        if (jobs.length === batchSize) boss.notifyWorker(id);
      },
    );
  }
}

/** Its jobs are fetched and completed one by one, and notifications start them at once. */
async function startGraphileWorker(): Promise<void> {
  const pgPool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  await runGraphile({
    pgPool,
    concurrency: LANES,
    pollInterval: 500,
    noHandleSignals: true,
    logger: new Logger(() => () => undefined),
    taskList: { events: send },
  });
}

await (queue === "pg-boss" ? startPgBoss() : startGraphileWorker());
process.send?.({ ready: true });
