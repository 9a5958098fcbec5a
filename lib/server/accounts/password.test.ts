import { hash } from "@node-rs/argon2";
import { expect, test } from "vitest";
import { findToken, givenClient, readMails } from "@/tests/clients";
import { cpuTime } from "@/tests/cpu-time";
import { testPlatform } from "@/tests/test-platform";
import { selectUserByEmail, updatePassword } from "./account-queries";
import { countTry } from "./count-tries";
import { hashPassword, verifyPassword } from "./password";
import { requestSignUp, confirmSignUp } from "./request-sign-up";
import { readActor } from "./sessions";
import { changePassword, createNewPasswordLink, setNewPassword } from "./set-password";
import { signIn } from "./sign-in";
import { createModerator, signUp } from "./sign-up";

const platform = await testPlatform({ PLATFORM_SMTP_URL: "smtp://127.0.0.1:1" });
let users = 0;

/** What different systems send for the same keys: accents composed or apart, syllables or letters, one space or another. */
const FORMS: [name: string, one: string, other: string][] = [
  ["an accent", "caf\u00E9 on the corner", "cafe\u0301 on the corner"],
  ["Hangul", "\uD55C\uAE00 lantern orbit", "\u1112\u1161\u11AB\u1100\u1173\u11AF lantern orbit"],
  ["a no-break space", "tidal lantern orbit", "tidal\u00A0lantern\u3000orbit"],
  ["ASCII", "tidal lantern orbit", "tidal lantern orbit"],
];
const BOTH_WAYS = FORMS.flatMap(([name, one, other]) => [
  [name, one, other] as const,
  [`${name}, the other way`, other, one] as const,
]);

function newUser(password: string) {
  users += 1;
  const client = givenClient(`192.0.2.${users}`);
  const email = `ada${users}@acme.example`;
  const input = { name: "Ada", email, password, organizationName: "Acme", organizationSlug: `acme-${users}` };
  return {
    client,
    email,
    input,
    enter: (typed: string) => signIn(platform, { email, password: typed }, client),
  };
}

async function readHash(email: string): Promise<string> {
  return (await selectUserByEmail(platform.db, email))?.passwordHash ?? "";
}

/** As it was stored before passwords were normalized. */
async function givenOldHash(email: string, password: string): Promise<void> {
  const user = await selectUserByEmail(platform.db, email);
  if (user !== undefined) await updatePassword(platform.db, user.id, await hash(password));
}

// Guarantee: a password works on every keyboard, wherever it was set.
test.each(BOTH_WAYS)("%s: set by sign-up, a change, a reset, and the operator", async (_name, one, other) => {
  const { client, email, input, enter } = newUser(one);
  await signUp(platform, input);
  const { sessionId } = await enter(other);
  await enter(one);
  const actor = await readActor(platform, sessionId);
  if (actor === undefined) throw new Error("not signed in");
  const change = { currentPassword: other, password: `${one} 2` };
  await changePassword(platform, actor, change, client);
  await enter(`${other} 2`);
  const token = findToken(await createNewPasswordLink(platform, email));
  await setNewPassword(platform, { token, password: `${one} 3` }, client);
  await enter(`${other} 3`);
  const moderator = newUser(one);
  await createModerator(platform, { name: "Mo", email: moderator.email, password: one });
  await moderator.enter(other);
});

test("a sign-up is confirmed with the password in another form", async () => {
  const { client, email, input, enter } = newUser("caf\u00E9 on the corner");
  await requestSignUp(platform, input, client);
  const mails = await readMails(platform);
  const token = findToken(mails.filter(({ to }) => to === email).at(-1)?.text ?? "");
  await confirmSignUp(platform, { token, password: "cafe\u0301 on the corner" }, client);
  await enter("cafe\u0301 on the corner");
});

// Guarantee: nobody is locked out by the change, and an old hash is replaced the first time that it is used.
test("a hash of the password as it was typed still works, and from then on in every form", async () => {
  const [composed, apart] = ["caf\u00E9 on the corner", "cafe\u0301 on the corner"];
  const { email, input, enter } = newUser(composed);
  await signUp(platform, input);
  await givenOldHash(email, apart);
  await expect(enter(composed)).rejects.toMatchObject({ code: "WRONG_CREDENTIALS" });
  await expect(enter(`${apart}!`)).rejects.toMatchObject({ code: "WRONG_CREDENTIALS" });
  const old = await readHash(email);
  await enter(apart);
  const replaced = await readHash(email);
  expect(replaced).not.toBe(old);
  await enter(composed);
  await enter(apart);
  expect(await readHash(email)).toBe(replaced);
});

test("an old hash of a normalized password is not replaced", async () => {
  const { email, input, enter } = newUser("tidal lantern orbit");
  await signUp(platform, input);
  await givenOldHash(email, "tidal lantern orbit");
  const old = await readHash(email);
  await enter("tidal lantern orbit");
  expect(await readHash(email)).toBe(old);
});

// Guarantee: the second comparison is the same guess: it is counted once, and unknown users take it too.
test("a wrong password in another form is one try", async () => {
  const { email, input, enter } = newUser("caf\u00E9 on the corner");
  await signUp(platform, input);
  for (let tries = 0; tries < 10; tries += 1)
    await expect(enter(`wro\u0301ng guess ${tries}`)).rejects.toMatchObject({ code: "WRONG_CREDENTIALS" });
  await expect(enter("caf\u00E9 on the corner")).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
  await expect(countTry(platform, [["password-account", email]])).resolves.toBeDefined();
});

test("an unknown user takes as long as a known one, in either form", async () => {
  const stored = await hashPassword("tidal lantern orbit");
  const measure = async (known: string | undefined, password: string) => {
    const times: number[] = [];
    for (let run = 0; run < 7; run += 1) {
      const time = await cpuTime(async () =>
        expect(await verifyPassword(known, password, "192.0.2.200")).toBe(false),
      );
      times.push(time);
    }
    return times.sort((one, other) => one - other)[3] ?? 0;
  };
  for (const password of ["a wrong guess", "a wro\u0301ng guess"]) {
    const [unknown, known] = [await measure(undefined, password), await measure(stored, password)];
    expect(unknown / known).toBeGreaterThan(0.5);
    expect(unknown / known).toBeLessThan(2);
  }
});

// Guarantee: ten characters are ten characters, not five with accents.
test("a short password is not longer in another form", async () => {
  const { client, input } = newUser("e\u0301a\u0301i\u0301o\u0301u\u0301");
  await expect(requestSignUp(platform, input, client)).rejects.toMatchObject({
    code: "BAD_INPUT",
    issues: [{ pointer: "/password", message: "Use at least 10 characters." }],
  });
});
