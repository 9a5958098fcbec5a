import { sql } from "drizzle-orm";
import { v7 } from "uuid";
import { expect, test } from "vitest";
import type { AuditAction } from "@/lib/contract/platform/audit";
import type { AuditView } from "@/lib/contract/platform/audit-view";
import { toLocalTime } from "@/lib/domain/platform/zoned-time";
import { givenListing, givenMember, one, testPlatform } from "@/tests/test-platform";
import { selectActors } from "./audit-queries";
import { exportAudit, findActors, nameActor, readAuditPage, writeExport } from "./read-audit";
import { recordAudit } from "./record-audit";
import { verifyAudit, verifyAuditStep } from "./verify-audit";

const platform = await testPlatform();

const record = (chain: string, action: AuditAction, actor: string, subject: string, details = {}) =>
  platform.db.transaction((tx) =>
    recordAudit(tx, platform.keyring, { chain, action, actor, subject, details }),
  );
const actionsOf = (rows: readonly AuditView[]) => rows.map(({ action }) => action);

async function givenTrail() {
  const owner = await givenMember(platform, "acme");
  const { listing } = await givenListing(platform, owner);
  const chain = owner.organization.id;
  const actor = `user:${owner.userId}`;
  await record(chain, "organization.create", actor, `organization:${chain}`);
  await record(chain, "listing.create", actor, `listing:${listing.id}`, { name: "=cmd" });
  await record(chain, "installation.run", "worker", `installation:${v7()}`);
  const other = await givenMember(platform, "harbor");
  await record(other.organization.id, "listing.create", `user:${other.userId}`, `listing:${v7()}`);
  await record(other.organization.id, "review.submit", `user:${other.userId}`, `review:${v7()}`);
  await record("platform", "moderator.create", "operator:command", `user:${other.userId}`);
  return { owner, other, listing, scope: { organizationId: chain }, actor };
}

// Guarantee: an owner sees their own organization's trail; moderators see reviews of all, and nothing else of them.
test("each trail has its own rows, newest first, with names", async () => {
  const { scope, owner, listing } = await givenTrail();
  const { rows } = await readAuditPage(platform, scope, {});
  expect(actionsOf(rows)).toEqual(["installation.run", "listing.create", "organization.create"]);
  expect(rows.map(({ actorName }) => actorName)).toEqual(["The platform", owner.name, owner.name]);
  expect(rows[1]).toMatchObject({ subjectName: "VIN lookup", subject: `listing:${listing.id}`, position: 2 });
  expect(rows[0]?.subjectName).toMatch(/^installation [0-9a-f]{8}$/);
  const moderators = await readAuditPage(platform, "moderators", {});
  expect(actionsOf(moderators.rows)).toEqual(["moderator.create", "review.submit"]);
});

test("filters combine, and what is invalid finds nothing or is ignored", async () => {
  const { scope, actor, listing } = await givenTrail();
  const found = async (filter: Parameters<typeof readAuditPage>[2]) => {
    const { rows: all, total } = await readAuditPage(platform, scope, filter);
    expect(total).toBe(all.length);
    return actionsOf(all);
  };
  expect(await found({ actor })).toEqual(["listing.create", "organization.create"]);
  expect(await found({ actor, action: "listing.create" })).toEqual(["listing.create"]);
  expect(await found({ subject: `listing:${listing.id}` })).toEqual(["listing.create"]);
  const today = new Date().toISOString().slice(0, 10);
  expect(await found({ from: today, to: today })).toHaveLength(3);
  expect(await found({ to: "2020-01-01" })).toEqual([]);
  expect(await found({ actor: "user:' or 1=1" })).toEqual([]);
  const { rows } = await readAuditPage(platform, scope, {}, "'; drop table audit~x");
  expect(rows).toHaveLength(3);
});

test("days begin and end with the reader's midnight", async () => {
  const { scope } = await givenTrail();
  const now = new Date();
  // The zones are 26 hours apart: it is never the same day in both.
  const day = (zone: string) => toLocalTime(now.toISOString(), zone).slice(0, "2026-11-28".length);
  const [east, west] = ["Pacific/Kiritimati", "Etc/GMT+12"] as const;
  const found = async (on: string, zone: string) =>
    (await readAuditPage(platform, scope, { from: on, to: on }, undefined, zone)).rows.length;
  expect(day(east)).not.toBe(day(west));
  expect([await found(day(east), east), await found(day(west), west)]).toEqual([3, 3]);
  expect([await found(day(east), west), await found(day(west), east)]).toEqual([0, 0]);
});

test("a moderator outside the organization has no name there", async () => {
  const { scope } = await givenTrail();
  const moderator = await givenMember(platform, "team");
  await platform.pool.query("update users set moderator = true where id = $1", [moderator.userId]);
  await record(scope.organizationId, "review.approve", `user:${moderator.userId}`, `review:${v7()}`);
  const [row] = (await readAuditPage(platform, scope, {})).rows;
  expect(row?.actorName).toBe("A moderator");
  const namesOf = async (typed?: string) =>
    (await findActors(platform, scope, typed)).options.map(({ text }) => text);
  expect(await namesOf()).toEqual(["A moderator", "owner of acme", "The platform"]);
  expect(await namesOf("ACME own")).toEqual(["owner of acme"]);
  expect(await namesOf("nobody")).toEqual([]);
  expect(await nameActor(platform, scope, { actor: "worker" })).toBe("The platform");
});

/** Rows with valid positions and without seals. */
const fill = (chain: string, rows: number) =>
  platform.pool.query(
    `insert into audit (id, chain, position, actor, action, subject, details, seal, created_at)
     select gen_random_uuid(), $1, n, 'user:' || (n % 50), (array['listing.create', 'tenant.edit', 'review.submit', 'api-key.create'])[1 + n % 4],
            'listing:' || (n % 1000), '{}', 'x', date_trunc('milliseconds', now() - (${rows} - n) * interval '30 s')
       from generate_series(1, ${rows}) n`,
    [chain],
  );

// Guarantee: nobody is missing in the filter of a trail, however many acted in it.
test("everyone of many actors is found, and the menu says that there are more", async () => {
  const chain = v7();
  await platform.pool.query(
    `insert into audit (id, chain, position, actor, action, subject, details, seal)
     select gen_random_uuid(), $1, n, 'user:0198c0de-0000-7000-8000-' || lpad(n::text, 12, '0'), 'tenant.edit', 'tenant:1', '{}', 'x'
       from generate_series(1, 2500) n`,
    [chain],
  );
  const scope = { organizationId: chain };
  expect(await selectActors(platform.db, scope)).toHaveLength(2_500);
  const found = await findActors(platform, scope, undefined);
  expect([found.options.length, found.more]).toEqual([50, true]);
});

// Guarantee: every row is on exactly one page, and an export has them all, in little memory.
test("pages and exports contain each row once", async () => {
  const chain = v7();
  await fill(chain, 2_345);
  const scope = { organizationId: chain };
  const positions: number[] = [];
  let after: string | undefined;
  let before: string | undefined;
  do {
    const page = await readAuditPage(platform, scope, { action: "tenant.edit" }, after);
    positions.push(...page.rows.map(({ position }) => position));
    [after, before] = [page.next, page.previous];
  } while (after !== undefined);
  const back: number[] = [];
  while (before !== undefined) {
    const page = await readAuditPage(platform, scope, { action: "tenant.edit" }, before);
    back.unshift(...page.rows.map(({ position }) => position));
    before = page.previous;
  }
  expect(back).toEqual(positions.slice(0, back.length));
  expect(back.length).toBeGreaterThanOrEqual(575);
  expect(positions).toEqual(
    Array.from({ length: 587 }, (_, index) => 2_345 - 4 * index).filter((n) => n > 0),
  );
  const text = await readAll(writeExport(exportAudit(platform, scope, {}), "jsonl"));
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as AuditView);
  expect(lines.map(({ position }) => position)).toEqual(
    Array.from({ length: 2_345 }, (_, index) => 2_345 - index),
  );
});

async function readAll(parts: AsyncGenerator<string>): Promise<string> {
  let text = "";
  for await (const part of parts) text += part;
  return text;
}

// Guarantee: opening an export in a spreadsheet runs nothing.
test("a CSV export quotes everything and neutralizes formulas", async () => {
  const { scope, listing } = await givenTrail();
  await platform.pool.query("update listings set title = '=HYPERLINK(1)' where id = $1", [listing.id]);
  const text = await readAll(
    writeExport(exportAudit(platform, scope, { action: "listing.create" }), "csv", "Asia/Tokyo"),
  );
  const [head, row, ...more] = text.split("\r\n");
  // Excel recognizes UTF-8 by the byte order mark.
  expect(head).toBe(
    '\uFEFF"position","at","actor","actorName","action","subject","subjectName","details","chain","local time (Asia/Tokyo)"',
  );
  const [at = ""] = /\d{4}-\d\d-\d\dT[^"]+/.exec(row ?? "") ?? [];
  const inTokyo = new Date(Date.parse(at) + 9 * 3_600_000).toISOString().slice(0, 19).replace("T", " ");
  expect(row).toMatch(new RegExp(`"${inTokyo}"$`));
  expect(row).toContain(`"'=HYPERLINK(1)","{""name"":""=cmd""}"`);
  expect(more).toEqual([""]);
});

// Guarantee: at 100,000 rows every filter still reads its page in the order of an index.
test("each filter uses its index at 100,000 rows", async () => {
  const chain = v7();
  await fill(chain, 100_000);
  await platform.pool.query("analyze audit");
  const explain = async (where: string) =>
    (
      await platform.pool.query<{ "QUERY PLAN": string }>(
        `explain select * from audit where ${where} order by created_at desc, id desc limit 51`,
      )
    ).rows
      .map((line) => line["QUERY PLAN"])
      .join("\n");
  const own = `chain = '${chain}'`;
  const moderators =
    "(chain = 'platform' or action like 'review.%' or action in ('listing.suspend', 'listing.reinstate'))";
  for (const [where, index] of [
    [own, "audit_of_chain"],
    [
      `${own} and created_at >= now() - interval '20 days' and created_at < now() - interval '19 days'`,
      "audit_of_chain",
    ],
    [`${own} and actor = 'user:7'`, "audit_of_actor"],
    [`${own} and action = 'tenant.edit'`, "audit_of_action"],
    [`${own} and subject = 'listing:7'`, "audit_of_subject"],
    [moderators, "audit_of_moderators"],
  ] as const) {
    const plan = await explain(where);
    expect(plan, where).toContain(index);
    expect(plan, where).not.toMatch(/Sort|Seq Scan/);
  }
  expect((await findActors(platform, { organizationId: chain }, undefined)).options).toHaveLength(50);
  await platform.db.transaction(async (tx) => {
    await selectActors(tx, { organizationId: chain });
    const { rows } = await tx.execute<{ read: number }>(
      sql`select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables where relname = 'audit'`,
    );
    expect(one(rows).read).toBeLessThan(1_000);
  });
});

// Guarantee: verifying in steps finds what verifying at once finds.
test.each([
  ["nothing", "select 1"],
  ["a row edited", "update audit set actor = 'user:2' where position = 2"],
  ["a row deleted", "delete from audit where position = 2"],
  ["the last row deleted", "delete from audit where position = 3"],
  ["all rows deleted", "delete from audit"],
])("verification in steps: %s", async (_what, statement) => {
  const { scope } = await givenTrail();
  await platform.pool.query(statement);
  const whole = await verifyAudit(platform, scope.organizationId);
  const step = await verifyAuditStep(platform, scope.organizationId, 0);
  expect(step.done).toBe(true);
  expect(step.issue).toEqual(whole.intact ? undefined : { position: whole.position, reason: whole.reason });
  if (whole.intact) expect(step.position).toBe(whole.rows);
});

test("a long trail takes several short steps, and a position that does not exist is an issue", async () => {
  const { scope } = await givenTrail();
  const { organizationId: chain } = scope;
  expect(await verifyAuditStep(platform, chain, 0, 2)).toEqual({ position: 2, done: false });
  expect(await verifyAuditStep(platform, chain, 2, 2)).toEqual({ position: 3, done: true });
  expect((await verifyAuditStep(platform, chain, 9_999)).issue).toMatchObject({ reason: "a row is missing" });
});
