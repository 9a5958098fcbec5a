import { readFile, stat } from "node:fs/promises";
import { expect, test } from "vitest";
import { givenAccount, keyOf } from "@/tests/cli/account-cli";

const account = givenAccount();
const run = account.run.bind(account);
const read = account.read.bind(account);
const printed = () => account.output.lines.join("\n");
const organization = async (...argv: string[]) => (await read(["whoami", ...argv])).organization.slug;

test("profiles keep several platforms, and several organizations of one platform", async () => {
  const [live, staging] = [await account.startPlatform(), await account.startPlatform()];
  await run(["login", ...keyOf("acme"), "--url", live.url]);
  await run(["login", ...keyOf("acme"), "--url", staging.url, "--profile", "staging"]);
  await run(["login", ...keyOf("globex"), "--url", live.url, "--profile", "globex"]);
  expect(await run(["profiles"])).toBe(0);
  expect(account.output.results.map((line) => line.trimEnd())).toEqual([
    expect.stringMatching(/^ +PROFILE +URL +ORGANIZATION$/),
    expect.stringMatching(new RegExp(`^ +default +${live.url} +acme$`)),
    expect.stringMatching(new RegExp(`^ +staging +${staging.url} +acme$`)),
    expect.stringMatching(new RegExp(`^\\* +globex +${live.url} +globex +in use$`)),
  ]);
  expect(printed()).not.toContain("pak_secret");

  expect(await organization()).toBe("globex");
  expect(await run(["profiles", "use", "default"])).toBe(0);
  expect(await organization()).toBe("acme");
  expect(await organization("--profile", "globex")).toBe("globex");
  expect((await read(["whoami"], { PLATFORM_PROFILE: "staging" })).url).toBe(staging.url);
  // The option is more specific than the variable.
  expect((await read(["whoami", "--profile", "globex"], { PLATFORM_PROFILE: "staging" })).profile).toBe(
    "globex",
  );
});

test("a key and a URL in the environment win over profiles, and are not saved", async () => {
  const [mine, other] = [await account.startPlatform(), await account.startPlatform()];
  await run(["login", ...keyOf("acme"), "--url", mine.url]);
  const key = { PLATFORM_CLIENT_ID: "pci_ci", PLATFORM_API_KEY: "pak_secret" };
  expect(await read(["whoami"], key)).toMatchObject({
    profile: null,
    url: mine.url,
    organization: { slug: "ci" },
  });
  const everything = { ...key, PLATFORM_URL: other.url, PLATFORM_PROFILE: "default" };
  expect(await read(["whoami"], everything)).toMatchObject({ url: other.url, organization: { slug: "ci" } });
  expect(other.received).toEqual(["pci_ci:pak_secret"]);
  expect(await readFile(account.file, "utf8")).not.toContain("pci_ci");
});

// Guarantee: no login loses the key of another organization or platform, unless its profile is named.
test("a login without a name keeps the profiles of others, and replaces the key of its own organization", async () => {
  const { url } = await account.startPlatform();
  await run(["login", ...keyOf("acme"), "--url", url]);
  await run(["login", ...keyOf("globex"), "--url", url]);
  expect(printed()).toContain('the profile "globex"');
  await run(["login", ...keyOf("acme"), "--url", url]);
  await run(["profiles", "--json"]);
  const profiles = account.output.results.map((line) => JSON.parse(line));
  expect(profiles.map(({ name }: { name: string }) => name).toSorted()).toEqual(["default", "globex"]);
  expect(await organization()).toBe("acme");
  await run(["login", ...keyOf("initech"), "--url", url, "--profile", "default"]);
  expect(await organization("--profile", "default")).toBe("initech");
});

test("PLATFORM_URL alone chooses the profile of that platform, or asks which one", async () => {
  const [one, two] = [await account.startPlatform(), await account.startPlatform()];
  await run(["login", ...keyOf("acme"), "--url", one.url, "--profile", "a"]);
  await run(["login", ...keyOf("globex"), "--url", one.url, "--profile", "b"]);
  await run(["login", ...keyOf("acme"), "--url", two.url, "--profile", "c"]);
  expect(await run(["whoami"], { PLATFORM_URL: one.url })).toBe(2);
  expect(printed()).toContain("a, b");
  await run(["profiles", "use", "b"]);
  expect((await read(["whoami"], { PLATFORM_URL: one.url })).profile).toBe("b");
  expect((await read(["whoami"], { PLATFORM_URL: two.url })).profile).toBe("c");
});

test("profiles are removed one by one or all at once, and no other profile replaces a removed one", async () => {
  const { url } = await account.startPlatform();
  for (const name of ["a", "b", "c"]) await run(["login", ...keyOf(name), "--url", url, "--profile", name]);
  expect(await run(["profiles", "remove", "a"])).toBe(0);
  expect(await run(["logout"])).toBe(0);
  expect(printed()).toContain('"c"');
  expect(printed()).toContain("profiles use");
  expect(await run(["whoami"])).toBe(3);
  expect(printed()).toContain("Saved profiles: b");
  expect(await run(["logout", "--all"])).toBe(0);
  await expect(stat(account.file)).rejects.toThrow();
  expect(await run(["profiles"])).toBe(0);
  expect(printed()).toContain("platform-app login");
});

test("unknown and invalid profile names are refused", async () => {
  const { url, received } = await account.startPlatform();
  await run(["login", ...keyOf("acme"), "--url", url]);
  received.length = 0;
  for (const argv of [
    ["whoami", "--profile", "constructor"],
    ["profiles", "use", "nope"],
    ["profiles", "remove", "__proto__"],
  ]) {
    expect(await run(argv), argv.join(" ")).toBe(3);
    expect(printed()).toContain("UNKNOWN_PROFILE");
  }
  for (const name of ["", "__proto__", "a/b", "x".repeat(65)])
    expect(await run(["login", ...keyOf("acme"), "--url", url, `--profile=${name}`]), name).toBe(2);
  expect(received).toEqual([]);
});
