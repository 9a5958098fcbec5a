import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { mails, notifications } from "@/drizzle/schema/platform";
import { givenMails } from "@/tests/mail/mail-world";
import { givenMember, one, testPlatform } from "@/tests/test-platform";
import { notify } from "./notify";
import { unsubscribe } from "./preferences";

const base = await testPlatform();
const { expectState, givenServer, rows, send, withSmtp } = givenMails(base);

test("a notification's mail can be unsubscribed from with one click", async () => {
  const smtp = await givenServer();
  const { userId, email } = await givenMember(base, "acme");
  const tell = () =>
    base.db.transaction((tx) =>
      notify(tx, { kind: "comment", to: { userId }, title: "New comment", href: "/x" }),
    );
  await tell();
  const loop = send(withSmtp(`smtp://${smtp.host}`));
  await expectState("SENT");
  const mail = one(smtp.received);
  expect(mail.recipients).toEqual([email]);
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value ?? "";
  expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  expect(header("auto-submitted")).toBe("auto-generated");
  const token =
    /^<https:\/\/platform\.example\/api\/unsubscribe\/([^>/]+)>$/.exec(header("list-unsubscribe"))?.[1] ?? "";
  for (const forged of [token.replace(/.$/, ""), token.replace("comment", "version"), "x", ""])
    await expect(unsubscribe(base, forged)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await unsubscribe(base, token);
  await base.pool.query("update notifications set mailed_at = null");
  await tell();
  loop.wake();
  await sleep(200);
  expect([await base.db.$count(mails), await base.db.$count(notifications)]).toEqual([1, 1]);
});

// Guarantee: an email that waited reports the newest event, and none is sent about what was already read or may no
// longer be seen.
test("a mail that waits is written when it is sent", async () => {
  const smtp = await givenServer();
  const { userId } = await givenMember(base, "acme");
  for (const title of ["Stopped", "Stopped again"])
    await base.db.transaction((tx) => notify(tx, { kind: "app-error", to: { userId }, title, href: "/x" }));
  send(withSmtp(`smtp://${smtp.host}`));
  await expectState("SENT");
  expect(one(smtp.received)).toMatchObject({
    subject: "Stopped again",
    text: expect.stringContaining("2 times"),
  });
});

// Guarantee: a time in an email is the recipient's, and says of which zone it is.
test.each([
  ["Asia/Kathmandu", "Asia/Kathmandu, UTC+5:45"],
  [null, "UTC"],
  ["Mars/Olympus", "UTC"],
])("a mail's times are in the zone of its reader: %s", async (zone, named) => {
  const smtp = await givenServer();
  const { userId } = await givenMember(base, "acme");
  await base.pool.query("update users set zone = $1 where id = $2", [zone, userId]);
  const title = (shown: string) => `It ends in ${shown}`;
  await base.db.transaction((tx) => notify(tx, { kind: "app-error", to: { userId }, title, href: "/x" }));
  await base.pool.query("update notifications set updated_at = '2026-01-15T12:00:00Z'");
  send(withSmtp(`smtp://${smtp.host}`));
  await expectState("SENT");
  const time = zone === "Asia/Kathmandu" ? "17:45:00" : "12:00:00";
  expect(one(smtp.received)).toMatchObject({
    subject: `It ends in ${zone === "Asia/Kathmandu" ? zone : "UTC"}`,
    text: expect.stringContaining(`At 15 Jan 2026, ${time} (${named}).`),
  });
});

test.each([
  ["read", "update notifications set read_at = now()"],
  ["no longer visible to a former member", "delete from memberships"],
  ["no longer wanted", "insert into notification_preferences select id, 'app-error', true, false from users"],
])("a mail about what is %s is dropped", async (_what, statement) => {
  const smtp = await givenServer();
  const { organization } = await givenMember(base, "acme");
  await base.db.transaction((tx) =>
    notify(tx, { kind: "app-error", to: { organizationId: organization.id }, title: "Stopped", href: "/x" }),
  );
  await base.pool.query(statement);
  send(withSmtp(`smtp://${smtp.host}`));
  await expect.poll(rows).toEqual([]);
  expect(smtp.received).toEqual([]);
});

test("the hour until the next mail begins when one was sent", async () => {
  const smtp = await givenServer();
  const { userId } = await givenMember(base, "acme");
  const tell = () =>
    base.db.transaction((tx) =>
      notify(tx, { kind: "app-error", to: { userId }, title: "Stopped", href: "/x" }),
    );
  await tell();
  // The server was away for 50 minutes, and it happened again while the email was sent at last.
  await base.pool.query(
    "update mails set created_at = now() - interval '50 minutes', leased_until = now() + interval '1 s'",
  );
  await base.pool.query("update notifications set mailed_at = now() - interval '50 minutes'");
  await tell();
  await base.pool.query("update mails set leased_until = null");
  send(withSmtp(`smtp://${smtp.host}`));
  await expect.poll(() => smtp.received.length).toBe(1);
  await expect
    .poll(async () =>
      (await rows())
        .filter(({ state }) => state === "QUEUED")
        .map(({ dueAt }) => dueAt.getTime() - Date.now() > 3_500_000),
    )
    .toEqual([true]);
});
