import type { PoolClient } from "pg";
import type { Platform } from "../platform";
import { WORK_CHANNEL } from "./notify-worker";

const AGAIN_MS = 1_000;

/**
 * Calls `wake` at each notification, and after each reconnection, since what was said meanwhile was lost.
 * Survives the loss of the database: tries again every second.
 * @returns ends the listening
 */
export function listenForWork(platform: Platform, wake: () => void): () => void {
  let client: PoolClient | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function connect(): Promise<void> {
    try {
      const connected = await platform.pool.connect();
      if (closed) return connected.release(true);
      client = connected;
      connected.on("notification", wake);
      connected.once("error", (error) => reconnect(connected, error));
      connected.once("end", () => reconnect(connected, new Error("the connection ended")));
      await connected.query(`listen ${WORK_CHANNEL}`);
      wake();
    } catch (error) {
      reconnect(client, error);
    }
  }

  function reconnect(lost: PoolClient | undefined, error: unknown): void {
    if (closed || lost !== client) return;
    client = undefined;
    lost?.removeAllListeners("notification");
    // A client that is released with its error is thrown away; its later faults concern nobody.
    lost?.on("error", () => undefined);
    lost?.release(true);
    platform.log.warn({ err: error }, "not listening for work; trying again");
    timer = setTimeout(() => void connect(), AGAIN_MS);
  }

  void connect();
  return () => {
    closed = true;
    clearTimeout(timer);
    client?.release(true);
  };
}
