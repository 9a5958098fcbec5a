import { beforeEach, expect, test } from "vitest";
import { findToken, givenClient, readMails } from "@/tests/clients";
import { testPlatform } from "@/tests/test-platform";
import { verifyAudit } from "../platform/verify-audit";
import { confirmSignUp, requestSignUp } from "./request-sign-up";
import { setNewPassword } from "./set-password";
import { signIn } from "./sign-in";
import { signUp } from "./sign-up";

const platform = await testPlatform({ PLATFORM_SMTP_URL: "smtp://127.0.0.1:1" });
let network = 0;
let CLIENT = givenClient();
beforeEach(() => {
  network += 1;
  CLIENT = givenClient(`192.0.2.${network}`);
});

const ADA = {
  name: "Ada",
  email: "ada@acme.example",
  password: "tidal lantern orbit",
  organizationName: "Acme",
  organizationSlug: "acme",
};
const countUsers = async () => (await platform.pool.query("select 1 from users")).rowCount;

// Guarantee: signing up reveals only to the owner of an address whether it has an account.
test("a known and an unknown address get the same answer, and the mail says the rest", async () => {
  await signUp(platform, ADA);
  const again = { ...ADA, organizationSlug: "acme-2" };
  const unknown = { ...ADA, email: "bob@acme.example", organizationSlug: "acme-3" };
  const answers = [
    await requestSignUp(platform, again, CLIENT),
    await requestSignUp(platform, unknown, CLIENT),
  ];
  expect(answers).toEqual([{ outcome: "MAILED" }, { outcome: "MAILED" }]);
  const mails = await readMails(platform);
  expect(mails.map(({ to, subject }) => ({ to, subject }))).toEqual([
    { to: ADA.email, subject: "You already have an account" },
    { to: unknown.email, subject: "Confirm your email address" },
  ]);
  expect(await countUsers()).toBe(1);
  // The email for the known address helps its owner in.
  const token = findToken(mails[0]?.text ?? "");
  await setNewPassword(platform, { token, password: "copper window sky" }, CLIENT);
  await signIn(platform, { email: ADA.email, password: "copper window sky" }, CLIENT);
});

// Guarantee: the account exists once the address is confirmed by somebody who knows its password, and the link works once.
test("the link and the password together create the account, once", async () => {
  await requestSignUp(platform, ADA, CLIENT);
  const [mail] = await readMails(platform);
  const token = findToken(mail?.text ?? "");
  await expect(signIn(platform, ADA, CLIENT)).rejects.toMatchObject({ code: "WRONG_CREDENTIALS" });
  const guessed = confirmSignUp(platform, { token, password: "somebody else's" }, CLIENT);
  await expect(guessed).rejects.toMatchObject({ code: "WRONG_CREDENTIALS" });
  const tries = await Promise.allSettled(
    [1, 2, 3].map(() => confirmSignUp(platform, { token, password: ADA.password }, CLIENT)),
  );
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await signIn(platform, ADA, CLIENT);
  const { rows } = await platform.pool.query<{ id: string; confirmed: boolean }>(
    "select o.id, u.email_confirmed_at is not null as confirmed from organizations o, users u",
  );
  expect(rows).toEqual([{ id: expect.any(String), confirmed: true }]);
  expect(await verifyAudit(platform, rows[0]?.id ?? "")).toEqual({ intact: true, rows: 1 });
});

test("a link that expired creates nothing", async () => {
  await requestSignUp(platform, ADA, CLIENT);
  const [mail] = await readMails(platform);
  await platform.pool.query("update account_links set expires_at = now() - interval '1 second'");
  const late = confirmSignUp(
    platform,
    { token: findToken(mail?.text ?? ""), password: ADA.password },
    CLIENT,
  );
  await expect(late).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await countUsers()).toBe(0);
});

const askOften = async (email: string, times: number, client = CLIENT) => {
  for (let at = 0; at < times; at += 1)
    expect(
      await requestSignUp(
        platform,
        { ...ADA, email, password: `a stranger's choice ${at}`, organizationSlug: `evil-${at}` },
        client,
      ),
    ).toEqual({ outcome: "MAILED" });
};

// Guarantee: nobody can fill someone else's mailbox, and the response doesn't reveal that a limit is reached.
test("an address gets three mails an hour for each network that asks, and ten in all", async () => {
  await askOften("eve@acme.example", 5);
  expect(await readMails(platform)).toHaveLength(3);
  for (let from = 1; from < 6; from += 1)
    await askOften("eve@acme.example", 4, givenClient(`198.51.100.${from}`));
  expect(await readMails(platform)).toHaveLength(10);
});

// Guarantee: strangers can't keep the owner of an address from signing up.
test("a stranger who uses up their mails leaves the owner with mails of their own", async () => {
  await askOften(ADA.email, 5, givenClient("198.51.100.20"));
  expect(await requestSignUp(platform, ADA, CLIENT)).toEqual({ outcome: "MAILED" });
  const mails = await readMails(platform);
  expect(mails).toHaveLength(4);
  await confirmSignUp(platform, { token: findToken(mails[3]?.text ?? ""), password: ADA.password }, CLIENT);
  await signIn(platform, ADA, CLIENT);
});

test("strangers who use up all mails leave the owner with links that work", async () => {
  for (let from = 30; from < 36; from += 1) await askOften(ADA.email, 3, givenClient(`198.51.100.${from}`));
  await requestSignUp(platform, ADA, CLIENT);
  const mails = await readMails(platform);
  expect(mails).toHaveLength(10);
  expect(mails.map(({ text }) => text).join()).not.toContain(ADA.organizationName);
  const [first, last] = [findToken(mails[0]?.text ?? ""), findToken(mails[9]?.text ?? "")];
  // On a phone, in another network.
  const elsewhere = givenClient("203.0.113.99");
  await confirmSignUp(platform, { token: last, password: ADA.password }, elsewhere);
  await signIn(platform, ADA, elsewhere);
  const { rows } = await platform.pool.query("select slug from organizations");
  expect(rows).toEqual([{ slug: "acme" }]);
  // Nothing of the strangers is left.
  await expect(
    confirmSignUp(platform, { token: first, password: "a stranger's choice 0" }, CLIENT),
  ).rejects.toMatchObject({ code: "NOT_FOUND" });
  const { rows: left } = await platform.pool.query(
    "select id from pending_sign_ups union all select id from account_links",
  );
  expect(left).toEqual([]);
});

test("strangers in the owner's own network, who ask again and again, don't crowd the owner out", async () => {
  await askOften(ADA.email, 3);
  await requestSignUp(platform, ADA, CLIENT);
  await askOften(ADA.email, 24);
  const mails = await readMails(platform);
  expect(mails).toHaveLength(3);
  await confirmSignUp(platform, { token: findToken(mails[0]?.text ?? ""), password: ADA.password }, CLIENT);
  await signIn(platform, ADA, CLIENT);
});

test("of sign-ups with different passwords, the one whose password is entered counts", async () => {
  await requestSignUp(
    platform,
    { ...ADA, password: "an earlier orbit lamp", organizationSlug: "first" },
    CLIENT,
  );
  await requestSignUp(platform, ADA, CLIENT);
  const token = findToken((await readMails(platform))[1]?.text ?? "");
  await confirmSignUp(platform, { token, password: "an earlier orbit lamp" }, CLIENT);
  const { rows } = await platform.pool.query("select slug from organizations");
  expect(rows).toEqual([{ slug: "first" }]);
});

test("a password that would be guessed soon is refused at its field", async () => {
  const weak = requestSignUp(platform, { ...ADA, password: "Password123" }, CLIENT);
  await expect(weak).rejects.toMatchObject({ code: "BAD_INPUT", issues: [{ pointer: "/password" }] });
});

// Guarantee: a stolen database contains no link that works.
test("the database contains neither tokens nor passwords", async () => {
  await requestSignUp(platform, ADA, CLIENT);
  const token = findToken((await readMails(platform))[0]?.text ?? "");
  const { rows } = await platform.pool.query(
    "select to_jsonb(l) from account_links l union all select to_jsonb(p) from pending_sign_ups p",
  );
  const { rows: mails } = await platform.pool.query("select to_jsonb(m) from mails m");
  expect(JSON.stringify([rows, mails])).not.toContain(token);
  expect(JSON.stringify([rows, mails])).not.toContain(ADA.password);
});
