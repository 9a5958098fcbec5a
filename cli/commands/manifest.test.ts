import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createGateway } from "@/gateway/serve";
import { newManifestText } from "@/lib/domain/catalog/manifest/entry";
import { type Publisher, toPublisher } from "@/lib/domain/platform/actor";
import { createApiKey } from "@/lib/server/accounts/credentials/manage-api-keys";
import { createListing } from "@/lib/server/catalog/own-listings";
import { readDraft, saveDraft } from "@/lib/server/catalog/publish/manifest-draft";
import { givenMember, testPlatform } from "@/tests/test-platform";
import { runProgram } from "../program";
import { readCliEnvironment } from "../terminal/environment";
import { type RecordedTerminal, recordTerminal } from "../terminal/test-terminal";

const platform = await testPlatform();
/** A layout of its own, and a mark that only a byte-exact way keeps. */
const MINE = '\uFEFF{\r\n\t"name" : "acme/x-app", "version": "1.0.0",\r\n"app": { "fields": [] } }';
const FIXED = MINE.slice(1);

let folder: string;
let server: Server;
let terminal: RecordedTerminal;
let key: Record<string, string>;
let url: string;
let publisher: Publisher;
let listingId: string;
let input = "";

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "cli-"));
  const member = await givenMember(platform, "acme", "publisher");
  publisher = toPublisher(member);
  const about = { product: "P", company: "", offering: "" };
  const requirements = { technicalDetails: "", launchInstructions: "", complianceDetails: "" };
  ({ listingId } = await createListing(platform, member, {
    appName: "x-app",
    title: "X",
    about,
    requirements,
  }));
  const { clientId, apiKey } = await createApiKey(platform, member, "CI");
  key = { PLATFORM_CLIENT_ID: clientId, PLATFORM_API_KEY: apiKey };
  server = createGateway(platform);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  url = `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

const file = () => path.join(folder, "platform-app.json");
const stateFile = () => path.join(folder, "platform-app", "manifests.json");
const content = () => readFile(file(), "utf8");
const draft = () => readDraft(platform, publisher, listingId);
const said = () => terminal.lines.join("\n");

const manifest = (command: string, ...more: string[]) => run(command, "--manifest", file(), ...more);

function run(...argv: string[]): Promise<number> {
  terminal = recordTerminal({ input });
  const environment = readCliEnvironment({ XDG_CONFIG_HOME: folder, PLATFORM_URL: url, ...key });
  return runProgram(["manifest", ...argv], environment, terminal);
}

/** Saves a draft as the editor does. */
async function typed(text: string): Promise<void> {
  const { revision, baseVersionId } = await draft();
  await saveDraft(platform, publisher, listingId, { text, revision, baseVersionId });
}

describe("push and pull", () => {
  // Guarantee: file and draft are identical, byte for byte, whatever they contain.
  test("transfer the exact bytes both ways, and store the sync state readable only by the user", async () => {
    await writeFile(file(), MINE);
    expect(await manifest("push"), said()).toBe(0);
    expect(said()).toMatch(/1:1 .*byte order mark[^]*draft was saved[^]*revision 1/);
    expect(await draft()).toMatchObject({ text: MINE, revision: 1, updatedBy: "API key CI" });
    expect((await stat(stateFile())).mode & 0o777).toBe(0o600);
    expect(await readFile(stateFile(), "utf8")).not.toContain("fields");
    expect(await manifest("pull")).toBe(0);
    expect(said()).toContain("up to date");
    await typed(`${FIXED}\n`);
    expect(await manifest("pull"), said()).toBe(0);
    expect(said()).toMatch(/revision 2, by publisher of acme, \d{4}-/);
    expect(await content()).toBe(`${FIXED}\n`);
    await writeFile(file(), FIXED);
    expect(await manifest("push"), said()).toBe(0);
    expect(await draft()).toMatchObject({ text: FIXED, revision: 3 });
  });

  // Guarantee: what follows a success can't turn it into a failure.
  test("a home folder that can't be written is a warning", async () => {
    // A file in place of the folder fails for root, too.
    await rm(path.join(folder, "platform-app"), { recursive: true, force: true });
    await writeFile(path.join(folder, "platform-app"), "");
    onTestFinished(() => rm(path.join(folder, "platform-app"), { recursive: true, force: true }));
    await writeFile(file(), FIXED);
    expect(await manifest("push"), said()).toBe(0);
    expect(said()).toMatch(/Warning: .*manifests\.json can't be written[^]*Pushed /);
    expect(await manifest("pull"), said()).toBe(0);
    expect(said()).toMatch(/Warning: .*manifests\.json can't be written[^]*up to date/);
  });

  // Guarantee: a manifest of almost 1 MiB is larger as JSON, and nginx as it is installed refuses that.
  test("a proxy that refuses the manifest as too large is told with its setting", async () => {
    const [handle] = server.listeners("request");
    server.removeAllListeners("request").on("request", (request, response) => {
      if (request.method === "PUT")
        response.writeHead(413, { "content-type": "text/html" }).end("<html>too large</html>");
      else handle?.call(server, request, response);
    });
    await writeFile(file(), FIXED);
    expect(await manifest("push")).toBe(5);
    expect(said()).toMatch(/A proxy in front of .* refuses this request as too large .*client_max_body_size/);
  });

  test("without a file, a pull writes the starter manifest of the app given by --app", async () => {
    expect(await manifest("pull")).toBe(2);
    expect(said()).toContain("--app <organization>/<app>");
    expect(await manifest("pull", "--app", "acme/x-app"), said()).toBe(0);
    expect(await content()).toBe(newManifestText("acme/x-app"));
    await writeFile(file(), FIXED);
    expect(await manifest("push"), said()).toBe(0);
  });
});

describe("nothing is lost", () => {
  test("a pull keeps a file with local changes; --force saves it as a copy", async () => {
    await writeFile(file(), FIXED);
    expect(await manifest("pull")).toBe(1);
    expect(said()).toMatch(/has local changes that[^]*\n {2}Upload yours/);
    // The hints can be pasted: they name the same file.
    expect(said()).toContain(`platform-app manifest push --manifest ${file()}\n`);
    expect(said()).toContain(`platform-app manifest pull --manifest ${file()} --force `);
    expect(await content()).toBe(FIXED);
    await manifest("push");
    await typed("theirs");
    await writeFile(file(), `${FIXED} mine`);
    expect(await manifest("pull")).toBe(1);
    expect(await content()).toBe(`${FIXED} mine`);
    expect(await manifest("pull", "--force"), said()).toBe(0);
    expect(await content()).toBe("theirs");
    expect(await readFile(`${file()}.orig`, "utf8")).toBe(`${FIXED} mine`);
  });

  test("a push does not overwrite newer changes and names their author and time; --force overwrites", async () => {
    await writeFile(file(), FIXED);
    await manifest("push");
    await typed(`${FIXED} typed`);
    await writeFile(file(), `${FIXED} mine`);
    expect(await manifest("push")).toBe(1);
    expect(said()).toMatch(/publisher of acme saved this manifest .*(?:now|ago)/);
    expect(said()).toContain(`platform-app manifest pull --manifest ${file()} --force `);
    expect(said()).toContain(`platform-app manifest push --manifest ${file()} --force`);
    expect((await draft()).text).toBe(`${FIXED} typed`);
    expect(await manifest("push", "--force"), said()).toBe(0);
    expect(await draft()).toMatchObject({ text: `${FIXED} mine`, revision: 3 });
    expect(await manifest("push")).toBe(0);
    expect((await draft()).revision).toBe(3);
  });

  // Guarantee: a state that is lost or broken makes the commands careful, never careless.
  test("without sync state, both refuse to overwrite", async () => {
    await writeFile(file(), FIXED);
    await manifest("push");
    await writeFile(stateFile(), "{ broken");
    expect(await manifest("push")).toBe(0);
    await writeFile(stateFile(), "{ broken");
    await typed("theirs");
    expect(await manifest("push")).toBe(1);
    expect(await manifest("pull")).toBe(1);
    expect([await content(), (await draft()).text]).toEqual([FIXED, "theirs"]);
  });

  test("a file of another app is neither pushed over this app's draft nor overwritten by it, even with --force", async () => {
    await typed(FIXED);
    const other = FIXED.replace("acme/x-app", "acme/other");
    await writeFile(file(), other);
    for (const command of ["push", "pull"]) {
      expect(await manifest(command, "--app", "acme/x-app", "--force")).toBe(2);
      expect(said()).toMatch(/manifest of acme\/other, but --app is acme\/x-app[^]*Omit --app/);
    }
    expect([await content(), (await draft()).text]).toEqual([other, FIXED]);
  });

  test("a draft that a file cannot store is not pulled", async () => {
    await typed('"\uD800"');
    expect(await manifest("pull", "--app", "acme/x-app")).toBe(4);
    expect(said()).toContain("surrogate");
    await expect(stat(file())).rejects.toThrow();
  });
});

describe("errors", () => {
  test("invalid UTF-8, more than 1 MiB, an invalid app name, another organization's app", async () => {
    for (const [bytes, words, status] of [
      [Buffer.from([0x7b, 0xff, 0x7d]), "not valid UTF-8", 4],
      [Buffer.alloc(1024 * 1024 + 1, 0x20), "larger than 1 MiB", 4],
      ["{ }", "--app", 2],
      ["[".repeat(1_000_000), "--app", 2],
      ['{ "name": "../../x" }', "--app", 2],
      ['{ "name": "evil/x-app" }', "evil/x-app", 4],
      ['{ "name": "acme/absent" }', "Publish page", 1],
    ] as const) {
      await writeFile(file(), bytes);
      expect(await manifest("push"), words).toBe(status);
      expect(said()).toContain(words);
    }
    expect((await draft()).revision).toBe(0);
    expect(await manifest("push", "--manifest", path.join(folder, "absent.json"))).toBe(2);
  });

  test("1 MiB of characters that JSON escapes still fits", async () => {
    const text = `{ "name": "acme/x-app", ${"\u0001".repeat(1024 * 1024 - 30)}`;
    await writeFile(file(), text);
    expect(await manifest("push"), said().slice(0, 200)).toBe(0);
    expect((await draft()).text).toBe(text);
  });
});

describe("a changed version number doesn't count as an edit", () => {
  const raised = (text: string) => text.replace('"1.0.0"', '"1.1.0"');

  test("a pull replaces a file that differs from the draft, the last sync, or the newest version only in its number", async () => {
    await typed(`${FIXED}\n`);
    await writeFile(file(), raised(`${FIXED}\n`));
    expect(await manifest("pull"), said()).toBe(0);
    expect(await content()).toBe(`${FIXED}\n`);
    await typed(`${FIXED} typed`);
    await writeFile(file(), raised(`${FIXED}\n`));
    expect(await manifest("pull"), said()).toBe(0);
    expect(await content()).toBe(`${FIXED} typed`);
    await writeFile(file(), raised(`${FIXED} mine`));
    expect(await manifest("pull")).toBe(1);
  });

  test("a push overwrites a draft in which only the number was raised since the last sync", async () => {
    await writeFile(file(), FIXED);
    await manifest("push");
    await typed(raised(FIXED));
    await writeFile(file(), `${FIXED} mine`);
    expect(await manifest("push"), said()).toBe(0);
    expect(await draft()).toMatchObject({ text: `${FIXED} mine`, revision: 3 });
    await typed(raised(`${FIXED} theirs`));
    expect(await manifest("push")).toBe(1);
  });
});

// Guarantee: a check needs no platform, and its exit status tells scripts the result.
test("check lists every issue with its position and hint, and fails only on errors", async () => {
  url = "http://127.0.0.1:1";
  await writeFile(file(), FIXED.replace('"1.0.0"', '"1.0"'));
  expect(await run("check", file())).toBe(4);
  expect(said()).toMatch(
    /platform-app\.json:2:36 error BAD_VERSION .*\n.*"1\.0".*\n.* ~{5}\n.*Use three numbers[^]*1 error/,
  );
  await writeFile(file(), FIXED.replace('"app"', '"x-own": 1, "app"'));
  expect(await run("check", file())).toBe(0);
  expect(said()).toMatch(
    /warning UNKNOWN_KEY [^]*valid manifest for acme\/x-app, version 1\.0\.0, with 1 warning/,
  );
  await writeFile(file(), FIXED.replace('"app"', '"core": {}, "app"'));
  expect(await run("check", file())).toBe(0);
  expect(said()).toMatch(/warning UNDECLARED_HOSTS .* any host on the internet/);
  const rights =
    '"core": { "permissions": [{ "name": "policys:read", "purpose": "P" }], "hosts": [{ "host": "10.0.0.1", "purpose": "P" }] }';
  await writeFile(file(), FIXED.replace('"app"', `${rights}, "app"`));
  expect(await run("check", file())).toBe(4);
  expect(said()).toMatch(/warning UNKNOWN_PERMISSION [^]*Did you mean "policies:read"\?[^]*error BAD_HOST /);
  await writeFile(file(), '{ "name": "acme/x-app", "version": "1.0.0" }');
  expect(await run("check", file())).toBe(0);
  expect(said()).toMatch(/hint NO_SETTINGS .*The app has no settings[^]*version 1\.0\.0\.$/);
});

test("check of several files goes on after one that can't be read", async () => {
  await writeFile(file(), FIXED);
  const absent = path.join(folder, "absent.json");
  expect(await run("check", absent, file())).toBe(4);
  expect(said()).toContain(absent);
  expect(said()).toContain("is a valid manifest for acme/x-app");
  expect(said()).toContain("1 error in all files");
});

test("check takes a file, or standard input", async () => {
  await writeFile(file(), FIXED);
  expect(await run("check", file()), said()).toBe(0);
  expect(await run("check", path.join(folder, "absent.json"))).toBe(2);
  input = FIXED.replace('"1.0.0"', '"1.0"');
  expect(await run("check", "-")).toBe(4);
  expect(said()).toContain("<stdin>:2:36");
  input = FIXED;
  expect(await run("check", "-"), said()).toBe(0);
});
