import { expect, test } from "vitest";
import { notifications } from "@/drizzle/schema/platform";
import type { NotificationKind } from "@/lib/contract/platform/notification-kinds";
import type { Actor } from "@/lib/domain/platform/actor";
import { givenMember, testPlatform } from "@/tests/test-platform";
import { countByState, listNotifications, readNotifications } from "./list-notifications";
import { type Notification, notify } from "./notify";
import { changePreference, readPreferences } from "./preferences";

const platform = await testPlatform();

const tell = (to: Notification["to"], subject: string, kind: NotificationKind = "comment") =>
  platform.db.transaction((tx) => notify(tx, { kind, to, title: subject, href: "/x", subject }));
const titles = async (actor: Actor, ...rest: [Parameters<typeof listNotifications>[2]?, string?]) =>
  (await listNotifications(platform, actor, rest[0] ?? {}, rest[1])).notifications.map(({ title }) => title);

test("the list is newest first, filtered by kind and by what is unread", async () => {
  const member = await givenMember(platform);
  await tell({ userId: member.userId }, "a");
  await tell({ userId: member.userId }, "b", "version");
  await tell({ userId: member.userId }, "c");
  expect(await titles(member)).toEqual(["c", "b", "a"]);
  expect(await titles(member, { kind: "version" })).toEqual(["b"]);
  const { notifications: listed, unread } = await listNotifications(platform, member, {});
  expect(unread).toBe(3);
  await readNotifications(platform, member, { ids: [listed[0]?.id ?? ""] });
  expect(await titles(member, { unread: "1" })).toEqual(["b", "a"]);
  await tell({ userId: member.userId }, "a");
  expect((await listNotifications(platform, member, {})).notifications[0]).toMatchObject({
    title: "a",
    count: 2,
  });
});

// Guarantee: every row is on exactly one page, also rows of one moment.
test("paging by cursor shows every row once, and an invalid cursor the first page", async () => {
  const member = await givenMember(platform);
  await platform.db.insert(notifications).values(
    Array.from({ length: 75 }, (_, index) => ({
      userId: member.userId,
      kind: "comment" as const,
      subject: `s${index}`,
      title: `n${index}`,
      body: "",
      href: "/x",
    })),
  );
  const seen: string[] = [];
  let after: string | undefined;
  let before: string | undefined;
  for (let pages = 0; pages < 5; pages += 1) {
    const page = await listNotifications(platform, member, {}, after);
    seen.push(...page.notifications.map(({ title }) => title));
    [after, before] = [page.next, page.previous];
    if (after === undefined) break;
  }
  expect([seen.length, new Set(seen).size]).toEqual([75, 75]);
  const back = await listNotifications(platform, member, {}, before);
  expect(back.notifications.map(({ title }) => title)).toEqual(seen.slice(30, 60));
  for (const bad of [
    "'; drop table notifications",
    "2026-13-99 00:00:00+00~x",
    `9999-99-99 99:99:99+00~${member.userId}`,
  ])
    expect(await titles(member, {}, bad)).toHaveLength(30);
});

// Guarantee: nobody sees or changes another person's notifications, and a former member nothing of the organization.
test("only what the person may see now is listed and marked", async () => {
  const [maya, eve] = [await givenMember(platform, "acme"), await givenMember(platform, "harbor")];
  await tell({ organizationId: maya.organization.id }, "of acme");
  await tell({ userId: maya.userId }, "personal");
  const [first] = (await listNotifications(platform, maya, {})).notifications;
  await readNotifications(platform, eve, { ids: [first?.id ?? ""] });
  await readNotifications(platform, eve, { until: new Date().toISOString() });
  expect(await titles(maya, { unread: "1" })).toEqual(["personal", "of acme"]);
  expect(await titles(eve)).toEqual([]);
  await platform.pool.query("delete from memberships where user_id = $1", [maya.userId]);
  expect(await titles(maya)).toEqual(["personal"]);
  expect((await listNotifications(platform, maya, {})).unread).toBe(1);
});

test("a former moderator no longer sees moderators' notifications", async () => {
  const member = await givenMember(platform);
  await platform.pool.query("update users set moderator = true");
  await tell({ moderators: true }, "submitted", "review-submitted");
  expect(await titles({ ...member, moderator: true })).toEqual(["submitted"]);
  expect(await titles(member)).toEqual([]);
});

test("marking all as read leaves what arrived after the page was read", async () => {
  const member = await givenMember(platform);
  await tell({ userId: member.userId }, "seen");
  await tell({ userId: member.userId }, "seen version", "version");
  const until = (await listNotifications(platform, member, {})).notifications[0]?.at ?? "";
  await new Promise((resolve) => setTimeout(resolve, 5));
  await tell({ userId: member.userId }, "later");
  await readNotifications(platform, member, { until, kind: "version" });
  expect(await titles(member, { unread: "1" })).toEqual(["later", "seen"]);
  expect(await countByState(platform, member, {})).toEqual({ all: 3, unread: 2 });
  expect(await countByState(platform, member, { kind: "version", unread: "1" })).toEqual({
    all: 1,
    unread: 0,
  });
  await readNotifications(platform, member, { until });
  expect(await titles(member, { unread: "1" })).toEqual(["later"]);
});

test("another organization's notification names it", async () => {
  const member = await givenMember(platform, "acme");
  const other = await givenMember(platform, "harbor");
  await platform.pool.query("insert into memberships values ($1, $2, 'owner')", [
    other.organization.id,
    member.userId,
  ]);
  await tell({ organizationId: other.organization.id }, "of harbor");
  await tell({ organizationId: member.organization.id }, "of acme");
  const { notifications: listed } = await listNotifications(platform, member, {});
  expect(listed.map(({ elsewhere }) => elsewhere?.name)).toEqual([undefined, "harbor"]);
});

// Guarantee: each kind is chosen by itself, and what was not chosen keeps its default.
test("preferences start with the defaults and change one by one", async () => {
  const member = await givenMember(platform);
  const read = async () =>
    Object.fromEntries((await readPreferences(platform, member)).map((row) => [row.kind, row]));
  expect((await read()).version).toEqual({ kind: "version", inProduct: true, email: false });
  expect((await read())["review-submitted"]).toBeUndefined();
  await changePreference(platform, member, { kind: "version", email: true });
  await changePreference(platform, member, { kind: "version", inProduct: false });
  expect((await read()).version).toEqual({ kind: "version", inProduct: false, email: true });
  await tell({ userId: member.userId }, "by email only", "version");
  expect(await titles(member)).toEqual([]);
});

// Guarantee: the bell and the list cost the same however many there are.
test("the list and the count use their indexes", async () => {
  const member = await givenMember(platform);
  await platform.pool.query(
    `insert into notifications (id, user_id, kind, subject, title, body, href, read_at, updated_at)
     select gen_random_uuid(), $1, 'comment', n::text, 't', '', '/x', case when n % 100 > 0 then now() end, now() - n * interval '1 s'
       from generate_series(1, 20000) n`,
    [member.userId],
  );
  await platform.pool.query("analyze notifications");
  const plan = async (text: string) =>
    (await platform.pool.query<{ "QUERY PLAN": string }>(`explain ${text}`)).rows
      .map((row) => row["QUERY PLAN"])
      .join("\n");
  const where = `user_id = '${member.userId}' and shown`;
  expect(
    await plan(`select * from notifications where ${where} order by updated_at desc, id desc limit 31`),
  ).toContain("newest_notifications");
  expect(await plan(`select id from notifications where ${where} and read_at is null limit 100`)).toContain(
    "unread_notifications",
  );
});
