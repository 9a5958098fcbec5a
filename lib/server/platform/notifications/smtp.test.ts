import { expect, test } from "vitest";
import { email } from "@/lib/contract/accounts/account";
import { givenMails } from "@/tests/mail/mail-world";
import { givenMember, one, testPlatform } from "@/tests/test-platform";
import { readEnvironment } from "../environment";
import { newMasterKey } from "../keyring";
import { readInvitation } from "../../accounts/join-organization";
import { createInvitation } from "../../accounts/manage-invitations";
import { notify } from "./notify";

const base = await testPlatform();
const { expectFailure, expectState, givenServer, hurry, queue, row, send, withSmtp } = givenMails(base);

// Guarantee: neither an email nor the password travels in plain text unless the operator allows it.
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
  send(withSmtp(`smtp://${smtp.host}`), {});
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

// Guarantee: a wrong password loses no email: it is fixed, and the emails go out.
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

// Guarantee: people whose address is not in ASCII are invited like everybody else.
test.each([
  ["müller@harbor.example", "müller@harbor.example"],
  ["mueller@bücher.example", "mueller@xn--bcher-kva.example"],
  ["müller@bücher.example", "müller@xn--bcher-kva.example"],
])("an invitation to %s arrives, and its link opens", async (typed, stored) => {
  const smtp = await givenServer({ hideSMTPUTF8: false });
  const platform = withSmtp(`smtp://${smtp.host}`);
  const owner = await givenMember(platform, "acme");
  await createInvitation(platform, owner, { role: "publisher", email: email.parse(typed) });
  send(platform);
  await expectState("SENT");
  const { recipients, text = "" } = one(smtp.received);
  // The server shows domains as people write them.
  expect(recipients).toEqual([typed]);
  const token = /\/invitations\/([\w-]{43})/.exec(text)?.[1] ?? "";
  expect(await readInvitation(platform, token, { network: "203.0.113.7" })).toMatchObject({
    email: stored,
    role: "publisher",
  });
});

// Guarantee: an address that the server can't deliver to fails at once, with the reason, and nothing is sent.
test("a server without SMTPUTF8 gets no address that needs it", async () => {
  const smtp = await givenServer({ hideSMTPUTF8: true });
  await queue("müller@harbor.example");
  send(withSmtp(`smtp://${smtp.host}`));
  await expectState("DEAD");
  await expectFailure(/does not support SMTPUTF8/);
  expect(smtp.received).toEqual([]);
});

test.each([
  [{ PLATFORM_SMTP_URL: "http://mail.example" }, "PLATFORM_SMTP_URL"],
  [{ PLATFORM_MAIL_FROM: "no address" }, "PLATFORM_MAIL_FROM"],
  [{ PLATFORM_MAIL_FROM: "A <a@b.example>\r\nBcc: c@d.example" }, "PLATFORM_MAIL_FROM"],
])("%j is refused at the start", (changes, name) => {
  const source = { DATABASE_URL: "postgres://x", PLATFORM_MASTER_KEYS: newMasterKey("a"), ...changes };
  expect(() => readEnvironment(source)).toThrow(name);
});
