/** The drill: back up while the platform works, restore somewhere else, and go on there. */
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { eq, isNull } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { imageBlobs, storedBlobs } from "@/drizzle/schema/images";
import { versions } from "@/drizzle/schema/catalog";
import { restorations, workers } from "@/drizzle/schema/platform";
import {
  backUp,
  givenEmptyPlatform,
  givenLaterMigrations,
  givenPublished,
  listBackup,
  restore,
  temporaryFolder,
} from "@/tests/backup-world";
import { givenCredential, givenListing, givenMember, readState, testPlatform } from "@/tests/test-platform";
import { answering, givenUpgradeWorld } from "@/tests/upgrade-world";
import { findRegistryFailure, startRegistry } from "@/tests/containers/registry-server";
import { fakeRuntimes } from "@/tests/fake-runtime";
import { startWorker } from "@/worker/run-worker";
import { recognizeCore } from "../../accounts/credentials/authenticate-core";
import { openSession } from "../../accounts/sessions";
import { signUp } from "../../accounts/sign-up";
import { callRoute } from "../../calls/call-route";
import { acceptFromCore } from "../../calls/deliveries/accept-event";
import { toDigest } from "../../images/archive/test-archives";
import { openStore } from "../../images/blob-store";
import { bundleFolder } from "../../images/incoming-folder";
import { collectBlobs } from "../../images/keep-blobs";
import { oldArchivePath } from "../../images/open-archive";
import { beginFilling, lockTables, readTables } from "../../platform/database/copy-tables";
import { allowMigrations, delayMigrations, migrateDatabase } from "../../platform/database/migrate";
import type { Platform } from "../../platform/platform";
import { recordAudit } from "../../platform/record-audit";
import { listLostTrails } from "../../platform/verify-audit";
import { isOnHold } from "../../platform/hold-queries";
import { readBackup } from "./backup-format";
import { releaseRestored } from "./restore-backup";
import { verifyRestored } from "./verify-restored";
import { withConnection } from "./write-backup";

const platform = await testPlatform();
const PAUSE_MS = 20;
const CREDENTIAL = "pcc_the-credential-of-the-drill";

/** Writes in the background, as customers, cores and apps do, until the test ends. */
async function givenLoad(platform: Platform) {
  const world = await givenUpgradeWorld(platform);
  const id = await world.launch();
  const routeId = await world.routeOf(id, "/autofill");
  const { tenantId } = await world.installation(id);
  await givenCredential(platform, tenantId, CREDENTIAL);
  const core = await recognizeCore(platform, `Bearer ${CREDENTIAL}`);
  const done = { organizations: [] as string[], events: [] as string[], calls: 0 };
  let going = true;
  const repeat = async (work: (round: number) => Promise<unknown>) => {
    for (let round = 0; going; round += 1) {
      await work(round);
      // A few of everything are enough.
      await sleep(PAUSE_MS);
    }
  };
  const lanes = [
    repeat(async (round) => {
      const slug = `org-${round}`;
      const owner = { name: "Ada", email: `${slug}@acme.example`, password: "tidal lantern orbit" };
      const { organizationId } = await signUp(platform, {
        ...owner,
        organizationName: slug,
        organizationSlug: slug,
      });
      done.organizations.push(organizationId);
    }),
    repeat(async (round) => {
      const event = { id: `event-${round}`, type: "policy.issued" };
      const { eventId } = await acceptFromCore(platform, core, event, JSON.stringify(event));
      done.events.push(eventId);
    }),
    repeat(async () => {
      const { failure } = await callRoute(platform, routeId, { operation: "newBusiness.create" });
      expect(failure).toBeNull();
      done.calls += 1;
    }),
  ];
  const end = async () => {
    going = false;
    await Promise.all(lanes);
  };
  onTestFinished(end);
  return { world, id, routeId, done, end };
}

/** Organizations that sign up have one; those of the harness don't. */
async function givenTrails(): Promise<void> {
  for (const chain of await listLostTrails(platform))
    await platform.db.transaction((tx) =>
      recordAudit(tx, platform.keyring, {
        chain,
        actor: "platform",
        action: "organization.create",
        subject: `organization:${chain}`,
      }),
    );
}

const columnOf = async (from: Platform, query: string) =>
  (await from.pool.query<{ id: string }>(query)).rows.map(({ id }) => id);

// Guarantee: a restoration may take as long as it needs, although the database answers nobody else meanwhile.
test("a restoration that locks all tables for long is not taken for a database that hangs", async () => {
  const rows = await withConnection(platform, "restore", async (client) => {
    await beginFilling(client);
    await lockTables(client, await readTables(client));
    return client.query("select pg_sleep(8)");
  });
  expect(rows.rowCount).toBe(1);
});

// Guarantee: a backup that is made under load has everything that was committed before it began, and nothing by half.
test("what is restored is the state of one moment, and the platform goes on with it", async () => {
  const { world, id, done, routeId, end } = await givenLoad(platform);
  await givenPublished(platform, "northwind");
  await givenTrails();
  await expect
    .poll(() => Math.min(done.organizations.length, done.events.length, done.calls))
    .toBeGreaterThan(3);
  await platform.services.recorder.flush();
  const committed = structuredClone(done);
  const attempts = await columnOf(platform, "select id from attempts");
  const folder = path.join(await temporaryFolder(), "backup");
  const manifest = await backUp(platform, folder);
  // The load never stopped for it.
  const callsThen = done.calls;
  await expect.poll(() => done.calls).toBeGreaterThan(callsThen);
  await end();

  const target = await givenEmptyPlatform(platform);
  await restore(target, folder);
  expect(await columnOf(target, "select id from organizations")).toEqual(
    expect.arrayContaining(committed.organizations),
  );
  expect(await columnOf(target, "select id from events")).toEqual(expect.arrayContaining(committed.events));
  expect(await columnOf(target, "select id from attempts")).toEqual(expect.arrayContaining(attempts));
  // Each was committed together with these.
  const halves = await columnOf(
    target,
    `select id from events e where not exists (select from deliveries d where d.event_id = e.id)
     union all select id from organizations o where slug like 'org-%' and not exists (
       select from memberships m where m.organization_id = o.id)
     union all select id from organizations o where slug like 'org-%' and not exists (
       select from audit a where a.chain = o.id::text)`,
  );
  expect(halves).toEqual([]);
  const checks: { name: string; faults: string[] }[] = [];
  for await (const { name, faults } of verifyRestored(target, manifest)) checks.push({ name, faults });
  expect(checks).toEqual(["keys", "secrets", "audit", "images"].map((name) => ({ name, faults: [] })));
  expect(manifest.blobs.length).toBe(4);

  // It is on hold: a worker starts nothing, and the original goes on undisturbed.
  const fake = fakeRuntimes(answering("restored"));
  const worker = startWorker(target, fake.runtimes, 20);
  onTestFinished(() => worker.end());
  expect(await isOnHold(target.db)).toBe(true);
  expect(await columnOf(target, "select id from instances where state not in ('STOPPED', 'FAILED')")).toEqual(
    [],
  );
  expect(await target.db.select().from(workers)).toEqual([]);
  const { failure } = await callRoute(target, routeId, { operation: "newBusiness.create" });
  expect(failure).toContain("on hold");
  expect(await world.answerOf(routeId)).toBe(JSON.stringify({ from: "first" }));
  expect(world.fake.handles().length).toBe(1);

  expect(await releaseRestored(target)).toBe(true);
  expect(await releaseRestored(target)).toBe(false);
  // The app runs again, its events arrive, and it reads its secret.
  await expect.poll(() => fake.handles().length).toBe(1);
  const isCalled = async () => (await callRoute(target, routeId, { operation: "newBusiness.create" })).answer;
  await expect.poll(isCalled).toBe(JSON.stringify({ from: "restored" }));
  const pending = "select id from deliveries where state = 'PENDING'";
  await expect.poll(() => columnOf(target, pending)).toEqual([]);
  const key = fake.app().received.findLast(({ url }) => url === "/autofill")?.headers["x-platform-key"];
  expect((await readState(target, String(key))).settings).toMatchObject({ apiKey: "the-secret" });
  expect((await world.installation(id)).state).toBe("RUNNING");
});

// Guarantee: what a user or group other than the platform's could read is not there.
test("a backup is readable for its owner only, and contains no master key", async () => {
  await givenMember(platform);
  const folder = path.join(await temporaryFolder(), "backup");
  await backUp(platform, folder);
  for (const name of ["", "tables", "blobs"])
    expect((await stat(path.join(folder, name))).mode & 0o777).toBe(0o700);
  for (const name of await listBackup(folder))
    expect((await stat(path.join(folder, name))).mode & 0o777).toBe(0o600);
  const { manifest } = await readBackup(folder, undefined);
  expect(manifest.keys).toEqual([{ id: "test", fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/) }]);
});

// Guarantee: a blob that the rows of a backup name is in the backup, even if its version goes while it is made.
test("blobs are not removed while a backup copies them", async () => {
  const { versionId } = await givenPublished(platform, "acme");
  const [blob] = await platform.db.select().from(storedBlobs);
  const store = openStore(platform.environment);
  const collect = () => collectBlobs(platform, new Date(Date.now() + 1_000), { pauseMs: 0 });
  const folder = path.join(await temporaryFolder(), "backup");
  const { blobs, lost } = await backUp(platform, folder, {
    report: async (line) => {
      if (!line.startsWith("Database:")) return;
      await platform.db.delete(versions).where(eq(versions.id, versionId));
      expect(await collect()).toBe(0);
    },
  });
  expect({ blobs: blobs.length, lost }).toEqual({ blobs: 4, lost: [] });
  expect(await collect()).toBe(4);
  if (blob !== undefined) expect(await store.has(blob)).toBe(false);
  const target = await givenEmptyPlatform(platform);
  await restore(target, folder);
  expect((await target.db.select().from(imageBlobs)).length).toBe(4);
});

// Guarantee: images from before they were stored as blobs are backed up, too.
test("an image that was stored as one archive is restored as one", async () => {
  const { version } = await givenListing(platform, await givenMember(platform));
  const content = Buffer.from("an old archive");
  const digest = toDigest(content);
  await platform.db.update(versions).set({ archiveDigest: digest }).where(eq(versions.id, version.id));
  const { environment } = platform;
  await mkdir(bundleFolder(environment), { recursive: true });
  await writeFile(oldArchivePath(environment, digest), content);
  const folder = path.join(await temporaryFolder(), "backup");
  expect(await backUp(platform, folder)).toMatchObject({ blobs: [{ kind: "archive", digest }], lost: [] });
  const target = await givenEmptyPlatform(platform);
  await restore(target, folder);
  expect(await readFile(oldArchivePath(target.environment, digest))).toEqual(content);
});

// Guarantee: an older backup gets the schema of this release, with the rows that its migrations make of its own.
test("a backup of an older schema is restored with it, and then migrated", async () => {
  await givenMember(platform);
  const folder = path.join(await temporaryFolder(), "backup");
  await backUp(platform, folder);
  const statement = `alter table users add column shout text; --> statement-breakpoint
update users set shout = upper(name); --> statement-breakpoint
alter table users alter column shout set not null;`;
  const migrationsFolder = await givenLaterMigrations(statement);
  const target = await givenEmptyPlatform(platform);
  await restore(target, folder, { migrationsFolder });
  const { rows } = await target.pool.query("select shout from users");
  expect(rows).toEqual([{ shout: "OWNER OF ACME" }]);
});

// Guarantee: a backup stops neither a restart nor calls, and a migration waits without a lock that others would wait for.
test("while rows are read, only a migration waits", async () => {
  const url = platform.environment.DATABASE_URL;
  const client = await platform.pool.connect();
  onTestFinished(() => client.release(true));
  await delayMigrations(client);
  await migrateDatabase(url, "drizzle/migrations");
  let isDone = false;
  const migrationsFolder = await givenLaterMigrations("alter table search_terms add column later text");
  const migrating = migrateDatabase(url, migrationsFolder).then(() => (isDone = true));
  const waiting =
    "select locktype from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())";
  await expect.poll(async () => (await client.query(waiting)).rows).toEqual([{ locktype: "advisory" }]);
  await platform.pool.query("insert into search_terms (word) values ('not-blocked')");
  expect(isDone).toBe(false);
  await allowMigrations(client);
  await migrating;
  await platform.pool.query("alter table search_terms drop column later");
  await platform.pool.query(
    "delete from drizzle.__drizzle_migrations where created_at = (select max(created_at) from drizzle.__drizzle_migrations)",
  );
});

const registryFailure = await findRegistryFailure();
// Guarantee: a restored platform never shares images with the original, because each would remove what the other needs.
test.skipIf(registryFailure !== undefined)(
  "images of a registry are restored into a repository of its own",
  async () => {
    const registry = await startRegistry({});
    onTestFinished(() => registry.end());
    const at = (name: string) => ({ PLATFORM_REGISTRY_URL: `${registry.origin}/platform/${name}` });
    await givenPublished(platform, "acme");
    const folders = path.join(await temporaryFolder(), "backup");
    await backUp(platform, folders);
    const first = await givenEmptyPlatform(platform, at("first"));
    await restore(first, folders);
    // As that platform's own backup, which reads the registry.
    const folder = path.join(await temporaryFolder(), "backup");
    const { blobs, lost } = await backUp(first, folder);
    expect({ blobs: blobs.length, lost }).toEqual({ blobs: 4, lost: [] });
    const sharing = await givenEmptyPlatform(platform, at("first"));
    await expect(restore(sharing, folder)).rejects.toThrow(
      /The registry already has the blob .*\. Use a separate repository/,
    );
    const second = await givenEmptyPlatform(platform, at("second"));
    await restore(second, folder);
    for await (const { faults } of verifyRestored(
      second,
      await backUp(second, path.join(await temporaryFolder(), "again")),
    ))
      expect(faults.filter((fault) => !fault.includes("has no audit trail"))).toEqual([]);
  },
);

test("a publication in progress is left out with its rows", async () => {
  await givenPublished(platform, "acme");
  await platform.db.delete(imageBlobs);
  const folder = path.join(await temporaryFolder(), "backup");
  const { tables } = await backUp(platform, folder);
  const rows = Object.fromEntries(tables.map((table) => [table.name, table.rows]));
  expect(rows).toMatchObject({ stored_blobs: 0, organization_blobs: 0 });
});

// Guarantee: whoever was signed out after the backup isn't signed in again by it.
test("restored sessions are revoked, and tokens of minutes are not there", async () => {
  const { userId } = await givenMember(platform);
  await openSession(platform, userId, { network: "", userAgent: "", devices: new Map() }, "PASSWORD");
  const folder = path.join(await temporaryFolder(), "backup");
  const { tables } = await backUp(platform, folder);
  for (const name of ["account_links", "pending_sign_ups", "rate_limits", "blob_uploads", "upload_pieces"])
    expect(tables.find((table) => table.name === name)).toMatchObject({ rows: 0 });
  const target = await givenEmptyPlatform(platform);
  await restore(target, folder);
  expect(await columnOf(target, "select id from sessions where revoked_at is null")).toEqual([]);
  expect((await columnOf(target, "select id from sessions")).length).toBe(2);
});

// Guarantee: what the database keeps besides tables of rows, constraints, triggers and sequences would be lost, so there is none.
test("the schema has nothing that a backup would miss, and a restored one is the same", async () => {
  const others = await platform.pool.query(
    `select relname, relkind from pg_class c where relnamespace = 'public'::regnamespace
        and (relkind not in ('r', 'i', 'S', 'c') or relrowsecurity or relispartition)
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
     union all select nspname, 'n' from pg_namespace where nspname !~ '^pg_' and nspname not in ('public', 'drizzle', 'information_schema')
     union all select oid::text, 'L' from pg_largeobject_metadata`,
  );
  expect(others.rows).toEqual([]);
  const folder = path.join(await temporaryFolder(), "backup");
  await platform.pool.query("select setval('instance_events_id_seq', 700, true)");
  await backUp(platform, folder);
  const target = await givenEmptyPlatform(platform);
  await restore(target, folder);
  const describe = async ({ pool }: Platform) => {
    const constraints =
      "select conname as name, pg_get_constraintdef(oid) as is from pg_constraint where connamespace = 'public'::regnamespace";
    const triggers =
      "select tgname, pg_get_triggerdef(oid) || tgenabled::text from pg_trigger where not tgisinternal";
    const indexes = "select indexname, indexdef from pg_indexes where schemaname = 'public'";
    return (await pool.query(`${constraints} union all ${triggers} union all ${indexes} order by 1, 2`)).rows;
  };
  expect(await describe(target)).toEqual(await describe(platform));
  const next = await target.pool.query<{ next: string }>("select nextval('instance_events_id_seq') as next");
  expect(next.rows).toEqual([{ next: "701" }]);
  expect(await target.db.select().from(restorations).where(isNull(restorations.releasedAt))).toHaveLength(1);
});
