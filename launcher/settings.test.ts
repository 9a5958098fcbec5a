import { expect, test } from "vitest";
import { newMasterKey } from "@/lib/server/platform/keyring";
import { requireValidSettings } from "./settings";

const valid = { DATABASE_URL: "postgres://localhost/platform", PLATFORM_MASTER_KEYS: newMasterKey("k1") };

// Guarantee: an invalid setting ends the start with its name, and without a stack.
test.each([
  [{ PLATFORM_WEB_URL: "platform.example" }, /PLATFORM_WEB_URL: Invalid URL/],
  [{ PLATFORM_LOG_LEVEL: "loud" }, /PLATFORM_LOG_LEVEL: Invalid option/],
  [{ PLATFORM_MASTER_KEYS: "k1:short" }, /PLATFORM_MASTER_KEYS: each key must be .*docs\/keys\.md/],
  [{ PLATFORM_MASTER_KEYS: "" }, /PLATFORM_MASTER_KEYS: each key must be .*docs\/keys\.md/],
  [{ PLATFORM_MASTER_KEYS: undefined }, /PLATFORM_MASTER_KEYS: each key must be .*docs\/keys\.md/],
])("%o is refused with its name", (setting, message) => {
  expect(() => requireValidSettings({ NODE_ENV: "production", ...valid })).not.toThrow();
  let error: unknown;
  try {
    requireValidSettings({ NODE_ENV: "production", ...valid, ...setting });
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ expected: true, message: expect.stringMatching(message) });
});
