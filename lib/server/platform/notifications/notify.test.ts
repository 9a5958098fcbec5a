import { expect, test } from "vitest";
import { mails, notificationPreferences, notifications } from "@/drizzle/schema/platform";
import { givenMember, one, testPlatform } from "@/tests/test-platform";
import { type Notification, notify, queueMail } from "./notify";
import { openMail } from "./render-mail";

const platform = await testPlatform();

const tell = (notification: Partial<Notification> & Pick<Notification, "to">) =>
  platform.db.transaction((tx) =>
    notify(tx, {
      kind: "app-error",
      title: "VIN lookup stopped",
      href: "/publish/vin-lookup",
      ...notification,
    }),
  );
const rows = () => platform.db.select().from(notifications);
const queued = () => platform.db.select().from(mails);

// Guarantee: each person with one of the roles gets one row, and nobody else.
test("members with one of the roles are notified, except who caused it", async () => {
  const owner = await givenMember(platform, "acme", "owner");
  const publisher = await givenMember(platform, "acme", "publisher");
  await givenMember(platform, "acme", "operator");
  await givenMember(platform, "harbor", "owner");
  const { id: organizationId } = owner.organization;
  await tell({ to: { organizationId, roles: ["owner", "publisher"], except: owner.userId } });
  expect(await rows()).toMatchObject([{ userId: publisher.userId, organizationId, count: 1, readAt: null }]);
  await tell({ to: { userId: owner.userId }, kind: "comment" });
  expect(await rows()).toHaveLength(2);
});

test("moderators are notified without an organization", async () => {
  const moderator = await givenMember(platform, "acme");
  await platform.pool.query("update users set moderator = true where id = $1", [moderator.userId]);
  await givenMember(platform, "harbor");
  await tell({ to: { moderators: true }, kind: "review-submitted" });
  expect(await rows()).toMatchObject([{ userId: moderator.userId, organizationId: null }]);
});

// Guarantee: nothing is sent for a change that didn't happen.
test("a rollback takes the notification and its mail back", async () => {
  const { userId } = await givenMember(platform);
  const failing = platform.db.transaction(async (tx) => {
    await notify(tx, { kind: "comment", to: { userId }, title: "A", href: "/a" });
    await queueMail(tx, platform.keyring, { to: "a@b.example", subject: "A", text: "", html: "" });
    throw new Error("rolled back");
  });
  await expect(failing).rejects.toThrow("rolled back");
  expect([await rows(), await queued()]).toEqual([[], []]);
});

// Guarantee: an app that fails a hundred times is one row and at most one email an hour.
test("the same subject is folded into one row with a count, and one mail that waits", async () => {
  const { userId } = await givenMember(platform);
  for (let time = 1; time <= 100; time += 1) await tell({ to: { userId }, title: `Stopped ${time} times` });
  expect(await rows()).toMatchObject([{ count: 100, title: "Stopped 100 times" }]);
  expect(await queued()).toHaveLength(1);
});

test("concurrent notifications about one subject are all counted", async () => {
  const { organization } = await givenMember(platform);
  await givenMember(platform);
  await Promise.all(Array.from({ length: 20 }, () => tell({ to: { organizationId: organization.id } })));
  expect((await rows()).map(({ count }) => count)).toEqual([20, 20]);
  expect(await queued()).toHaveLength(2);
});

test("after a mail, the next one about the subject waits until an hour has passed", async () => {
  const { userId } = await givenMember(platform);
  await tell({ to: { userId } });
  await platform.pool.query("update mails set state = 'SENT'");
  await tell({ to: { userId } });
  await tell({ to: { userId } });
  const [first, second, ...more] = (await queued()).sort((a, b) => a.id.localeCompare(b.id));
  expect(more).toEqual([]);
  expect((second?.dueAt.getTime() ?? 0) - (first?.dueAt.getTime() ?? 0)).toBe(3_600_000);
  expect(one(await rows()).mailedAt).toEqual(second?.dueAt);
});

// Guarantee: what happens while a worker sends the email is not lost.
test("a mail that is being sent is followed by another one", async () => {
  const { userId } = await givenMember(platform);
  await tell({ to: { userId } });
  await platform.pool.query("update mails set leased_until = now() + interval '1 minute'");
  await tell({ to: { userId } });
  expect(await queued()).toHaveLength(2);
});

test("what was read starts counting at one again", async () => {
  const { userId } = await givenMember(platform);
  await tell({ to: { userId } });
  await platform.pool.query("update notifications set read_at = now()");
  await tell({ to: { userId } });
  expect(await rows()).toMatchObject([{ count: 1, readAt: null }]);
});

// Guarantee: a person's choice counts for each kind and each way.
test.each([
  [true, true, 1, 1],
  [true, false, 1, 0],
  [false, true, 1, 1],
  [false, false, 0, 0],
])("in the product %s, by email %s: %s row, %s mail", async (inProduct, email, rowCount, mailCount) => {
  const { userId } = await givenMember(platform);
  await platform.db.insert(notificationPreferences).values({ userId, kind: "app-error", inProduct, email });
  await tell({ to: { userId } });
  const found = await rows();
  expect([found.length, (await queued()).length]).toEqual([rowCount, mailCount]);
  for (const row of found) expect(row.shown).toBe(inProduct);
});

test("user text is one short line, and links stay on this platform", async () => {
  const { userId } = await givenMember(platform);
  await tell({ to: { userId }, title: `a\r\nBcc: x\0${"y".repeat(400)}` });
  const { title } = one(await rows());
  expect(title).toMatch(/^a Bcc: x y+…$/);
  expect(title).toHaveLength(200);
  for (const href of ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)"])
    await expect(tell({ to: { userId }, href })).rejects.toThrow("leads to a path");
});

// Guarantee: a stolen dump shows no reset link, and a row's content opens nowhere else.
test("a queued mail is sealed for its own row", async () => {
  const content = {
    subject: "Reset your password",
    text: "https://platform/reset/canary",
    html: "<p>canary</p>",
  };
  await platform.db.transaction((tx) =>
    queueMail(tx, platform.keyring, { to: "maya@harbor.example", ...content }),
  );
  const row = one(await queued());
  expect(JSON.stringify(row)).not.toContain("canary");
  if (row.sealed === null || row.masterKeyId === null) throw new Error("not sealed");
  const { sealed, masterKeyId } = row;
  expect(openMail(platform.keyring, row.id, { sealed, masterKeyId })).toEqual(content);
  expect(() => openMail(platform.keyring, crypto.randomUUID(), { sealed, masterKeyId })).toThrow();
});
