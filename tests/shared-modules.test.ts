import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ALONE } from "./alone";

const ROOT = path.join(import.meta.dirname, "..");

// A mock of a module that an earlier file has loaded does nothing: the test fails only when both run in one worker.
test("tests that share their modules mock none", () => {
  const folders = [
    "app",
    "cli",
    "components",
    "demo",
    "docs",
    "gateway",
    "guard",
    "launcher",
    "lib",
    "tests",
  ];
  const found = execFileSync("find", [...folders, "worker", "-name", "*.test.ts*"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const files = found.trim().split("\n");
  expect(files.length).toBeGreaterThan(400);
  const mocking = files.filter((file) =>
    /^vi\.(do)?[mM]ock\(/m.test(readFileSync(path.join(ROOT, file), "utf8")),
  );
  expect(mocking.sort()).toEqual(ALONE);
});
