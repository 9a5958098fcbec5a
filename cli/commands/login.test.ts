import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { givenAccount, keyOf, WEB_URL } from "@/tests/cli/account-cli";

const KEY = keyOf("acme");
const account = givenAccount();
const run = account.run.bind(account);
const read = account.read.bind(account);
const printed = () => account.output.lines.join("\n");

test("login saves the key readable only by the user, once the platform accepts it; logout removes it", async () => {
  const { url } = await account.startPlatform();
  const at = { PLATFORM_URL: url };
  expect(await run(["login", "--client-id", "pci_acme", "--api-key", "wrong"], at)).toBe(3);
  await expect(stat(account.file)).rejects.toThrow();
  expect(await run(["login", ...KEY], at)).toBe(0);
  expect((await stat(account.file)).mode & 0o777).toBe(0o600);
  expect(printed()).not.toContain("pak_secret");
  expect(printed()).toContain("Next:  platform-app publish --build .");
  expect(await run(["whoami"])).toBe(0);
  expect(account.output.results).toEqual([
    "Organization  ACME (acme)",
    "Profile       default",
    `Platform      ${url}`,
    "API key       CI",
    "Scopes        publish, logs:read",
  ]);
  expect(await run(["logout"])).toBe(0);
  await expect(stat(account.file)).rejects.toThrow();
  expect(await run(["whoami"], at)).toBe(3);
  expect(await run(["logout"])).toBe(0);
});

// Guarantee: a key works however a secret store or a form wrote it, and what can't be one is told before it is sent.
test("keys of options are cleaned, and those with a line break or a blank within are refused", async () => {
  const { url, received } = await account.startPlatform();
  const login = (clientId: string, apiKey: string) =>
    run(["login", "--url", ` ${url}\n`, "--client-id", clientId, "--api-key", apiKey]);
  for (const [clientId, apiKey] of [
    ["'pci_acme'", '"pak_secret"\r\n'],
    [" pci_acme\n", "\uFEFFpak_secret "],
  ] as const)
    expect(await login(clientId, apiKey), printed()).toBe(0);
  expect(new Set(received)).toEqual(new Set(["pci_acme:pak_secret"]));
  for (const [apiKey, message] of [
    ["pak_se\r\ncret", "The API key contains a line break, after 6 of its 12 characters."],
    ["pak_sec ret", "The API key contains a blank"],
    ["pak_secret\u200B", "The API key contains a blank or another character"],
  ] as const) {
    const isTold = () => account.output.notes.some((line) => line.includes(message));
    expect([await login("pci_acme", apiKey), isTold()]).toEqual([2, true]);
    const key = { PLATFORM_CLIENT_ID: "pci_acme", PLATFORM_API_KEY: apiKey };
    expect([await run(["whoami"], { PLATFORM_URL: url, ...key }), isTold()]).toEqual([2, true]);
    expect(printed()).not.toContain("pak_");
  }
  expect(new Set(received)).toEqual(new Set(["pci_acme:pak_secret"]));
});

// Guarantee: the address that people know is enough, and only the gateway gets the key.
test("login at the address of the pages finds the gateway", async () => {
  const { url, received } = await account.startPlatform();
  const pages = await account.startPages(`${url}/`);
  expect(await run(["login", ...KEY, "--url", `${pages.url}/marketplace`]), printed()).toBe(0);
  expect(printed()).toContain(`${pages.url} serves the platform's pages. Its gateway is ${url}.`);
  expect((await read(["whoami"])).url).toBe(url);
  expect([received.length, pages.keys]).toEqual([2, []]);
  // A variable is not looked up for each command, so it must be right.
  const key = { PLATFORM_CLIENT_ID: "pci_acme", PLATFORM_API_KEY: "pak_secret" };
  expect(await run(["whoami"], { PLATFORM_URL: pages.url, ...key })).toBe(5);
  expect(printed()).toMatch(
    /doesn't look like the platform's gateway.*`platform-app login` finds the gateway/,
  );
});

// Guarantee: no address in the environment gets a key that another platform accepted.
test("a saved key is sent only to its own platform, and each platform has its own", async () => {
  const [mine, other] = [await account.startPlatform(), await account.startPlatform()];
  expect(await run(["login", ...KEY], { PLATFORM_URL: mine.url })).toBe(0);
  expect(await run(["whoami"], { PLATFORM_URL: other.url })).toBe(3);
  expect(printed()).toContain(`platform-app login --url ${other.url}`);
  expect(printed()).toContain(mine.url);
  expect(await run(["whoami", "--profile", "default"], { PLATFORM_URL: other.url })).toBe(3);
  expect(printed()).toContain("PROFILE_MISMATCH");
  expect(await run(["whoami"], { PLATFORM_URL: other.url, PLATFORM_PROFILE: "default" })).toBe(3);
  expect(other.received).toEqual([]);

  expect(await run(["login", ...keyOf("other"), "--url", other.url])).toBe(0);
  expect((await read(["whoami"])).url).toBe(other.url);
  expect((await read(["whoami"], { PLATFORM_URL: mine.url })).organization.slug).toBe("acme");
  expect(await run(["logout"], { PLATFORM_URL: other.url })).toBe(0);
  expect(await run(["whoami"], { PLATFORM_URL: other.url })).toBe(3);
  expect(await run(["whoami"], { PLATFORM_URL: mine.url })).toBe(0);
  expect(new Set(mine.received)).toEqual(new Set(["pci_acme:pak_secret"]));
  expect(new Set(other.received)).toEqual(new Set(["pci_other:pak_secret"]));
});

test("keys that earlier versions saved become profiles, each for the platform saved with it", async () => {
  const [mine, other] = [await account.startPlatform(), await account.startPlatform()];
  const key = { clientId: "pci_acme", apiKey: "pak_secret" };
  const save = async (value: object) => {
    await mkdir(path.dirname(account.file), { recursive: true });
    await writeFile(account.file, JSON.stringify(value));
  };
  await save({ url: mine.url, ...key });
  expect(await run(["whoami"])).toBe(0);
  expect(await run(["whoami"], { PLATFORM_URL: other.url })).toBe(3);
  expect(other.received).toEqual([]);

  const otherKey = { ...key, clientId: "pci_other" };
  await save({ current: other.url, platforms: { [mine.url]: key, [other.url]: otherKey } });
  await run(["profiles", "--json"]);
  expect(account.output.results.map((line) => JSON.parse(line))).toEqual([
    { name: "default", url: other.url, organization: null, inUse: true },
    { name: `127.0.0.1-${mine.port}`, url: mine.url, organization: null, inUse: false },
  ]);
  expect((await read(["whoami"])).organization.slug).toBe("other");
  expect((await read(["whoami", "--profile", `127.0.0.1-${mine.port}`])).organization.slug).toBe("acme");
  // What the platform said was saved with the profiles.
  const saved = JSON.parse(await readFile(account.file, "utf8"));
  expect(saved).toMatchObject({ current: "default", profiles: [{ webUrl: WEB_URL }, { webUrl: WEB_URL }] });
});

test("a failure of the command line links its entry in the documentation of the profile's platform", async () => {
  const { url } = await account.startPlatform();
  const at = path.join(account.folder, "platform-app.json");
  await writeFile(at, "{}");
  expect(await run(["validate", at])).toBe(4);
  expect(printed()).not.toContain("Help:");
  await run(["login", ...KEY, "--url", url]);
  expect(await run(["validate", at])).toBe(4);
  expect(account.output.notes.at(-1)).toBe(`  Help: ${WEB_URL}/docs/errors/INVALID_MANIFEST`);
  const { error } = await read(["profiles", "use", "nope"]);
  expect(error.docs).toBe(`${WEB_URL}/docs/errors/UNKNOWN_PROFILE`);
  // The profile is of another platform, whose documentation may differ.
  expect(await run(["whoami"], { PLATFORM_URL: "http://127.0.0.1:1" })).toBe(3);
  expect(printed()).not.toContain("Help:");
});
