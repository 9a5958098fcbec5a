/**
 * A database that hangs answers no statement and closes no connection, so whoever waits for it would wait as long as it hangs. This ends
 * the connections whose statements wait while the database answers nobody, and lets nobody wait for a new one meanwhile. What is slow for
 * any other reason, such as a lock, goes on: `statement_timeout` ends that.
 */
import pg, { type PoolClient } from "pg";
import { DatabaseAwayError, type DatabaseUse, isKnownAway, lookAtDatabase } from "./availability";

/** How long a statement may take before it is asked whether the database still answers. */
const PATIENCE_MS = 2_000;
const CHECK_MS = 500;

export function endHangingConnections(use: DatabaseUse): void {
  const { pool } = use;
  const busySince = new Map<PoolClient, number>();
  let timer: NodeJS.Timeout | undefined;

  async function check(): Promise<void> {
    timer = undefined;
    const isLate = ([, since]: [PoolClient, number]) => performance.now() - since > PATIENCE_MS;
    const late = [...busySince].filter(isLate);
    if (late.length > 0 && (await lookAtDatabase(use)).awaySince !== null)
      for (const [client, since] of late)
        // It may have got its answer since, and wait for the next one.
        if (busySince.get(client) === since && client instanceof pg.Client) void client.end();
    if (busySince.size > 0) watch();
  }

  function watch(): void {
    timer ??= setTimeout(() => void check(), CHECK_MS).unref();
  }

  pool.on("connect", (client) => {
    const { query } = client;
    const observed = (...args: unknown[]): unknown => {
      if (!busySince.has(client)) busySince.set(client, performance.now());
      watch();
      return Reflect.apply(query, client, args);
    };
    Object.assign(client, { query: observed });
    client.on("drain", () => busySince.delete(client));
    client.on("end", () => busySince.delete(client));
  });

  refuseWhileAway(use);
}

/** A new connection would take its time to fail. */
function refuseWhileAway(use: DatabaseUse): void {
  const { pool } = use;
  const { connect } = pool;
  const open = (...args: unknown[]): unknown => Reflect.apply(connect, pool, args);
  const openIfThere = (...args: unknown[]): unknown => {
    if (!isKnownAway(pool)) return open(...args);
    const looked = lookAtDatabase(use).then(({ awaySince }) => {
      if (awaySince !== null) throw new DatabaseAwayError(new Error("It has not answered lately."));
    });
    const [callback] = args;
    if (typeof callback !== "function") return looked.then(() => open());
    looked.then(
      () => open(callback),
      (error: unknown) => Reflect.apply(callback, undefined, [error, undefined, () => undefined]),
    );
    return undefined;
  };
  Object.assign(pool, { connect: openIfThere });
}
