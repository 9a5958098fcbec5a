import { Secret, TOTP } from "otpauth";
import { beforeEach, expect, test } from "vitest";
import { isMember, type Member } from "@/lib/domain/platform/actor";
import { givenClient, readMails } from "@/tests/clients";
import { testPlatform } from "@/tests/test-platform";
import { newMasterKey, readKeyring } from "../platform/keyring";
import { rotateKeys } from "../platform/rotate-keys";
import {
  beginSecondFactor,
  confirmSecondFactor,
  readSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  requireSecondFactor,
} from "./second-factor";
import { readActor } from "./sessions";
import { signIn } from "./sign-in";
import { signUp } from "./sign-up";

const OLD = newMasterKey("old");
const platform = await testPlatform({ PLATFORM_SMTP_URL: "smtp://127.0.0.1:1", PLATFORM_MASTER_KEYS: OLD });
const PASSWORD = "tidal lantern orbit";
let users = 0;
let CLIENT = givenClient();
let ada: Member;
let email: string;

beforeEach(async () => {
  users += 1;
  CLIENT = givenClient(`192.0.2.${users}`);
  email = `ada${users}@acme.example`;
  const input = { name: "Ada", email, password: PASSWORD, organizationName: "Acme" };
  await signUp(platform, { ...input, organizationSlug: `acme-${users}` });
  ada = await read((await signIn(platform, input, CLIENT)).sessionId);
});

async function read(sessionId: string): Promise<Member> {
  const actor = await readActor(platform, sessionId);
  if (actor === undefined || !isMember(actor)) throw new Error("not signed in");
  return actor;
}

/** `steps`: how many times 30 seconds from now. */
function codeOf(secret: string, steps = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  return totp.generate({ timestamp: Date.now() + steps * 30_000 });
}

/** Turns it on with the code of the step before this one. */
async function turnOn() {
  const { secret } = await beginSecondFactor(platform, ada, PASSWORD, CLIENT);
  const codes = await confirmSecondFactor(platform, ada, codeOf(secret, -1));
  return { secret, codes };
}

const enter = (code?: string, on = platform) => signIn(on, { email, password: PASSWORD, code }, CLIENT);
const countSessions = async () => (await platform.pool.query("select 1 from sessions")).rowCount;

// Guarantee: with a second factor, the password alone is not enough, and no session exists before the code is right.
test("signing in takes the code, and creates no session before", async () => {
  const { secret } = await turnOn();
  expect(await countSessions()).toBe(1);
  await expect(enter()).rejects.toMatchObject({ code: "SECOND_FACTOR_NEEDED" });
  await expect(enter("")).rejects.toMatchObject({ code: "SECOND_FACTOR_NEEDED" });
  await expect(enter("000000")).rejects.toMatchObject({ code: "WRONG_CODE" });
  await expect(enter("not a code")).rejects.toMatchObject({ code: "WRONG_CODE" });
  expect(await countSessions()).toBe(1);
  await enter(codeOf(secret));
  expect(await countSessions()).toBe(2);
});

test("a wrong password reveals nothing about the second factor", async () => {
  await turnOn();
  const wrong = signIn(platform, { email, password: "not this one" }, CLIENT);
  await expect(wrong).rejects.toMatchObject({ code: "WRONG_CREDENTIALS" });
});

// Guarantee: someone who sees a code can't use it again, not even at the same time.
test("a code works once", async () => {
  const { secret } = await turnOn();
  await expect(enter(codeOf(secret, -1))).rejects.toMatchObject({ code: "WRONG_CODE" });
  const code = codeOf(secret);
  const tries = await Promise.allSettled([enter(code), enter(code), enter(code)]);
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("ten wrong codes in an hour are enough", async () => {
  const { secret } = await turnOn();
  const tries = await Promise.allSettled(Array.from({ length: 14 }, () => enter("000000")));
  const codes = tries.map((one) => (one.status === "rejected" ? one.reason.code : "ok"));
  expect(codes.filter((code) => code === "WRONG_CODE")).toHaveLength(10);
  await expect(enter(codeOf(secret))).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
  // A browser that signed in before has a limit of its own.
  const known = givenClient(CLIENT.network, { [ada.userId]: "laptop" });
  await signIn(platform, { email, password: PASSWORD, code: codeOf(secret) }, known);
});

// Guarantee: a recovery code replaces the app once, and its owner is notified.
test("a recovery code works once, typed in any way", async () => {
  const { codes } = await turnOn();
  expect(codes).toHaveLength(10);
  expect(new Set(codes).size).toBe(10);
  const [code = ""] = codes;
  await enter(` ${code.toUpperCase().replaceAll("-", " ")}`);
  await expect(enter(code)).rejects.toMatchObject({ code: "WRONG_CODE" });
  expect(await readSecondFactor(platform, ada)).toMatchObject({ recoveryCodesLeft: 9 });
  expect((await readMails(platform)).at(-1)?.subject).toBe("A recovery code was used");
});

test("new recovery codes end the old ones", async () => {
  const { codes } = await turnOn();
  const renewed = await renewRecoveryCodes(platform, ada, PASSWORD, CLIENT);
  await expect(enter(codes[0])).rejects.toMatchObject({ code: "WRONG_CODE" });
  await enter(renewed[0]);
});

// Guarantee: a second factor counts only after a code proved that the app has the secret, and nobody can replace it unasked.
test("a secret that was never confirmed is not asked for, and a confirmed one can't be replaced", async () => {
  await beginSecondFactor(platform, ada, PASSWORD, CLIENT);
  await enter();
  const { secret } = await beginSecondFactor(platform, ada, PASSWORD, CLIENT);
  await expect(confirmSecondFactor(platform, ada, "000000")).rejects.toMatchObject({ code: "WRONG_CODE" });
  await confirmSecondFactor(platform, ada, codeOf(secret));
  const again = beginSecondFactor(platform, ada, PASSWORD, CLIENT);
  await expect(again).rejects.toMatchObject({ code: "WRONG_STATE" });
  const guessed = removeSecondFactor(platform, ada, "guess", CLIENT);
  await expect(guessed).rejects.toMatchObject({ issues: [{ pointer: "/currentPassword" }] });
  await removeSecondFactor(platform, ada, PASSWORD, CLIENT);
  await enter();
});

// Guarantee: a stolen database contains neither the secret nor a code, and a secret moved to another user opens nothing.
test("the secret is sealed for its user, and rotating the master keys keeps it", async () => {
  const { secret, codes } = await turnOn();
  const { rows } = await platform.pool.query(
    "select to_jsonb(f) from second_factors f union all select to_jsonb(r) from recovery_codes r",
  );
  const stored = JSON.stringify(rows);
  const bytes = Buffer.from(Secret.fromBase32(secret).buffer);
  for (const plain of [
    secret,
    bytes.toString("base64url"),
    bytes.toString("hex"),
    codes[0] ?? "",
    (codes[0] ?? "").replaceAll("-", ""),
  ])
    expect(stored).not.toContain(plain);

  const rotated = { ...platform, keyring: readKeyring(`${newMasterKey("new")},${OLD}`) };
  expect((await rotateKeys(rotated)).rewrapped).toMatchObject({ "second-factor": 1 });
  await enter(codeOf(secret), rotated);

  const other = { email: "bob@acme.example", password: PASSWORD };
  const { userId } = await signUp(rotated, {
    ...other,
    name: "Bob",
    organizationName: "B",
    organizationSlug: "bob",
  });
  await platform.pool.query("update second_factors set user_id = $1", [userId]);
  await expect(signIn(rotated, { ...other, code: codeOf(secret, 1) }, CLIENT)).rejects.toThrow(
    /does not open/,
  );
});

// Guarantee: an organization that requires it lets no member without it in, and the member can still set it up.
test("an owner requires it of all members, after turning it on", async () => {
  await expect(requireSecondFactor(platform, ada, true)).rejects.toMatchObject({ code: "WRONG_STATE" });
  await turnOn();
  await requireSecondFactor(platform, ada, true);
  expect((await read(ada.sessionId)).lacksSecondFactor).toBe(false);
  await removeSecondFactor(platform, ada, PASSWORD, CLIENT);
  expect((await read(ada.sessionId)).lacksSecondFactor).toBe(true);
  await platform.pool.query("update sessions set signed_in_by = 'OIDC'");
  expect((await read(ada.sessionId)).lacksSecondFactor).toBe(false);
});
