/** `platform-app create` against a real gateway. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listings } from "@/drizzle/schema/catalog";
import { audit } from "@/drizzle/schema/platform";
import { createGateway } from "@/gateway/serve";
import { SUGGESTED_SCOPES } from "@/lib/contract/accounts/api-key-scope";
import { createdApp } from "@/lib/contract/surface/own-app";
import { createApiKey } from "@/lib/server/accounts/credentials/manage-api-keys";
import { givenMember, testPlatform } from "@/tests/test-platform";
import { runProgram } from "../program";
import { readCliEnvironment } from "../terminal/environment";
import { recordTerminal } from "../terminal/test-terminal";

const platform = await testPlatform();
let server: Server;
let url: string;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "cli-"));
  server = createGateway(platform);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  url = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : "";
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

type Scopes = NonNullable<Parameters<typeof createApiKey>[3]>["scopes"];

/** A user with a key of a new organization, which has the scopes of the form unless others are chosen. */
async function givenUser(slug = "acme", scopes: Scopes = [...SUGGESTED_SCOPES]) {
  const member = await givenMember(platform, slug, "publisher");
  const { apiKeyId, clientId, apiKey } = await createApiKey(platform, member, "CI", { scopes });
  const environment = readCliEnvironment({
    XDG_CONFIG_HOME: folder,
    PLATFORM_URL: url,
    PLATFORM_CLIENT_ID: clientId,
    PLATFORM_API_KEY: apiKey,
  });
  const run = async (...argv: string[]) => {
    const output = recordTerminal();
    const status = await runProgram(argv, environment, output);
    return { status, ...output, text: output.lines.join("\n") };
  };
  return { run, apiKeyId };
}

const NAME = "acme/vin-lookup";
const TEXT = ["--title", "VIN lookup", "--description", "Looks up a vehicle by its VIN."];

test("a listing is created as a draft, and a second time nothing changes", async () => {
  const { run, apiKeyId } = await givenUser();
  const created = await run("create", NAME, ...TEXT, "--tagline", "All vehicles", "--category", "data");
  expect(created.text).toContain(`Created the listing ${NAME}: VIN lookup\n  http://localhost:3000/publish/`);
  expect(created.status).toBe(0);
  const rows = await platform.db.select().from(listings);
  expect(rows).toMatchObject([
    {
      appName: "vin-lookup",
      title: "VIN lookup",
      tagline: "All vehicles",
      category: "data",
      about: { product: "Looks up a vehicle by its VIN.", company: "", offering: "" },
      state: "DRAFT",
    },
  ]);
  expect(await platform.db.select().from(audit)).toContainEqual(
    expect.objectContaining({ action: "listing.create", actor: `api-key:${apiKeyId}` }),
  );

  const again = await run("create", NAME, "--title", "Another title", "--description", "Another text.");
  expect(again.status).toBe(0);
  expect(again.text).toContain(`The listing ${NAME} already exists: VIN lookup`);
  expect(again.text).toContain("Its text was not changed.");
  // Without a text as well, because none is needed.
  expect((await run("create", NAME)).status).toBe(0);
  expect(await platform.db.select().from(listings)).toEqual(rows);
});

test("with --json, it prints one line that says whether the listing is new", async () => {
  const { run } = await givenUser();
  for (const isNew of [true, false]) {
    const { results } = await run("create", NAME, ...TEXT, "--json");
    expect(results.map((line) => createdApp.strict().parse(JSON.parse(line)))).toMatchObject([
      { app: NAME, title: "VIN lookup", state: "DRAFT", created: isNew },
    ]);
  }
});

test("the name comes from the manifest, and a description from a file", async () => {
  const { run } = await givenUser();
  const [manifest, readme] = [path.join(folder, "app.json"), path.join(folder, "README.md")];
  const missing = await run("create", ...TEXT, "--manifest", manifest);
  expect(missing.status).toBe(2);
  expect(missing.text).toContain("Pass <organization>/<app>.");
  await writeFile(manifest, JSON.stringify({ name: NAME, version: "0.1.0" }));
  await writeFile(readme, "# VIN\n\nLooks it up.\n");
  const { status } = await run(
    "create",
    "--title",
    "VIN",
    "--description",
    `@${readme}`,
    "--manifest",
    manifest,
  );
  expect(status).toBe(0);
  expect(await platform.db.select().from(listings)).toMatchObject([
    { about: { product: "# VIN\n\nLooks it up." } },
  ]);
});

// Guarantee: a wrong use says what is wrong and how to fix it, before anything is created.
test.each<[string, string[], number, string]>([
  ["a missing text", [NAME], 2, "Pass --title <text> and --description <text>."],
  ["a missing description", [NAME, "--title", "VIN"], 2, "Pass --description <text>."],
  ["a title that is too short", [NAME, "--title", "V", "--description", "x"], 2, "--title: Enter a title of"],
  ["an unknown category", [NAME, ...TEXT, "--category", "cars"], 2, "Allowed choices are underwriting,"],
  ["half a name", ["vin-lookup", ...TEXT], 2, "It must have two parts"],
  ["another organization", ["harbor/vin-lookup", ...TEXT], 2, 'You are logged in to the organization "acme"'],
  ["a missing file", [NAME, "--title", "VIN", "--description", "@no.md"], 2, "no.md does not exist"],
])("%s is refused", async (_what, argv, wanted, message) => {
  const { run } = await givenUser();
  const { status, text } = await run("create", ...argv);
  expect(text).toContain(message);
  expect(status).toBe(wanted);
  expect(await platform.db.$count(listings)).toBe(0);
});

test("a key without the scope is refused, and the message names the scope", async () => {
  const { run } = await givenUser("acme", ["publish", "manifest:read"]);
  const { status, text } = await run("create", NAME, ...TEXT);
  expect(text).toContain("does not have the scope listings:create");
  expect(status).toBe(3);
});

test("a retired listing can't be created again", async () => {
  const { run } = await givenUser();
  await run("create", NAME, ...TEXT);
  await platform.db.update(listings).set({ state: "RETIRED" });
  const { status, text } = await run("create", NAME, ...TEXT);
  expect(text).toContain(`${NAME} is retired`);
  expect(status).toBe(1);
});

test("what needs a listing names the command that creates it", async () => {
  const { run } = await givenUser();
  const manifest = path.join(folder, "app.json");
  await writeFile(manifest, JSON.stringify({ name: NAME, version: "0.1.0" }));
  for (const argv of [
    ["publish", "any.tar", "--manifest", manifest],
    ["status", "--app", NAME],
  ]) {
    const { status, text } = await run(...argv);
    expect(text).toContain(`platform-app create ${NAME}`);
    expect(status).toBe(1);
  }
});
