/** Guesses at sign-in, sign-up and reset as they arrive: through next-auth and the route handlers. */
import { beforeEach, expect, test, vi } from "vitest";
import { POST } from "@/app/api/[...path]/route";
import { signUp } from "@/lib/server/accounts/sign-up";
import { readMails } from "../clients";
import { cpuTime } from "../cpu-time";
import { scope } from "../request-scope";
import { SignInBrowser } from "../sign-in-browser";
import { testPlatform } from "../test-platform";

const WEB_URL = "http://localhost:3000";
const platform = await testPlatform({ PLATFORM_WEB_URL: WEB_URL, PLATFORM_SMTP_URL: "smtp://127.0.0.1:1" });
vi.stubEnv("NEXTAUTH_URL", WEB_URL);
Object.assign(globalThis, { hostingPlatform: platform, hostingEnvironment: platform.environment });

const ADA = { email: "ada@acme.example", password: "tidal lantern orbit" };
const ACCOUNT = { ...ADA, name: "Ada", organizationName: "Acme", organizationSlug: "acme" };
/** Each test has a network of its own, because a process remembers a flood for as long as its limit lasts. */
let network = "";
let tests = 0;
beforeEach(async () => {
  tests += 1;
  network = `198.51.100.${tests}`;
  await signUp(platform, ACCOUNT);
});

/** What a browser that never signed in is told. */
const guess = (password: string, email = ADA.email) =>
  new SignInBrowser(WEB_URL, network).signIn({ email, password });

function countAnswers(answers: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) {
    const [code = ""] = answer.split(" ");
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
}

// Guarantee: the right password among many guesses at the same time is not found by sending them at the same time.
test("of 60 parallel guesses 10 are checked, and the owner signs in meanwhile in a browser that is known", async () => {
  const owner = new SignInBrowser(WEB_URL, "203.0.113.9");
  expect(await owner.signIn(ADA)).toBe("");
  const answers = await Promise.all(Array.from({ length: 60 }, (_, at) => guess(`guess ${at}`)));
  expect(countAnswers(answers)).toEqual({ CredentialsSignin: 10, TOO_MANY_REQUESTS: 50 });
  expect(await guess(ADA.password)).toMatch(/^TOO_MANY_REQUESTS/);
  expect(await owner.signIn(ADA)).toBe("");
});

test("of 60 sprayed addresses 30 are checked, with or without accounts", async () => {
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, at) => guess("Summer2026!", at === 7 ? ADA.email : `u${at}@acme.example`)),
  );
  expect(countAnswers(answers)).toEqual({ CredentialsSignin: 30, TOO_MANY_REQUESTS: 30 });
});

// Guarantee: neither the response nor the work reveals whether an address has an account.
test("a wrong password and an unknown address get the same answer, after the same work", async () => {
  const fastest = { [ADA.email]: Infinity, "nobody@acme.example": Infinity };
  for (let round = 0; round < 6; round += 1)
    for (const email of Object.keys(fastest)) {
      const spent = await cpuTime(async () => expect(await guess("wrong", email)).toBe("CredentialsSignin"));
      fastest[email] = Math.min(fastest[email] ?? Infinity, spent);
    }
  const [known = 0, unknown = 0] = Object.values(fastest);
  // A password takes a hundred times as long as everything else.
  expect(unknown).toBeGreaterThan(known / 2);
  expect(unknown).toBeLessThan(known * 2);
});

async function post(name: string, body: object) {
  scope.sender = new SignInBrowser(WEB_URL, network);
  const headers = { origin: WEB_URL, "content-type": "application/json" };
  const request = new Request(WEB_URL, { method: "POST", headers, body: JSON.stringify(body) });
  const answer = await POST(request, { params: Promise.resolve({ path: [name] }) });
  return [answer.status, Object.fromEntries(answer.headers), await answer.text()];
}

test.each([
  [
    "signing up",
    (email: string, at: number) => post("sign-up", { ...ACCOUNT, email, organizationSlug: `new-${at}` }),
  ],
  ["asking for a new password", (email: string) => post("forgot-password", { email })],
])(
  "%s answers the same for known and unknown addresses, also past the limit of mails",
  async (_what, ask) => {
    const answers = [];
    for (let at = 0; at < 5; at += 1) answers.push(await ask(ADA.email, at));
    for (let at = 5; at < 10; at += 1) answers.push(await ask("nobody@acme.example", at));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    const mailed = (await readMails(platform)).filter(({ to }) => to === ADA.email);
    expect(mailed).toHaveLength(3);
  },
);
