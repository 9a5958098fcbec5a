import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkArchitecture } from "./check-architecture.mjs";

/** A small project with one file for each rule that it breaks; dependency-cruiser starts once for all of them. */
const PLANTED: Record<string, string> = {
  "lib/contract/platform/names.ts": "export const slug = 1;",
  "lib/domain/accounts/policy.ts":
    'import { slug } from "@/lib/contract/platform/names";\nexport const admit = slug;',
  "lib/server/calls/serve-state.ts":
    'import { admit } from "@/lib/domain/accounts/policy";\nexport const readState = admit;',
  "drizzle/schema/platform.ts": "export const audit = 1;",
  "gateway/good.ts": 'import { admit } from "@/lib/domain/accounts/policy";\nexport const good = admit;',
  "lib/contract/surface/up.ts":
    'import { admit } from "@/lib/domain/accounts/policy";\nexport const up = admit;',
  "lib/domain/surface/up.ts":
    'import { serveState } from "@/lib/server/calls/serve-state";\nexport const up = serveState;',
  "lib/domain/platform/io.ts": 'import { readFileSync } from "node:fs";\nexport const io = readFileSync;',
  "components/surface/up.ts":
    'import { serveState } from "@/lib/server/calls/serve-state";\nexport const up = serveState;',
  "components/ui/up.ts": 'import { up } from "@/components/surface/up";\nexport const primitive = up;',
  "components/utils/loose.ts":
    'import { slug } from "@/lib/contract/platform/names";\nexport const loose = slug;',
  "cli/dev/dev-server.ts": "export const port = 1;",
  "cli/dev-page/up.ts": 'import { port } from "@/cli/dev/dev-server";\nexport const up = port;',
  "cli/dev/contract/up.ts": 'import { port } from "../dev-server";\nexport const up = port;',
  "cli/dev/page.ts": 'import { up } from "@/cli/dev-page/up";\nexport const page = up;',
  "cli/up.ts": 'import { serveState } from "@/lib/server/calls/serve-state";\nexport const up = serveState;',
  "cli/loose.ts": 'import { loose } from "@/lib/contract/loose";\nexport const read = loose;',
  "lib/contract/loose.ts": "export const loose = 1;",
  "lib/server/calls/sql.ts": 'import { audit } from "@/drizzle/schema/platform";\nexport const sql = audit;',
  "lib/server/images/later.ts":
    'import { serveState } from "../calls/serve-state";\nexport const later = serveState;',
  "lib/domain/catalog/later.ts":
    'import type { Reason } from "@/lib/contract/runtime/reason";\nexport type Later = Reason;',
  "lib/contract/runtime/reason.ts": "export type Reason = string;",
  "lib/server/insight/a/one.ts": 'import { two } from "../b/two";\nexport const one = two;',
  "lib/server/insight/a/three.ts": "export const three = 3;",
  "lib/server/insight/b/two.ts": 'import { three } from "../a/three";\nexport const two = three;',
  "lib/server/runtime/parent.ts": 'import { child } from "./below/child";\nexport const parent = child;',
  "lib/server/runtime/other.ts": "export const other = 1;",
  "lib/server/runtime/below/child.ts": 'import { other } from "../other";\nexport const child = other;',
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
  "contract-imports-nothing: lib/contract/surface/up.ts → lib/domain/accounts/policy.ts",
  "domain-imports-contract: lib/domain/surface/up.ts → lib/server/calls/serve-state.ts",
  "pure-code-does-no-io: lib/domain/platform/io.ts → fs",
  "components-are-browser-safe: components/surface/up.ts → lib/server/calls/serve-state.ts",
  "primitives-know-no-context: components/ui/up.ts → components/surface/up.ts",
  "nothing-stands-beside-the-contexts: cli/loose.ts → lib/contract/loose.ts",
  "nothing-stands-beside-the-contexts: components/utils/loose.ts → lib/contract/platform/names.ts",
  "images-imports-no-later-context: lib/server/images/later.ts → lib/server/calls/serve-state.ts",
  "catalog-imports-no-later-context: lib/domain/catalog/later.ts → lib/contract/runtime/reason.ts",
  "cli-knows-the-contract: cli/up.ts → lib/server/calls/serve-state.ts",
  "the-contract-of-the-emulator-is-browser-safe: cli/dev/contract/up.ts → cli/dev/dev-server.ts",
  "the-page-of-the-emulator-is-browser-safe: cli/dev-page/up.ts → cli/dev/dev-server.ts",
  "cli-knows-the-contract: cli/dev/page.ts → cli/dev-page/up.ts",
  "sql-stays-in-queries: lib/server/calls/sql.ts → drizzle/schema/platform.ts",
  "no-folder-cycles: lib/server/insight/a/one.ts → lib/server/insight/b/two.ts",
  "no-folder-cycles: lib/server/insight/b/two.ts → lib/server/insight/a/three.ts",
  "no-folder-cycles: lib/server/runtime/parent.ts → lib/server/runtime/below/child.ts",
  "no-folder-cycles: lib/server/runtime/below/child.ts → lib/server/runtime/other.ts",
])("the check finds %s", (problem) => {
  expect(problems).toContain(problem);
});

test("a good import is not a problem", () => {
  expect(problems.filter((problem) => problem.includes("gateway/"))).toEqual([]);
});
