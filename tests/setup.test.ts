/** `npm run setup` as a process, on a database of its own. */
import { execFile } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { LOCAL_CLIENT, readActor } from "@/lib/server/accounts/sessions";
import { setNewPassword } from "@/lib/server/accounts/set-password";
import { signIn } from "@/lib/server/accounts/sign-in";
import { signUp } from "@/lib/server/accounts/sign-up";
import { newMasterKey } from "@/lib/server/platform/keyring";
import { findToken } from "./clients";
import { testPlatform } from "./test-platform";

const KEY = newMasterKey("setup");
const platform = await testPlatform({ PLATFORM_MASTER_KEYS: KEY });
const PASSWORD = "tidal lantern orbit";
const MAYA = {
  PLATFORM_SETUP_NAME: "Maya Moss",
  PLATFORM_SETUP_EMAIL: "Maya@platform.example",
  PLATFORM_SETUP_PASSWORD: PASSWORD,
};

/** Without a terminal. */
const setUp = (env: Record<string, string> = {}, ...args: string[]) => runUpkeep(["setup", ...args], env);

function runUpkeep(args: string[], env: Record<string, string> = {}) {
  const root = path.join(import.meta.dirname, "..");
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [path.join(root, "upkeep/run.mjs"), ...args],
      {
        cwd: root,
        env: {
          PATH: process.env.PATH,
          NODE_ENV: "production",
          DATABASE_URL: platform.environment.DATABASE_URL,
          PLATFORM_MASTER_KEYS: KEY,
          ...env,
        },
      },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, output: stdout + stderr }),
    );
    child.stdin?.end();
  });
}

const countUsers = async () => (await platform.pool.query("select 1 from users")).rowCount;

// Guarantee: production gets its first moderator without the demo, once, and no password is printed.
test("setup makes the first moderator, and changes nothing the second time", async () => {
  const first = await setUp(MAYA);
  expect(first).toEqual({
    code: 0,
    output: expect.stringContaining("maya@platform.example can now sign in"),
  });
  const { sessionId } = await signIn(
    platform,
    { email: "maya@platform.example", password: PASSWORD },
    LOCAL_CLIENT,
  );
  expect(await readActor(platform, sessionId)).toMatchObject({ name: "Maya Moss", moderator: true });
  const again = await setUp({ ...MAYA, PLATFORM_SETUP_PASSWORD: "another good password" });
  expect(again).toEqual({ code: 0, output: expect.stringContaining("Nothing was changed") });
  expect((await setUp()).output).toContain("The platform already has a moderator.");
  expect(await countUsers()).toBe(1);
  for (const { output } of [first, again]) expect(output).not.toContain(PASSWORD);
});

test("what is missing or weak is refused, and nothing is made", async () => {
  const missing = await setUp();
  expect(missing).toEqual({ code: 1, output: expect.stringContaining("set PLATFORM_SETUP_NAME") });
  const weak = await setUp({ ...MAYA, PLATFORM_SETUP_PASSWORD: "Password123!" });
  expect(weak).toEqual({ code: 1, output: expect.stringContaining("most common") });
  expect(weak.output).not.toContain("Password123!");
  const asOption = await setUp(MAYA, "--password", PASSWORD);
  expect(asOption).toEqual({ code: 1, output: expect.stringContaining("A password is never an option") });
  expect(await countUsers()).toBe(0);
});

test("a member of an organization does not become a moderator", async () => {
  await signUp(platform, {
    name: "Maya",
    email: "maya@platform.example",
    password: PASSWORD,
    organizationName: "Acme",
    organizationSlug: "acme",
  });
  const refused = await setUp(MAYA);
  expect(refused).toEqual({ code: 1, output: expect.stringContaining("account of an organization") });
});

// Guarantee: without email, an operator lets somebody back in with a link that works once.
test("setup prints a link to set a new password", async () => {
  await setUp(MAYA);
  const { code, output } = await setUp({}, "--new-password", "maya@platform.example");
  expect(code).toBe(0);
  const token = findToken(output);
  await setNewPassword(platform, { token, password: "copper window sky" }, LOCAL_CLIENT);
  await signIn(platform, { email: "maya@platform.example", password: "copper window sky" }, LOCAL_CLIENT);
  expect(await setUp({}, "--new-password", "nobody@platform.example")).toEqual({
    code: 1,
    output: expect.stringContaining("No account has the email address"),
  });
});

test.each(["setup", "backup", "restore", "rotate-keys", "verify-audit"])(
  "%s says how it is used, and changes nothing",
  async (command) => {
    const { code, output } = await runUpkeep([command, "--help"], {
      DATABASE_URL: "postgres://127.0.0.1:1/none",
    });
    expect(output).toContain("npm run ");
    expect(code).toBe(0);
    expect(await runUpkeep([command, "--nonsense"])).toMatchObject({
      code: 1,
      output: expect.stringContaining("npm run "),
    });
  },
);

test("without a command, or with an unknown one, the commands are listed", async () => {
  const commands = "Use one of: setup, backup, restore, rotate-keys, verify-audit.\n";
  expect(await runUpkeep([])).toEqual({ code: 1, output: `Name a command. ${commands}` });
  expect(await runUpkeep(["back-up"])).toEqual({
    code: 1,
    output: `There is no command called back-up. ${commands}`,
  });
});
