import { beforeEach, expect, test } from "vitest";
import type { Actor } from "@/lib/domain/platform/actor";
import { findToken, givenClient, readMails } from "@/tests/clients";
import { testPlatform } from "@/tests/test-platform";
import { changeName, changeZone, confirmEmailChange, requestEmailChange } from "./change-profile";
import { readActor } from "./sessions";
import { signIn } from "./sign-in";
import { signUp } from "./sign-up";

const platform = await testPlatform({ PLATFORM_SMTP_URL: "smtp://127.0.0.1:1" });
const withoutMail = { ...platform, environment: { ...platform.environment, PLATFORM_SMTP_URL: "" } };
const CLIENT = givenClient();
const person = (name: string) => ({
  name,
  email: `${name}@acme.example`,
  password: "tidal lantern orbit",
  organizationName: name,
  organizationSlug: `acme-${name}`,
});
const change = { email: "new@acme.example", currentPassword: "tidal lantern orbit" };
let ada: Actor;
beforeEach(async () => {
  await signUp(platform, person("ada"));
  await signUp(platform, person("bob"));
  const actor = await readActor(platform, (await signIn(platform, person("ada"), CLIENT)).sessionId);
  if (actor === undefined) throw new Error("not signed in");
  ada = actor;
});
const readAda = () => readActor(platform, ada.sessionId);

test("a user changes the name that others see", async () => {
  await changeName(platform, ada, "Ada Lovelace");
  expect((await readAda())?.name).toBe("Ada Lovelace");
});

// Guarantee: the zone is the person's, not a browser's.
test("a zone applies to each session of its user, until it is given up", async () => {
  const other = await readActor(platform, (await signIn(platform, person("ada"), CLIENT)).sessionId);
  const readZone = async () => (await readActor(platform, other?.sessionId ?? ""))?.zone;
  await changeZone(platform, ada, "Europe/Zurich");
  expect(await readZone()).toBe("Europe/Zurich");
  await changeZone(platform, ada, null);
  expect(await readZone()).toBeUndefined();
  // Written by a version that knows more zones.
  await changeZone(platform, ada, "Mars/Olympus");
  expect(await readZone()).toBeUndefined();
  await changeZone(platform, ada, null);
});

// Guarantee: an address is used only after its owner confirmed it, and the old address is notified.
test("a new address applies when its owner confirms it", async () => {
  expect(await requestEmailChange(platform, ada, change, CLIENT)).toEqual({ outcome: "MAILED" });
  expect((await readAda())?.email).toBe("ada@acme.example");
  const [mail] = await readMails(platform);
  expect(mail?.to).toBe(change.email);
  await confirmEmailChange(platform, findToken(mail?.text ?? ""), CLIENT);
  expect((await readAda())?.email).toBe(change.email);
  expect((await readMails(platform)).at(-1)).toMatchObject({
    to: "ada@acme.example",
    subject: "Your email address was changed",
  });
  const again = confirmEmailChange(platform, findToken(mail?.text ?? ""), CLIENT);
  await expect(again).rejects.toMatchObject({ code: "NOT_FOUND" });
});

// Guarantee: the response doesn't reveal whether another account has the address.
test("an address of another account gets the same answer, and its owner a mail", async () => {
  const taken = { ...change, email: "bob@acme.example" };
  expect(await requestEmailChange(platform, ada, taken, CLIENT)).toEqual({ outcome: "MAILED" });
  const [mail] = await readMails(platform);
  expect(mail).toMatchObject({ to: taken.email, subject: "This address already has an account" });
  expect(mail?.text).not.toContain("#");
});

test("it takes the current password", async () => {
  const guessed = requestEmailChange(platform, ada, { ...change, currentPassword: "guess" }, CLIENT);
  await expect(guessed).rejects.toMatchObject({ issues: [{ pointer: "/currentPassword" }] });
});

test("without email, a new address takes effect immediately and counts as not confirmed", async () => {
  expect(await requestEmailChange(withoutMail, ada, change, CLIENT)).toEqual({ outcome: "DONE" });
  expect((await readAda())?.email).toBe(change.email);
  const taken = requestEmailChange(withoutMail, ada, { ...change, email: "bob@acme.example" }, CLIENT);
  await expect(taken).rejects.toMatchObject({ code: "NAME_TAKEN", issues: [{ pointer: "/email" }] });
  const { rows } = await platform.pool.query("select email_confirmed_at from users where id = $1", [
    ada.userId,
  ]);
  expect(rows).toEqual([{ email_confirmed_at: null }]);
});
