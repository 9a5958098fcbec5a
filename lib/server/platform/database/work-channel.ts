import { sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { Logger } from "pino";
import { isId } from "@/lib/contract/platform/text";
import { reportFailure, reportSuccess } from "./repeated-failures";
import type { Database, Db } from "./connect";

/** The channel on which workers listen. */
export const WORK_CHANNEL = "platform_work";

/** Wakes the workers when the transaction commits. A lost wake-up costs one poll, never the work. */
export async function notifyWorker(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_notify(${WORK_CHANNEL}, '')`);
}

const START = "start";

/** Asks the workers to start what should run now, instead of at the next round. */
export async function notifyStart(db: Db): Promise<void> {
  await db.execute(sql`select pg_notify(${WORK_CHANNEL}, ${START})`);
}

/** Asks the workers to look at the ready instances of an installation's app: a call found nobody at one of them. */
export async function notifyUnreachable(db: Db, installationId: string): Promise<void> {
  await db.execute(sql`
    select pg_notify(${WORK_CHANNEL}, n.id::text)
      from installations i join instances n on n.version_id = i.version_id and n.state = 'READY'
     where i.id = ${installationId}`);
}

const RETRY_MS = 1_000;
const LISTENING = "listen for work";

interface Listener {
  /** There is new work. Called after each reconnection too, because notifications sent meanwhile are lost. */
  wake: () => void;
  /** A call found nobody at this instance. */
  look: (instanceId: string) => void;
  /** Something should be started now. */
  start: () => void;
  /** It listens on this connection now, and keeps it until it is lost. */
  connected: (connection: PoolClient) => void;
}

/**
 * Calls the listener on each notification. Retries every second while the database is down.
 * @returns stops listening
 */
export function listenForWork(
  { pool, log }: Database & { log: Logger },
  { wake, look, start, connected: onConnected }: Listener,
): () => void {
  let client: PoolClient | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function connect(): Promise<void> {
    try {
      const connected = await pool.connect();
      if (closed) return connected.release(true);
      client = connected;
      connected.on("notification", ({ payload = "" }) => {
        if (payload === START) start();
        else if (isId(payload)) look(payload);
        else wake();
      });
      connected.once("error", (error) => reconnect(connected, error));
      connected.once("end", () => reconnect(connected, new Error("the connection closed")));
      await connected.query(`listen ${WORK_CHANNEL}`);
      reportSuccess(log, LISTENING);
      onConnected(connected);
      wake();
    } catch (error) {
      reconnect(client, error);
    }
  }

  function reconnect(lost: PoolClient | undefined, error: unknown): void {
    if (closed || lost !== client) return;
    client = undefined;
    lost?.removeAllListeners("notification");
    // A client released with an error is discarded, so its later errors don't matter.
    lost?.on("error", () => undefined);
    lost?.release(true);
    reportFailure(log, LISTENING, {
      err: error,
      level: "warn",
      message: "lost the work notifications; reconnecting",
    });
    timer = setTimeout(() => void connect(), RETRY_MS);
  }

  void connect();
  return () => {
    closed = true;
    clearTimeout(timer);
    client?.release(true);
  };
}
