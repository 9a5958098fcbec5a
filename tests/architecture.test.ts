import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkArchitecture } from "./check-architecture.mjs";

/** A small project with one file for each rule that it breaks; dependency-cruiser starts once for all of them. */
const PLANTED: Record<string, string> = {
  "lib/contract/names.ts": "export const slug = 1;",
  "lib/domain/policy.ts": 'import { slug } from "@/lib/contract/names";\nexport const admit = slug;',
  "lib/server/state/read-state.ts":
    'import { admit } from "@/lib/domain/policy";\nexport const readState = admit;',
  "drizzle/schema/audit.ts": "export const audit = 1;",
  "gateway/good.ts": 'import { admit } from "@/lib/domain/policy";\nexport const good = admit;',
  "lib/contract/up.ts": 'import { admit } from "@/lib/domain/policy";\nexport const up = admit;',
  "lib/domain/up.ts":
    'import { readState } from "@/lib/server/state/read-state";\nexport const up = readState;',
  "lib/domain/io.ts": 'import { readFileSync } from "node:fs";\nexport const io = readFileSync;',
  "components/up.ts":
    'import { readState } from "@/lib/server/state/read-state";\nexport const up = readState;',
  "cli/dev/dev-server.ts": "export const port = 1;",
  "cli/dev-page/up.ts": 'import { port } from "@/cli/dev/dev-server";\nexport const up = port;',
  "cli/dev/contract/up.ts": 'import { port } from "../dev-server";\nexport const up = port;',
  "cli/dev/page.ts": 'import { up } from "@/cli/dev-page/up";\nexport const page = up;',
  "cli/up.ts": 'import { readState } from "@/lib/server/state/read-state";\nexport const up = readState;',
  "lib/server/state/sql.ts": 'import { audit } from "@/drizzle/schema/audit";\nexport const sql = audit;',
  "lib/server/a/one.ts": 'import { two } from "../b/two";\nexport const one = two;',
  "lib/server/a/three.ts": "export const three = 3;",
  "lib/server/b/two.ts": 'import { three } from "../a/three";\nexport const two = three;',
  "lib/server/c/parent.ts": 'import { child } from "./below/child";\nexport const parent = child;',
  "lib/server/c/other.ts": "export const other = 1;",
  "lib/server/c/below/child.ts": 'import { other } from "../other";\nexport const child = other;',
};

let root: string;
let problems: string[];

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "platform-architecture-"));
  for (const [file, source] of Object.entries(PLANTED)) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), source);
  }
  await cp(path.join(import.meta.dirname, "../tsconfig.json"), path.join(root, "tsconfig.json"));
  problems = await checkArchitecture(root, ["components", "lib", "cli", "gateway"]);
});

afterAll(() => rm(root, { recursive: true }));

// Guarantee: the architecture rules refuse what they are there for, and nothing else.
test.each([
  "contract-imports-nothing: lib/contract/up.ts → lib/domain/policy.ts",
  "domain-imports-contract: lib/domain/up.ts → lib/server/state/read-state.ts",
  "pure-code-does-no-io: lib/domain/io.ts → fs",
  "components-are-browser-safe: components/up.ts → lib/server/state/read-state.ts",
  "cli-knows-the-contract: cli/up.ts → lib/server/state/read-state.ts",
  "the-contract-of-the-emulator-is-browser-safe: cli/dev/contract/up.ts → cli/dev/dev-server.ts",
  "the-page-of-the-emulator-is-browser-safe: cli/dev-page/up.ts → cli/dev/dev-server.ts",
  "cli-knows-the-contract: cli/dev/page.ts → cli/dev-page/up.ts",
  "sql-stays-in-queries: lib/server/state/sql.ts → drizzle/schema/audit.ts",
  "no-folder-cycles: lib/server/a/one.ts → lib/server/b/two.ts",
  "no-folder-cycles: lib/server/b/two.ts → lib/server/a/three.ts",
  "no-folder-cycles: lib/server/c/parent.ts → lib/server/c/below/child.ts",
  "no-folder-cycles: lib/server/c/below/child.ts → lib/server/c/other.ts",
])("the check finds %s", (problem) => {
  expect(problems).toContain(problem);
});

test("a good import is not a problem", () => {
  expect(problems.filter((problem) => problem.includes("gateway/"))).toEqual([]);
});
