import { expect, test } from "vitest";
import { givenMails } from "@/tests/mail/mail-world";
import { one, testPlatform } from "@/tests/test-platform";
import { newMasterKey, readKeyring } from "../keyring";
import { endOldMails, mailPool } from "./mail-pool";

const base = await testPlatform();
const { expectFailure, expectState, givenServer, hurry, queue, row, rows, send, withSmtp } = givenMails(base);

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

// Guarantee: a server that is busy gets the same email again, later.
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
  const sentAfter = Date.now();
  const loop = send(withSmtp(`smtp://${smtp.host}`));
  await expectFailure("451 Try later");
  const waiting = await row();
  expect(waiting).toMatchObject({ state: "QUEUED", leasedUntil: null, attempts: 1 });
  expect(waiting.sealed).not.toBeNull();
  expect(waiting.dueAt.getTime()).toBeGreaterThan(sentAfter + 4_000);
  expect(waiting.dueAt.getTime()).toBeLessThan(Date.now() + 13_000);
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

// Guarantee: two workers send an email once, and few emails at a time.
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
  await expect.poll(async () => (await rows()).every(({ state }) => state === "SENT")).toBe(true);
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
