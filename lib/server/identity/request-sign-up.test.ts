import { beforeEach, expect, test } from "vitest";
import { findToken, givenClient, readMails } from "@/tests/clients";
import { testPlatform } from "@/tests/test-platform";
import { verifyAudit } from "../audit/verify-audit";
import { setNewPassword } from "../account/set-password";
import { confirmSignUp, requestSignUp } from "./request-sign-up";
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

// Guarantee: signing up tells nobody but the owner of an address whether it has an account.
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
  // The mail for the known address helps its owner in.
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

// Guarantee: nobody can fill somebody's mailbox, and the answer does not tell that the limit is reached.
test("an address gets three mails an hour", async () => {
  for (let at = 0; at < 5; at += 1)
    expect(await requestSignUp(platform, { ...ADA, email: "eve@acme.example" }, CLIENT)).toEqual({
      outcome: "MAILED",
    });
  expect(await readMails(platform)).toHaveLength(3);
});

test("a password that would be guessed soon is refused at its field", async () => {
  const weak = requestSignUp(platform, { ...ADA, password: "Password123" }, CLIENT);
  await expect(weak).rejects.toMatchObject({ code: "BAD_INPUT", issues: [{ pointer: "/password" }] });
});

// Guarantee: a stolen database contains no link that works.
test("the database contains neither tokens nor passwords", async () => {
  await requestSignUp(platform, ADA, CLIENT);
  const token = findToken((await readMails(platform))[0]?.text ?? "");
  const { rows } = await platform.pool.query("select to_jsonb(l) from account_links l");
  const { rows: mails } = await platform.pool.query("select to_jsonb(m) from mails m");
  expect(JSON.stringify([rows, mails])).not.toContain(token);
  expect(JSON.stringify([rows, mails])).not.toContain(ADA.password);
});
