import { expect, test } from "vitest";
import { PERMISSIONS } from "@/lib/contract/platform/manifest-terms";
import { readEnvironment } from "./environment";

const read = (permissions: string) =>
  readEnvironment({ DATABASE_URL: "x", PLATFORM_MASTER_KEYS: "x", PLATFORM_PERMISSIONS: permissions })
    .PLATFORM_PERMISSIONS;

test("an operator adds permissions to the common ones", () => {
  expect(read("")).toEqual([...PERMISSIONS]);
  expect(read(" ledger:read,,policies:read,ledger:write ")).toEqual([
    ...[...PERMISSIONS, "ledger:read", "ledger:write"],
  ]);
  for (const wrong of ["ledger", "ledger:read ledger:write", "Ledger:read", `${"a".repeat(64)}:read`])
    expect(() => read(wrong), wrong).toThrow("PLATFORM_PERMISSIONS");
});
