/** `npm run audit:verify` as a process, on a database of its own, with a worker's log. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pino from "pino";
import { afterAll, expect, test } from "vitest";
import { signUp } from "@/lib/server/accounts/sign-up";
import { createCheckpointWriter } from "@/lib/server/platform/audit-checkpoints";
import { newMasterKey } from "@/lib/server/platform/keyring";
import { recordAudit } from "@/lib/server/platform/record-audit";
import { testPlatform } from "./test-platform";

const KEY = newMasterKey("verify");
const platform = await testPlatform({ PLATFORM_MASTER_KEYS: KEY });
const folder = await mkdtemp(path.join(tmpdir(), "audit-verify-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

function verify(args: string[], input = "", keys = KEY) {
  const root = path.join(import.meta.dirname, "..");
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    const env = {
      PATH: process.env.PATH,
      NODE_ENV: "production" as const,
      DATABASE_URL: platform.environment.DATABASE_URL,
      PLATFORM_MASTER_KEYS: keys,
    };
    const child = execFile(
      process.execPath,
      [path.join(root, "upkeep/run.mjs"), "verify-audit", ...args],
      { cwd: root, env },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, output: stdout + stderr }),
    );
    child.stdin?.end(input);
  });
}

const record = (chain: string) =>
  platform.db.transaction((tx) =>
    recordAudit(tx, platform.keyring, {
      chain,
      actor: "worker",
      action: "listing.create",
      subject: "listing:1",
    }),
  );

// Guarantee (P13): an operator with a worker's log finds what the database alone can't show.
test("trails are compared with the checkpoints of a log", async () => {
  for (const chain of ["acme", "acme", "harbor"]) await record(chain);
  const lines: string[] = [];
  const log = pino({ level: "silent" }, { write: (line) => void lines.push(line) });
  await createCheckpointWriter({ ...platform, log }, 0)();
  const file = path.join(folder, "worker.log");
  await writeFile(file, `something else\n${lines.join("")}`);
  const compared = expect.stringMatching(/^compared 2 checkpoints of 2 trails, the last of 2/m);
  expect(await verify(["--checkpoints", file])).toEqual({ code: 0, output: compared });
  expect(await verify(["--checkpoints", "-"], lines.join(""))).toEqual({ code: 0, output: compared });

  await platform.pool.query("delete from audit where chain = 'harbor'");
  await platform.pool.query("delete from audit_heads where chain = 'harbor'");
  expect((await verify([])).code).toBe(0);
  const { code, output } = await verify(["--checkpoints", file]);
  expect(code).toBe(1);
  expect(output).toMatch(/^BROKEN {2}harbor {2}checkpoint of row 1, .*: the whole trail is gone$/m);
});

test("an organization without a trail is found in the database alone", async () => {
  const owner = { name: "Ada", email: "ada@acme.example", password: "tidal lantern orbit" };
  const signedUp = await signUp(platform, { ...owner, organizationName: "Acme", organizationSlug: "acme" });
  expect((await verify([])).code).toBe(0);
  await platform.pool.query("delete from audit");
  await platform.pool.query("delete from audit_heads");
  expect(await verify([])).toEqual({
    code: 1,
    output: expect.stringContaining(
      `BROKEN  ${signedUp.organizationId}  the organization has no audit trail`,
    ),
  });
});

test("without the master key, the trails are not checked, which is not called broken", async () => {
  await record("acme");
  const { code, output } = await verify([], "", newMasterKey("other"));
  expect(code).toBe(1);
  expect(output).toMatch(/^NOT CHECKED {2}PLATFORM_MASTER_KEYS lacks the key 'verify'.*\nThis doesn't mean/m);
  expect(output).not.toContain("BROKEN");
});

test("a file without checkpoints, a missing file and an unknown option are errors", async () => {
  expect(await verify(["--checkpoints", "-"], "nothing\n")).toEqual({
    code: 1,
    output: expect.stringContaining("The file contains no checkpoints"),
  });
  expect(await verify(["--checkpoints", path.join(folder, "absent")])).toEqual({
    code: 1,
    output: expect.stringMatching(/ENOENT[^]*Usage: npm run audit:verify/),
  });
  expect((await verify(["--checkpoint"])).code).toBe(1);
});
