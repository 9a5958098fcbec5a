/** The log of a version as workers store it. */
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { v7 } from "uuid";
import { instanceEvents, logLines, versionLogs } from "@/drizzle/schema/runtime";
import type { Db } from "@/lib/server/platform/database/connect";
import type { Platform } from "@/lib/server/platform/platform";
import type { LogPiece, Runtime } from "@/lib/server/runtime/engines/runtime";
import { givenListing, givenMember } from "./test-platform";

type Line = Partial<typeof logLines.$inferInsert>;

export async function givenLogWorld(platform: Platform, slug = "acme") {
  const publisher = await givenMember(platform, slug);
  const { listing, version } = await givenListing(platform, publisher, { state: "PUBLIC", verified: true });
  const subject = { listingId: listing.id, versionId: version.id };
  const instanceId = v7();

  /** Stores lines together, as the statement of a worker does. */
  async function store(lines: readonly Line[]): Promise<void> {
    await platform.db.transaction(async (tx) => {
      const [head] = await tx
        .insert(versionLogs)
        .values({ versionId: version.id, lastId: lines.length, lines: lines.length })
        .onConflictDoUpdate({
          target: versionLogs.versionId,
          set: { lastId: sql`${versionLogs.lastId} + ${lines.length}` },
        })
        .returning({ lastId: versionLogs.lastId });
      const before = (head?.lastId ?? 0) - lines.length;
      const rows = lines.map((line, index) => ({
        ...{ versionId: version.id, id: before + index + 1, instanceId, at: new Date() },
        ...{ stream: "stdout" as const, text: "a line" },
        ...line,
      }));
      await tx.insert(logLines).values(rows);
    });
  }

  /** Stores many lines a millisecond apart, the newest now, whose texts end with their numbers. */
  async function storeMany(count: number, text = "line "): Promise<void> {
    await platform.pool.query(
      `with head as (
         insert into version_logs (version_id, last_id, lines) values ($1, $2::bigint, $2::int)
         on conflict (version_id) do update set last_id = version_logs.last_id + excluded.last_id
         returning last_id - $2::bigint as before)
       insert into log_lines (version_id, id, instance_id, at, stream, text)
       select $1, before + n, $3, now() - ($2::int - n) * interval '1 millisecond', 'stdout', $4 || n
         from head, generate_series(1, $2::int) n`,
      [version.id, count, instanceId, text],
    );
    await platform.pool.query("analyze log_lines");
  }

  async function note(
    kind: (typeof instanceEvents.$inferInsert)["kind"],
    at = new Date(),
    { reason = null, db = platform.db }: { reason?: string | null; db?: Db } = {},
  ): Promise<void> {
    await db.insert(instanceEvents).values({ versionId: version.id, instanceId, at, kind, reason });
  }

  return { publisher, listing, version, subject, instanceId, store, storeMany, note };
}

/** The log of one container, as an engine keeps it: a test writes, and any number of readers follow it from any time. */
export function writtenLog(runtime: Runtime) {
  const pieces: LogPiece[] = [];
  let at = BigInt(Date.now()) * 1_000_000n;
  let hasEnded = false;
  runtime.followLog = async function* (_handle, { since = 0n, follow, signal }) {
    for (let next = 0; !signal.aborted;) {
      const piece = pieces[next];
      if (piece !== undefined) {
        next += 1;
        if (piece.at >= since) yield piece;
      } else if (!follow || hasEnded) return;
      else await sleep(5);
    }
  };
  const { inspect } = runtime;
  runtime.inspect = async (handle) =>
    hasEnded
      ? { running: false, code: "EXITED", reason: "exited with code 1", exitCode: 1 }
      : inspect(handle);
  return {
    /** A piece, with a line break unless it is a part of a line. `afterMs`: since the last one. */
    write: (text: string, { stream = "stdout", afterMs = 0, isPart = false }: WriteOptions = {}) => {
      at += BigInt(afterMs) * 1_000_000n + 1_000n;
      pieces.push({ stream, at, bytes: Buffer.from(isPart ? text : `${text}\n`) });
    },
    end: () => (hasEnded = true),
  };
}

interface WriteOptions {
  stream?: LogPiece["stream"];
  afterMs?: number;
  isPart?: boolean;
}
