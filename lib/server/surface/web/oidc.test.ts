/** Signing in at a real OpenID Connect issuer, through next-auth. */
import { createSecretKey } from "node:crypto";
import {
  decodeJwt,
  exportSPKI,
  generateKeyPair,
  importJWK,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from "jose";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { givenClient } from "@/tests/clients";
import { CLIENT, startOidcServer } from "@/tests/oidc-server";
import { SignInBrowser } from "@/tests/sign-in-browser";
import { testPlatform } from "@/tests/test-platform";
import { signIn } from "../../accounts/sign-in";
import { signUp } from "../../accounts/sign-up";
import { cookieName, readNewcomer } from "./cookies";

const WEB_URL = "http://localhost:3000";
const server = await startOidcServer(`${WEB_URL}/api/auth/callback/oidc`);
afterAll(() => server.end());
const platform = await testPlatform({
  PLATFORM_WEB_URL: WEB_URL,
  PLATFORM_OIDC_ISSUER: server.issuer,
  PLATFORM_OIDC_CLIENT_ID: CLIENT.id,
  PLATFORM_OIDC_CLIENT_SECRET: CLIENT.secret,
  PLATFORM_OIDC_DOMAINS: "acme.example, Bücher.example",
});
vi.stubEnv("NEXTAUTH_URL", WEB_URL);
Object.assign(globalThis, { hostingPlatform: platform, hostingEnvironment: platform.environment });
const PASSWORD = "tidal lantern orbit";
const EMAIL = "ada@acme.example";
let browser: SignInBrowser;
let userId: string;

beforeEach(async () => {
  server.person = { sub: "ada-at-the-issuer", email: EMAIL, email_verified: true };
  server.tamper = undefined;
  browser = new SignInBrowser(WEB_URL);
  ({ userId } = await signUp(platform, {
    name: "Ada",
    email: EMAIL,
    password: PASSWORD,
    organizationName: "Acme",
    organizationSlug: "acme",
  }));
});

const confirmAddress = () => platform.pool.query("update users set email_confirmed_at = now()");
const countRows = async (table: string) => (await platform.pool.query(`select 1 from ${table}`)).rowCount;

/** Where the browser ends up. */
async function continueWithIssuer(callbackUrl = "/home"): Promise<string> {
  const { location } = await browser.post("signin/oidc", { callbackUrl });
  const back = new URL(await server.visit(location));
  return (await browser.get(`callback/oidc${back.search}`)).location;
}

test("a trusted domain may have letters of any script", async () => {
  await confirmAddress();
  await platform.pool.query("update users set email = 'ada@xn--bcher-kva.example' where id = $1", [userId]);
  server.person = { sub: "ada-at-the-issuer", email: "Ada@bücher.example", email_verified: true };
  expect(await continueWithIssuer()).toBe(`${WEB_URL}/home`);
});

// Guarantee: the browser is sent to the issuer with PKCE, state and nonce, and comes back signed in.
test("a verified address of a trusted domain signs in to the account that confirmed it", async () => {
  await confirmAddress();
  const { location } = await browser.post("signin/oidc", { callbackUrl: "/home" });
  const sent = new URL(location).searchParams;
  expect(Object.fromEntries(sent)).toMatchObject({
    code_challenge_method: "S256",
    scope: "openid email profile",
  });
  for (const name of ["state", "nonce", "code_challenge"])
    expect(sent.get(name)?.length, name).toBeGreaterThan(20);
  expect(await continueWithIssuer()).toBe(`${WEB_URL}/home`);
  expect(await browser.actor()).toMatchObject({ userId, organization: { slug: "acme" } });
  const { rows } = await platform.pool.query("select signed_in_by from sessions");
  expect(rows).toEqual([{ signed_in_by: "OIDC" }]);

  // From then on it is the identity that counts, not the address.
  server.person = { sub: "ada-at-the-issuer", email: "ada@elsewhere.example", email_verified: false };
  browser = new SignInBrowser(WEB_URL);
  await continueWithIssuer();
  expect(await browser.actor()).toMatchObject({ userId });
});

// Guarantee: people whose identities differ only in a character that can't be stored don't share an account.
test("an identity with a NUL signs in, and one with the replacement character is another", async () => {
  await confirmAddress();
  server.person = { sub: "ada\0", name: "A\0da", email: EMAIL, email_verified: true };
  expect(await continueWithIssuer()).toBe(`${WEB_URL}/home`);
  server.person = { sub: "ada\0", email: "ada@elsewhere.example", email_verified: false };
  browser = new SignInBrowser(WEB_URL);
  await continueWithIssuer();
  expect(await browser.actor()).toMatchObject({ userId });
  server.person = { sub: "ada\uFFFD", email: "eve@acme.example", email_verified: false };
  browser = new SignInBrowser(WEB_URL);
  await continueWithIssuer();
  expect(await browser.actor()).toBeUndefined();
});

// Guarantee: an issuer cannot open an account by naming its address.
test.each([
  ["the address is not verified", { email: EMAIL, email_verified: false }, true],
  ["the account never confirmed the address", { email: EMAIL, email_verified: true }, false],
])("no account is opened if %s", async (_case, claims, confirmed) => {
  if (confirmed) await confirmAddress();
  server.person = { sub: "eve", ...claims };
  expect(await continueWithIssuer()).toBe(`${WEB_URL}/sign-in?error=link-first`);
  expect(await browser.actor()).toBeUndefined();
  expect(await countRows("linked_identities")).toBe(0);
});

test("an identity without an account creates nothing, and leads to the sign-up form", async () => {
  server.person = { sub: "bob", name: "Bob Brook", email: "bob@acme.example", email_verified: true };
  expect(await continueWithIssuer()).toBe(`${WEB_URL}/sign-up?error=no-account`);
  expect(await readNewcomer()).toEqual({ name: "Bob Brook", email: "bob@acme.example" });
  expect(await browser.actor()).toBeUndefined();
  expect([
    await countRows("users"),
    await countRows("sessions"),
    await countRows("linked_identities"),
  ]).toEqual([1, 0, 0]);
});

// Guarantee: what the issuer says of somebody is shown in that browser's form alone, and nothing but text gets there.
test("what is not a name is not shown, and another browser shows nothing", async () => {
  server.person = { sub: "eve", name: { $ne: 1 }, email: `${"e".repeat(300)}@acme.example` };
  await continueWithIssuer();
  expect(await readNewcomer()).toEqual({ name: "", email: "" });
  const cookie = browser.cookies.get(cookieName("newcomer")) ?? "";
  browser = new SignInBrowser(WEB_URL);
  await browser.actor();
  browser.cookies.set(cookieName("session"), cookie);
  expect(await browser.actor()).toBeUndefined();
  expect(await readNewcomer()).toEqual({ name: "", email: "" });
});

// Guarantee: a user connects an identity on the account page, and nobody else's identity.
test("a signed-in user connects an identity, which then signs in", async () => {
  server.person = { sub: "ada-elsewhere", email: "someone@else.example", email_verified: false };
  expect(await browser.signIn({ email: EMAIL, password: PASSWORD })).toBe("");
  const before = await browser.actor();
  expect(await continueWithIssuer("/account")).toBe(`${WEB_URL}/account`);
  const after = await browser.actor();
  expect(after?.userId).toBe(userId);
  expect(after?.sessionId).not.toBe(before?.sessionId);
  browser = new SignInBrowser(WEB_URL);
  await continueWithIssuer();
  expect(await browser.actor()).toMatchObject({ userId });

  const bob = { name: "Bob", email: "bob@b.example", password: PASSWORD, organizationName: "B" };
  await signUp(platform, { ...bob, organizationSlug: "bob" });
  browser = new SignInBrowser(WEB_URL);
  await browser.signIn({ email: bob.email, password: PASSWORD });
  expect(await continueWithIssuer("/account")).toBe(`${WEB_URL}/account?error=linked-elsewhere`);
  expect((await browser.actor())?.email).toBe(bob.email);
});

const forge = async (claims: JWTPayload) =>
  new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "issuer" }).sign(server.key);

// Guarantee: only a token that the issuer signed, for us, for this sign-in, and now, opens an account.
test.each<[string, (claims: JWTPayload) => Promise<string>]>([
  ["for another audience", (claims) => forge({ ...claims, aud: "another-client" })],
  ["of another issuer", (claims) => forge({ ...claims, iss: "https://evil.example" })],
  ["of another sign-in", (claims) => forge({ ...claims, nonce: "another" })],
  ["without a nonce", ({ nonce: _nonce, ...claims }) => forge(claims)],
  ["that expired", (claims) => forge({ ...claims, iat: 1, exp: 2 })],
  ["without a signature", async (claims) => new UnsecuredJWT(claims).encode()],
  [
    "signed with HS256 and the client's secret",
    (claims) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: "HS256" })
        .sign(createSecretKey(Buffer.from(CLIENT.secret))),
  ],
  [
    "signed with HS256 and the issuer's public key",
    async (claims) => {
      const key = await importJWK({ ...server.publicJwk, alg: "RS256" }, "RS256", { extractable: true });
      const text = await exportSPKI(key instanceof Uint8Array ? server.key : key);
      return new SignJWT(claims)
        .setProtectedHeader({ alg: "HS256", kid: "issuer" })
        .sign(createSecretKey(Buffer.from(text)));
    },
  ],
  [
    "signed with another key",
    async (claims) => {
      const { privateKey } = await generateKeyPair("RS256");
      return new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "issuer" }).sign(privateKey);
    },
  ],
])("a token %s is refused", async (_case, change) => {
  await confirmAddress();
  server.tamper = (idToken) => change(decodeJwt(idToken));
  expect(await continueWithIssuer()).toBe(`${WEB_URL}/api/auth/error?error=OAuthCallback`);
  expect((await browser.get("signin?error=OAuthCallback")).location).toMatch(
    /^\/sign-in\?.*error=OAuthCallback$/,
  );
  expect(await browser.actor()).toBeUndefined();
  expect(await countRows("sessions")).toBe(0);
});

// The same, unchanged, is accepted: the refusals above are about what was changed.
test("a token that was signed again without a change is accepted", async () => {
  await confirmAddress();
  server.tamper = (idToken) => forge(decodeJwt(idToken));
  expect(await continueWithIssuer()).toBe(`${WEB_URL}/home`);
});

// Guarantee: nobody can finish a sign-in that another browser began.
test("a code in another browser opens nothing", async () => {
  await confirmAddress();
  const { location } = await browser.post("signin/oidc", { callbackUrl: "/home" });
  const back = new URL(await server.visit(location));
  const victim = new SignInBrowser(WEB_URL);
  expect((await victim.get(`callback/oidc${back.search}`)).location).toContain("error=OAuthCallback");
  expect(await victim.actor()).toBeUndefined();
  back.searchParams.set("state", "another");
  expect((await browser.get(`callback/oidc${back.search}`)).location).toContain("error=OAuthCallback");
  expect(await browser.actor()).toBeUndefined();
});

test("a session of single sign-on counts as having the second factor that the organization requires", async () => {
  await confirmAddress();
  await platform.pool.query("update organizations set require_second_factor = true");
  await continueWithIssuer();
  expect((await browser.actor())?.lacksSecondFactor).toBe(false);
  await signIn(platform, { email: EMAIL, password: PASSWORD }, givenClient());
  browser = new SignInBrowser(WEB_URL);
  await browser.signIn({ email: EMAIL, password: PASSWORD });
  expect((await browser.actor())?.lacksSecondFactor).toBe(true);
});
