import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";

const ROOT = path.join(import.meta.dirname, "..");
const run = promisify(execFile);
let folder: string | undefined;

afterEach(async () => {
  if (folder !== undefined) await rm(folder, { recursive: true });
  folder = undefined;
});

/** What dependency-cruiser says of a file with this source, placed in a folder below `place`. */
async function cruise(place: string, source: string): Promise<string> {
  folder = await mkdtemp(path.join(ROOT, place, "planted-"));
  await writeFile(path.join(folder, "planted.ts"), source);
  const target = path.relative(ROOT, folder);
  const command = [
    path.join(ROOT, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs"),
    "--config",
    ".dependency-cruiser.cjs",
    target,
  ];
  return run(process.execPath, command, { cwd: ROOT }).then(
    (done) => done.stdout,
    (failed: { stdout: string }) => failed.stdout,
  );
}

// Guarantee: the architecture rules refuse what they are there for.
test.each([
  [
    "lib/contract",
    'import { admit } from "@/lib/domain/policy";\nexport const planted = admit;',
    "contract-imports-nothing",
  ],
  [
    "lib/domain",
    'import { readState } from "@/lib/server/state/read-state";\nexport const planted = readState;',
    "domain-imports-contract",
  ],
  [
    "lib/domain",
    'import { readFileSync } from "node:fs";\nexport const planted = readFileSync;',
    "pure-code-does-no-io",
  ],
  [
    "components",
    'import { readState } from "@/lib/server/state/read-state";\nexport const planted = readState;',
    "components-are-browser-safe",
  ],
  [
    "cli",
    'import { readState } from "@/lib/server/state/read-state";\nexport const planted = readState;',
    "cli-knows-the-contract",
  ],
  [
    "lib/server/state",
    'import { audit } from "@/drizzle/schema/audit";\nexport const planted = audit;',
    "sql-stays-in-queries",
  ],
])("a bad import in %s is refused", async (place, source, rule) => {
  expect(await cruise(place, source)).toContain(rule);
});

test("a good import is not", async () => {
  expect(
    await cruise("lib/domain", 'import { slug } from "@/lib/contract/names";\nexport const planted = slug;'),
  ).toContain("no dependency violations");
});
