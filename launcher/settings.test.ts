import { expect, onTestFinished, test, vi } from "vitest";
import { newMasterKey } from "@/lib/server/platform/keyring";
import { requireValidSettings } from "./settings";

const valid = { DATABASE_URL: "postgres://localhost/platform", PLATFORM_MASTER_KEYS: newMasterKey("k1") };

// Guarantee: an invalid setting ends the start with its name, and without a stack.
test.each([
  [{ PLATFORM_WEB_URL: "platform.example" }, /PLATFORM_WEB_URL: .*for example https:/],
  [{ PLATFORM_WEB_URL: "platform.example:443" }, /PLATFORM_WEB_URL: .*for example https:/],
  [{ PLATFORM_GATEWAY_URL: "https://gateway.example/api" }, /PLATFORM_GATEWAY_URL: .*without a path/],
  [{ PLATFORM_GATEWAY_URL: "https://gateway.example/?a=b" }, /PLATFORM_GATEWAY_URL: .*without a path/],
  [{ PLATFORM_REGISTRY_CREDENTIALS: "secret" }, /PLATFORM_REGISTRY_CREDENTIALS: Write <user>:<password>\.$/],
  [
    { DATABASE_URL: `${valid.DATABASE_URL}?sslmode=verify_full` },
    /DATABASE_URL: Its sslmode must be .*verify-full/,
  ],
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

// Guarantee: a misspelled setting is not just ignored.
test("an unknown setting is warned of, with the name that is meant", () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  onTestFinished(() => warn.mockRestore());
  const others = { PLATFORM_SETUP_EMAIL: "", PLATFORM_PROFILE: "", PATH: "" };
  requireValidSettings({
    NODE_ENV: "production",
    ...valid,
    ...others,
    PLATFORM_BEHIND_PROXIE: "1",
    PLATFORM_QQ: "",
  });
  expect(warn.mock.calls.flat()).toEqual([
    "PLATFORM_BEHIND_PROXIE is not a setting of the platform, and is ignored. Did you mean PLATFORM_BEHIND_PROXY?",
    "PLATFORM_QQ is not a setting of the platform, and is ignored.",
  ]);
});
