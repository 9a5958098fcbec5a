/** Requests that attack sessions: fixation, forged and foreign cookies, cross-site forms, and destinations elsewhere. */
import { createHmac } from "node:crypto";
import { encode } from "next-auth/jwt";
import { beforeEach, expect, test, vi } from "vitest";
import { cpuTime } from "@/tests/cpu-time";
import { SignInBrowser } from "@/tests/sign-in-browser";
import { testPlatform } from "@/tests/test-platform";
import { signOut } from "../../accounts/sessions";
import { signUp } from "../../accounts/sign-up";
import { newMasterKey, readKeyring } from "../../platform/keyring";
import { cookieName, cookieSecrets } from "./cookies";

const WEB_URL = "http://localhost:3000";
const platform = await testPlatform({ PLATFORM_WEB_URL: WEB_URL });
vi.stubEnv("NEXTAUTH_URL", WEB_URL);
Object.assign(globalThis, { hostingPlatform: platform, hostingEnvironment: platform.environment });

const ADA = { email: "ada@acme.example", password: "tidal lantern orbit" };
const SESSION = cookieName("session");
const DEVICE = cookieName("device");
let browser: SignInBrowser;
let addresses = 0;
beforeEach(async () => {
  addresses += 1;
  browser = new SignInBrowser(WEB_URL, `192.0.2.${addresses}`);
  await signUp(platform, { ...ADA, name: "Ada", organizationName: "Acme", organizationSlug: "acme" });
});

const withCookie = (value: string): SignInBrowser => {
  const thief = new SignInBrowser(WEB_URL);
  thief.cookies.set(SESSION, value);
  return thief;
};
const countSessions = async () =>
  (await platform.pool.query("select 1 from sessions where revoked_at is null")).rowCount;

// Guarantee: a sign-in doesn't reuse a session that somebody planted before, and ends it.
test("signing in opens a new session and ends the one that the browser had", async () => {
  await browser.signIn(ADA);
  const planted = browser.cookies.get(SESSION) ?? "";
  const before = await browser.actor();
  await browser.signIn(ADA);
  const after = await browser.actor();
  expect(after?.sessionId).not.toBe(before?.sessionId);
  expect(await withCookie(planted).actor()).toBeUndefined();
  expect(await countSessions()).toBe(1);
});

// Guarantee: a copied cookie is worthless after sign-out, and after the role is gone.
test("a copied cookie ends with its session", async () => {
  await browser.signIn(ADA);
  const copy = withCookie(browser.cookies.get(SESSION) ?? "");
  const actor = await copy.actor();
  expect(actor?.organization?.role).toBe("owner");
  await platform.pool.query("delete from memberships");
  expect((await copy.actor())?.organization).toBeUndefined();
  await signOut(platform, actor?.sessionId ?? "");
  expect(await copy.actor()).toBeUndefined();
});

test("next-auth's own sign-out ends the session too", async () => {
  await browser.signIn(ADA);
  const copy = withCookie(browser.cookies.get(SESSION) ?? "");
  await browser.post("signout");
  expect(await copy.actor()).toBeUndefined();
  expect(browser.cookies.has(SESSION)).toBe(false);
});

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const foreign = readKeyring(newMasterKey("foreign")).current.key.toString("hex");

// Guarantee: only a cookie that the platform sealed as a session opens one.
test.each<[string, (sid: string, secret: string) => string | Promise<string>]>([
  ["an unsigned JWT", (sid) => `${part({ alg: "none" })}.${part({ sid })}.`],
  [
    "a JWT signed with HS256 and our key",
    (sid, secret) => {
      const text = `${part({ alg: "HS256" })}.${part({ sid })}`;
      return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
    },
  ],
  [
    "an encrypted JWT that says alg none",
    (sid) => `${part({ alg: "none", enc: "A256GCM" })}..${part({ sid })}.AA.AA`,
  ],
  ["a cookie of another platform", (sid) => encode({ token: { sid }, secret: foreign })],
  [
    "a cookie sealed for a browser",
    (sid) => encode({ token: { sid }, secret: cookieSecrets("device")[0] ?? "" }),
  ],
  ["one that expired", (sid, secret) => encode({ token: { sid }, secret, maxAge: -60 })],
  ["a session's id that is not one", (_sid, secret) => encode({ token: { sid: "' or true --" }, secret })],
  ["a session's id that is an object", (_sid, secret) => encode({ token: { sid: { $ne: 1 } }, secret })],
  ["a session's id alone", (sid) => sid],
  ["a megabyte", () => "A".repeat(1024 * 1024)],
  ["a megabyte of dots", () => ".".repeat(1024 * 1024)],
])("%s opens no session", async (_what, forge) => {
  await browser.signIn(ADA);
  const sessionId = (await browser.actor())?.sessionId ?? "";
  const cookie = await forge(sessionId, cookieSecrets("session")[0] ?? "");
  const thief = withCookie(cookie);
  const spent = await cpuTime(async () => {
    expect(await thief.actor()).toBeUndefined();
    expect((await thief.get("session")).status).toBe(200);
  });
  expect(spent).toBeLessThan(1_000);
});

test("a forged browser cookie does not make a browser known", async () => {
  const users = [["anybody", "device"]];
  for (const secret of [foreign, cookieSecrets("session")[0] ?? ""]) {
    browser.cookies.set(DEVICE, await encode({ token: { users }, secret }));
    expect(await browser.signIn({ ...ADA, password: "wrong" })).toBe("CredentialsSignin");
  }
  browser.cookies.set(
    DEVICE,
    await encode({ token: { users: "x" }, secret: cookieSecrets("device")[0] ?? "" }),
  );
  expect(await browser.signIn(ADA)).toBe("");
});

// Guarantee: no other site can sign somebody in or out.
test.each([
  ["another origin", { origin: "https://evil.example" }, 403],
  ["a null origin", { origin: "null" }, 403],
  ["an origin that starts like ours", { origin: `${WEB_URL}.evil.example` }, 403],
  ["JSON as text/plain", { "content-type": "text/plain" }, 415],
  ["JSON", { "content-type": "application/json" }, 415],
  ["no content type", { "content-type": "" }, 415],
  ["a form without a length", { "content-length": "" }, 413],
  ["a form of a megabyte", { "content-length": "1048576" }, 413],
  ["a negative length", { "content-length": "x" }, 413],
])("a form from %s is refused", async (_what, headers, status) => {
  for (const path of ["callback/credentials", "signout", "signin/credentials", "session"]) {
    const answer = await browser.post(path, ADA, headers);
    expect(answer.status, path).toBe(status);
  }
  expect(await countSessions()).toBe(0);
});

test("a form without the token of next-auth is refused", async () => {
  const { location } = await browser.send("POST", "callback/credentials", { ...ADA, json: "true" });
  expect(location).toContain("csrf=true");
  expect(await countSessions()).toBe(0);
});

// Guarantee: addresses that next-auth would answer with a 500 get an answer that says what to do.
test("signing in by GET is refused, and nobody writes into our log", async () => {
  expect(await browser.get("callback/credentials")).toMatchObject({
    status: 405,
    body: { code: "WRONG_METHOD" },
  });
  const query = new URLSearchParams(ADA).toString();
  expect((await browser.get(`callback/credentials?${query}`)).status).toBe(405);
  expect((await browser.post("_log", { level: "error", code: "x" })).status).toBe(404);
  for (const path of [
    "callback/oidc",
    "callback/unknown",
    "signin/unknown",
    "unknown",
    "error?error=%00",
    "verify-request",
  ])
    expect((await browser.get(path)).status, path).toBeLessThan(500);
  expect(await countSessions()).toBe(0);
});

// Guarantee: no link leads away from the platform after signing in.
test.each([
  "//evil.example",
  "\\\\evil.example",
  "/\\evil.example",
  `${WEB_URL}.evil.example`,
  "https://evil.example",
])("signing in with the destination %j stays on the platform", async (callbackUrl) => {
  const { location } = await browser.post("callback/credentials", { ...ADA, callbackUrl });
  expect(new URL(location, WEB_URL).origin).toBe(WEB_URL);
  expect(await browser.actor()).toBeDefined();
});

// Guarantee: a browser that signed in passes the limits that strangers used up, and only with its own cookie.
test("the browser that signed in before is known", async () => {
  await browser.signIn(ADA);
  expect(browser.cookies.has(DEVICE)).toBe(true);
  for (let guess = 0; guess < 11; guess += 1)
    await new SignInBrowser(WEB_URL, `192.0.2.${addresses}`).signIn({ ...ADA, password: `guess ${guess}` });
  const stranger = new SignInBrowser(WEB_URL, `192.0.2.${addresses}`);
  expect(await stranger.signIn(ADA)).toMatch(/^TOO_MANY_REQUESTS \d+$/);
  browser.cookies.delete(SESSION);
  expect(await browser.signIn(ADA)).toBe("");
});
