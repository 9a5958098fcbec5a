import { beforeEach, expect, test } from "vitest";
import { findToken, givenClient, readMails } from "@/tests/clients";
import { testPlatform } from "@/tests/test-platform";
import { verifyAudit } from "../platform/verify-audit";
import { readActor } from "./sessions";
import { changePassword, createNewPasswordLink, requestNewPassword, setNewPassword } from "./set-password";
import { signIn } from "./sign-in";
import { signUp } from "./sign-up";

const platform = await testPlatform({ PLATFORM_SMTP_URL: "smtp://127.0.0.1:1" });
const withoutMail = { ...platform, environment: { ...platform.environment, PLATFORM_SMTP_URL: "" } };
const ADA = {
  name: "Ada",
  email: "ada@acme.example",
  password: "tidal lantern orbit",
  organizationName: "Acme",
  organizationSlug: "acme",
};
const NEW = "copper window sky";
let network = 0;
let CLIENT = givenClient();
let organizationId: string;
beforeEach(async () => {
  network += 1;
  CLIENT = givenClient(`192.0.2.${network}`);
  ({ organizationId } = await signUp(platform, ADA));
});

async function signInAda() {
  const actor = await readActor(platform, (await signIn(platform, ADA, CLIENT)).sessionId);
  if (actor === undefined) throw new Error("not signed in");
  return actor;
}
const isActive = async (sessionId: string) => (await readActor(platform, sessionId)) !== undefined;

// Guarantee: changing the password requires the old one, ends the other sessions, notifies the owner, and is in the
// audit trail.
test("changing the password ends all sessions but the one that changed it", async () => {
  const [here, elsewhere] = [await signInAda(), await signInAda()];
  const wrong = changePassword(platform, here, { currentPassword: "not this", password: NEW }, CLIENT);
  await expect(wrong).rejects.toMatchObject({ code: "BAD_INPUT", issues: [{ pointer: "/currentPassword" }] });
  const weak = changePassword(
    platform,
    here,
    { currentPassword: ADA.password, password: "1234567890" },
    CLIENT,
  );
  await expect(weak).rejects.toMatchObject({ issues: [{ pointer: "/password" }] });
  expect(await isActive(elsewhere.sessionId)).toBe(true);

  await changePassword(platform, here, { currentPassword: ADA.password, password: NEW }, CLIENT);
  expect([await isActive(here.sessionId), await isActive(elsewhere.sessionId)]).toEqual([true, false]);
  await expect(signIn(platform, ADA, CLIENT)).rejects.toMatchObject({ code: "WRONG_CREDENTIALS" });
  await signIn(platform, { ...ADA, password: NEW }, CLIENT);
  expect(await readMails(platform)).toEqual([
    expect.objectContaining({ to: ADA.email, subject: "Your password was changed" }),
  ]);
  expect(await verifyAudit(platform, organizationId)).toEqual({ intact: true, rows: 2 });
});

test("an open browser is no way to guess the password", async () => {
  const here = await signInAda();
  const guesses = await Promise.allSettled(
    Array.from({ length: 15 }, (_, at) =>
      changePassword(platform, here, { currentPassword: `guess ${at}`, password: NEW }, CLIENT),
    ),
  );
  const codes = guesses.map((one) => (one.status === "rejected" ? one.reason.code : "ok"));
  expect(codes.filter((code) => code === "BAD_INPUT")).toHaveLength(10);
  expect(codes.filter((code) => code === "TOO_MANY_REQUESTS")).toHaveLength(5);
});

// Guarantee: a request for a new password reveals nothing about whether an address has an account, neither in the
// response nor by its timing: both respond after a fixed time, longer than the statements for a known address take.
test("known and unknown addresses get the same response, after the same time", async () => {
  for (const email of [ADA.email, "nobody@acme.example"]) {
    const start = performance.now();
    expect(await requestNewPassword(platform, email, CLIENT)).toBeUndefined();
    expect(performance.now() - start).toBeGreaterThan(390);
  }
  expect((await readMails(platform)).map(({ to }) => to)).toEqual([ADA.email]);
});

// Guarantee: a link works once, ends every session and every other link, and a stranger can't make the owner's links expire.
test("a link sets the password once and ends all sessions and links", async () => {
  const before = await signInAda();
  for (let at = 0; at < 5; at += 1) await requestNewPassword(platform, ADA.email, CLIENT);
  const tokens = (await readMails(platform)).map(({ text }) => findToken(text));
  expect(tokens).toHaveLength(3);
  const [first = "", second = ""] = tokens;
  const uses = await Promise.allSettled(
    [first, first, first].map((token) => setNewPassword(platform, { token, password: NEW }, CLIENT)),
  );
  expect(uses.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const other = setNewPassword(platform, { token: second, password: "another good one" }, CLIENT);
  await expect(other).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await isActive(before.sessionId)).toBe(false);
  await signIn(platform, { ...ADA, password: NEW }, CLIENT);
});

test("an expired link is like one that never existed", async () => {
  await requestNewPassword(platform, ADA.email, CLIENT);
  const token = findToken((await readMails(platform))[0]?.text ?? "");
  await platform.pool.query("update account_links set expires_at = now() - interval '1 second'");
  const codes = await Promise.all(
    [token, "A".repeat(43)].map((one) =>
      setNewPassword(platform, { token: one, password: NEW }, CLIENT).catch((error: unknown) =>
        JSON.stringify(error),
      ),
    ),
  );
  expect(codes[0]).toContain("NOT_FOUND");
  expect(codes[0]).toBe(codes[1]);
});

test("without mail, an operator's link does the same", async () => {
  await expect(requestNewPassword(withoutMail, ADA.email, CLIENT)).rejects.toMatchObject({
    code: "UNAVAILABLE",
  });
  const href = await createNewPasswordLink(withoutMail, ADA.email);
  expect(href).toMatch(/^http:\/\/localhost:3000\/new-password#[\w-]{43}$/);
  await setNewPassword(withoutMail, { token: findToken(href), password: NEW }, CLIENT);
  await signIn(withoutMail, { ...ADA, password: NEW }, CLIENT);
  await platform.pool.query("update users set email = 'müller@xn--bcher-kva.example' where email = $1", [
    ADA.email,
  ]);
  expect(await createNewPasswordLink(withoutMail, "Mu\u0308ller@Bücher.example")).toContain("/new-password#");
  await expect(createNewPasswordLink(platform, "nobody@acme.example")).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});
