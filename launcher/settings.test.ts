import { createServer as createHttp, type RequestListener, type Server } from "node:http";
import { createServer as createHttps } from "node:https";
import { expect, onTestFinished, test, vi } from "vitest";
import { readEnvironment } from "@/lib/server/platform/environment";
import { newMasterKey } from "@/lib/server/platform/keyring";
import { createCertificate } from "@/tests/egress/certificate";
import { requireValidSettings, warnOfRegistry } from "./settings";

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

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}/platform/apps`;
}

async function warnOf(url: string): Promise<string> {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const settings = { PLATFORM_REGISTRY_URL: url, PLATFORM_REGISTRY_CREDENTIALS: "platform:s3cret" };
  await warnOfRegistry(readEnvironment({ DATABASE_URL: "x", PLATFORM_MASTER_KEYS: "x", ...settings }));
  const lines = warn.mock.calls.flat().join("\n");
  warn.mockRestore();
  return lines;
}

const answer =
  (status: number): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { "www-authenticate": "Basic" }).end();

// Guarantee: an operator learns at the start, and not from the first publisher, that the registry can't be used, and which setting is wrong.
test("a registry that can't be used is named with the cause and the setting", async () => {
  expect(await warnOf("")).toBe("");
  expect(await warnOf(`http://${await listen(createHttp(answer(404)))}`)).toBe("");
  const locked = `http://${await listen(createHttp(answer(401)))}`;
  const warning = await warnOf(locked);
  expect(warning).toContain(`${locked} can't be used`);
  expect(warning).toContain("Correct PLATFORM_REGISTRY_CREDENTIALS.");
  expect(warning).not.toContain("s3cret");
  expect(await warnOf("http://127.0.0.1:1/platform/apps")).toContain("It can't be reached (ECONNREFUSED).");

  const tls = createHttps(createCertificate("127.0.0.1"), answer(404));
  expect(await warnOf(`https://${await listen(tls)}`)).toMatch(
    /certificate is not trusted.*NODE_EXTRA_CA_CERTS/,
  );
});
