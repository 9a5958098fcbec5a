import { setTimeout as sleep } from "node:timers/promises";
import type { SMTPServerOptions } from "smtp-server";
import { afterEach, expect, test } from "vitest";
import { mails, notifications } from "@/drizzle/schema/notifications";
import { startSmtpServer, TEST_CERTIFICATE, type TestSmtpServer } from "@/tests/mail/smtp-server";
import { givenMember, one, testPlatform } from "@/tests/test-platform";
import { runPool, type LeaseLoop } from "../leases/lease-loop";
import { notify } from "../notifications/notify";
import { unsubscribe } from "../notifications/unsubscribe";
import { readEnvironment } from "../platform/environment";
import { newMasterKey, readKeyring } from "../platform/keyring";
import type { Platform } from "../platform/platform";
import { endOldMails, mailPool } from "./mail-pool";
import { queueMail } from "./queue-mail";
import { renderMail } from "./render-mail";

const base = await testPlatform();
const FROM = "App Hosting <no-reply@platform.example>";

let server: TestSmtpServer | undefined;
const loops: LeaseLoop[] = [];
afterEach(async () => {
  await Promise.all(loops.splice(0).map((loop) => loop.drain()));
  await server?.close();
  server = undefined;
});

const withSmtp = (url: string, changes: Partial<Platform["environment"]> = {}): Platform => ({
  ...base,
  environment: {
    ...base.environment,
    PLATFORM_SMTP_URL: url,
    PLATFORM_MAIL_FROM: FROM,
    PLATFORM_WEB_URL: "https://platform.example",
    ...changes,
  },
});

async function givenServer(options: SMTPServerOptions = {}): Promise<TestSmtpServer> {
  return (server = await startSmtpServer(options));
}

/** A worker that sends mails, and looks for new ones all the time. */
function send(platform: Platform): LeaseLoop {
  const pool = mailPool(platform, { ca: TEST_CERTIFICATE });
  if (pool === undefined) throw new Error("no mail server");
  const loop = runPool(platform, pool);
  loops.push(loop);
  loop.wake();
  return loop;
}

const queue = (to = "maya@harbor.example", keyring = base.keyring) =>
  base.db.transaction((tx) =>
    queueMail(tx, keyring, {
      to,
      ...renderMail({
        origin: "https://platform.example",
        subject: "Reset your password",
        paragraphs: ["Someone asked to reset the password of <b>Maya</b>."],
        action: { label: "Choose a password", href: "https://platform.example/reset?token=canary&x=1" },
        reason: "You get this mail because of your account.",
      }),
    }),
  );
const rows = () => base.db.select().from(mails);
const row = async () => one(await rows());
/** Makes retries due. */
const hurry = () => base.pool.query("update mails set due_at = now() where state = 'QUEUED'");
const expectState = (state: string) =>
  expect.poll(async () => (await row()).state, { timeout: 5_000 }).toBe(state);
const expectFailure = (text: string | RegExp) =>
  expect.poll(async () => (await row()).failure ?? "", { timeout: 5_000 }).toMatch(text);

// Guarantee: what was queued arrives once, as plain text and HTML, and its secrets are gone from the database.
test("a queued mail arrives, and its content is deleted", async () => {
  const smtp = await givenServer();
  await queue();
  const { id, createdAt } = await row();
  send(withSmtp(`smtp://${smtp.host}`));
  await expectState("SENT");
  const mail = one(smtp.received);
  expect(mail).toMatchObject({
    subject: "Reset your password",
    from: { name: "App Hosting", address: "no-reply@platform.example" },
    to: [{ address: "maya@harbor.example" }],
    recipients: ["maya@harbor.example"],
    messageId: `<${id}@platform.example>`,
    // `smtp://` is upgraded by STARTTLS.
    secure: true,
  });
  expect(Math.floor(createdAt.getTime() / 1000) * 1000).toBe(Date.parse(mail.date ?? ""));
  expect(mail.text).toContain("Choose a password: https://platform.example/reset?token=canary&x=1");
  expect(mail.html).toContain("&lt;b&gt;Maya&lt;/b&gt;");
  expect(mail.html).toContain('href="https://platform.example/reset?token=canary&amp;x=1"');
  expect(await row()).toMatchObject({
    sealed: null,
    masterKeyId: null,
    failure: null,
    leasedUntil: null,
    attempts: 1,
  });
});

// Guarantee: a server that has no time gets the same mail again, later.
test("a temporary refusal is retried with the same message id", async () => {
  let refusals = 2;
  const ids: string[] = [];
  const smtp = await givenServer({
    onRcptTo: (_address, _session, callback) => {
      refusals -= 1;
      callback(refusals >= 0 ? Object.assign(new Error("Try later"), { responseCode: 451 }) : null);
    },
  });
  await queue();
  ids.push((await row()).id);
  const loop = send(withSmtp(`smtp://${smtp.host}`));
  await expectFailure("451 Try later");
  const waiting = await row();
  expect(waiting).toMatchObject({ state: "QUEUED", leasedUntil: null, attempts: 1 });
  expect(waiting.sealed).not.toBeNull();
  const waitMs = waiting.dueAt.getTime() - Date.now();
  expect(waitMs).toBeGreaterThan(4_000);
  expect(waitMs).toBeLessThan(13_000);
  await expect
    .poll(async () => {
      await hurry();
      loop.wake();
      return (await row()).state;
    })
    .toBe("SENT");
  expect(await row()).toMatchObject({ attempts: 3, failure: null });
  expect(smtp.received.map(({ messageId }) => messageId)).toEqual([`<${ids[0]}@platform.example>`]);
});

test("a permanent refusal is final, and deletes the content", async () => {
  const smtp = await givenServer({
    onRcptTo: (_address, _session, callback) =>
      callback(Object.assign(new Error("No such\r\nmailbox"), { responseCode: 550 })),
  });
  await queue();
  send(withSmtp(`smtp://${smtp.host}`));
  await expectState("DEAD");
  expect(await row()).toMatchObject({
    attempts: 1,
    sealed: null,
    failure: expect.stringContaining("550 No such"),
  });
});

test("a refused sender or message of another mail does not give up all mails", async () => {
  const smtp = await givenServer({
    onMailFrom: (_address, _session, callback) =>
      callback(Object.assign(new Error("Sender not allowed"), { responseCode: 550 })),
  });
  await queue();
  send(withSmtp(`smtp://${smtp.host}`));
  await expectFailure("Sender not allowed");
  expect((await row()).state).toBe("QUEUED");
});

test("a server that can't be reached is tried again, until a day has passed", async () => {
  const smtp = await givenServer();
  await smtp.close();
  server = undefined;
  await queue();
  const loop = send(withSmtp(`smtp://${smtp.host}`));
  await expectFailure("ECONNREFUSED");
  expect((await row()).state).toBe("QUEUED");
  await base.pool.query("update mails set created_at = now() - interval '1 day'");
  await hurry();
  loop.wake();
  await expectState("DEAD");
  expect((await row()).sealed).toBeNull();
});

// Guarantee: neither a mail nor the password travels in plain text unless the operator allows it.
test("a server without TLS gets nothing, unless it is allowed", async () => {
  const seen: string[] = [];
  const smtp = await givenServer({
    hideSTARTTLS: true,
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth: ({ username }, _session, callback) => {
      seen.push(username ?? "");
      callback(null, { user: username });
    },
  });
  await queue();
  const url = `smtp://mailer:secret@${smtp.host}`;
  const loop = send(withSmtp(url));
  await expectFailure(/STARTTLS|TLS/);
  expect([seen, smtp.received]).toEqual([[], []]);
  await loop.drain();
  await hurry();
  send(withSmtp(url, { PLATFORM_SMTP_PLAIN: true }));
  await expectState("SENT");
  expect([seen, one(smtp.received).secure]).toEqual([["mailer"], false]);
});

test("a certificate that nobody signed is refused", async () => {
  const smtp = await givenServer();
  await queue();
  const pool = mailPool(withSmtp(`smtp://${smtp.host}`));
  if (pool === undefined) throw new Error("no pool");
  const loop = runPool(base, pool);
  loops.push(loop);
  loop.wake();
  await expectFailure(/self.signed certificate/);
  expect(smtp.received).toEqual([]);
});

test("smtps:// speaks TLS from the first byte", async () => {
  const smtp = await givenServer({ secure: true });
  await queue();
  send(withSmtp(`smtps://${smtp.host}`));
  await expectState("SENT");
  expect(one(smtp.received).secure).toBe(true);
});

// Guarantee: a wrong password loses no mail: it is fixed, and the mails go out.
test("user and password come from the URL; a wrong one is retried", async () => {
  const smtp = await givenServer({
    authOptional: false,
    onAuth: ({ username, password }, _session, callback) =>
      username === "mailer@acme" && password === "p@ss/word"
        ? callback(null, { user: username })
        : callback(Object.assign(new Error("Wrong password"), { responseCode: 535 })),
  });
  await queue();
  const loop = send(withSmtp(`smtp://mailer%40acme:wrong@${smtp.host}`));
  await expectFailure("Wrong password");
  expect((await row()).state).toBe("QUEUED");
  expect(JSON.stringify(await row())).not.toContain("wrong@");
  await loop.drain();
  await hurry();
  send(withSmtp(`smtp://mailer%40acme:p%40ss%2Fword@${smtp.host}`));
  await expectState("SENT");
});

// Guarantee: a recipient is one address, whatever a name or an address contains.
test("line breaks and commas add no header and no recipient", async () => {
  const smtp = await givenServer();
  const { userId } = await givenMember(base, "acme");
  await base.db.transaction((tx) =>
    notify(tx, {
      kind: "comment",
      to: { userId },
      title: "Eve\r\nBcc: victim@example.com\r\n\r\n<script>alert(1)</script> commented",
      body: 'Look at <img src=x onerror=alert(1)> & "this"\n.\r\nMAIL FROM:<x@y.example>',
      href: "/publish/vin?x=1&y=2",
    }),
  );
  send(withSmtp(`smtp://${smtp.host}`));
  await expectState("SENT");
  const { headers, html, subject, recipients } = one(smtp.received);
  expect(recipients).toHaveLength(1);
  expect(headers.map(({ key }) => key)).not.toContain("bcc");
  expect(subject).toBe("Eve Bcc: victim@example.com <script>alert(1)</script> commented");
  expect(html).not.toMatch(/<script|<img/);
  for (const to of [
    "a@b.example, c@d.example",
    "a@b.example;c@d.example",
    "A <a@b.example>",
    "a@b.example\r\nBcc: c@d.example",
  ])
    await expect(queue(to)).rejects.toThrow("one address");
});

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

// Guarantee: a mail that waited tells the newest, and none is sent about what was read or may not be seen anymore.
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
  // The server was away for 50 minutes, and it happened again while the mail was sent at last.
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

// Guarantee: two workers send a mail once, and few mails at a time.
test("a burst is sent once, at most four at a time by each worker", async () => {
  let open = 0;
  let most = 0;
  const smtp = await givenServer({
    onConnect: (_session, callback) => {
      open += 1;
      most = Math.max(most, open);
      callback();
    },
    onClose: () => {
      open -= 1;
    },
  });
  for (let mail = 0; mail < 30; mail += 1) await queue(`m${mail}@harbor.example`);
  send(withSmtp(`smtp://${smtp.host}`));
  send(withSmtp(`smtp://${smtp.host}`));
  await expect
    .poll(async () => (await rows()).every(({ state }) => state === "SENT"), { timeout: 15_000 })
    .toBe(true);
  expect(new Set(smtp.received.flatMap(({ recipients }) => recipients)).size).toBe(30);
  expect(smtp.received).toHaveLength(30);
  // A connection closes a moment after its mail was accepted.
  expect(most).toBeLessThanOrEqual(16);
});

test("without the master key that sealed it, a mail waits for it", async () => {
  const smtp = await givenServer();
  await queue("maya@harbor.example", readKeyring(newMasterKey("gone")));
  send(withSmtp(`smtp://${smtp.host}`));
  await expectFailure("lacks the key 'gone'");
  expect((await row()).state).toBe("QUEUED");
});

test("without a mail server nothing is sent, and secrets are deleted after a day", async () => {
  expect(mailPool(base)).toBeUndefined();
  await queue();
  await endOldMails(base);
  expect((await row()).state).toBe("QUEUED");
  await base.pool.query("update mails set created_at = now() - interval '25 hours'");
  await endOldMails(base);
  expect(await row()).toMatchObject({
    state: "DEAD",
    sealed: null,
    failure: expect.stringContaining("within a day"),
  });
});

test.each([
  [{ PLATFORM_SMTP_URL: "http://mail.example" }, "PLATFORM_SMTP_URL"],
  [{ PLATFORM_MAIL_FROM: "no address" }, "PLATFORM_MAIL_FROM"],
  [{ PLATFORM_MAIL_FROM: "A <a@b.example>\r\nBcc: c@d.example" }, "PLATFORM_MAIL_FROM"],
])("%j is refused at the start", (changes, name) => {
  const source = { DATABASE_URL: "postgres://x", PLATFORM_MASTER_KEYS: newMasterKey("a"), ...changes };
  expect(() => readEnvironment(source)).toThrow(name);
});
