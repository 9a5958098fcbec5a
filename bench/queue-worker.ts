/** The same work as jobs of a queue package: each job sends its event to the app, with the client that the platform uses. */
import { Logger, run as runGraphile } from "graphile-worker";
import pg from "pg";
import PgBoss from "pg-boss";
import { Agent, request } from "undici";
import { LANES } from "@/lib/server/deliveries/delivery-pool";

const [, , queue, databaseUrl = "", origin] = process.argv;
const agent = new Agent({ keepAliveTimeout: 4_000 });

async function send(event: unknown): Promise<void> {
  const response = await request(`${origin}/events`, {
    dispatcher: agent,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(event),
  });
  await response.body.dump();
  if (response.statusCode >= 300) throw new Error(`The app answered ${response.statusCode}.`);
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
