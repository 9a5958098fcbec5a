/** The three ways to a version agree: `publish`, the editor's release, and `manifest pull` and `push`. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createGateway } from "@/gateway/serve";
import { publishCommands } from "@/lib/contract/catalog/publish-commands";
import { type Publisher, toPublisher } from "@/lib/domain/platform/actor";
import { createApiKey } from "@/lib/server/accounts/credentials/manage-api-keys";
import { createListing } from "@/lib/server/catalog/own-listings";
import { readDraft, saveDraft } from "@/lib/server/catalog/publish/manifest-draft";
import { releaseManifest } from "@/lib/server/catalog/publish/release-manifest";
import { createTar, dockerArchive } from "@/lib/server/images/archive/test-archives";
import { givenMember, testPlatform } from "@/tests/test-platform";
import { runProgram } from "../program";
import { readCliEnvironment } from "../terminal/environment";
import { type RecordedTerminal, recordTerminal } from "../terminal/test-terminal";

const platform = await testPlatform();
const NAME = "acme/x-app";
const FIRST = JSON.stringify(
  {
    name: NAME,
    version: "1.0.0",
    app: { fields: [{ name: "region", title: "Region", type: "Text" }] },
  },
  null,
  2,
);

let server: Server;
let environment: Record<string, string>;
let publisher: Publisher;
let listingId: string;
let terminal: RecordedTerminal;
let folders: string[];

beforeEach(async () => {
  folders = [];
  const member = await givenMember(platform, "acme", "publisher");
  publisher = toPublisher(member);
  ({ listingId } = await createListing(platform, member, {
    appName: "x-app",
    title: "X",
    about: { product: "P", company: "", offering: "" },
    requirements: { technicalDetails: "", launchInstructions: "", complianceDetails: "" },
  }));
  const { clientId, apiKey } = await createApiKey(platform, member, "CI");
  server = createGateway(platform);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  environment = {
    PLATFORM_URL: `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`,
    PLATFORM_CLIENT_ID: clientId,
    PLATFORM_API_KEY: apiKey,
  };
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

/** An app's folder on a machine of its own. */
async function givenFolder(manifest?: string) {
  const folder = await mkdtemp(path.join(tmpdir(), "three-ways-"));
  folders.push(folder);
  const file = path.join(folder, "platform-app.json");
  if (manifest !== undefined) await writeFile(file, manifest);
  const run = async (...argv: string[]) => {
    terminal = recordTerminal();
    const { clientId, apiKey, ...rest } = readCliEnvironment({ ...environment, XDG_CONFIG_HOME: folder });
    return runProgram([...argv, "--manifest", file], { clientId, apiKey, ...rest }, terminal);
  };
  const read = () => readFile(file, "utf8");
  const build = async (content: string) => {
    const layer = await createTar([{ name: "platform-app.json", content }]);
    await writeFile(path.join(folder, "app.tar"), await dockerArchive({ layers: [layer] }));
  };
  return {
    run,
    read,
    build,
    edit: async (from: string, to: string) => writeFile(file, (await read()).replace(from, to)),
    /** Builds the image from the file, and publishes it. */
    publish: async () => {
      await build(await read());
      return run("publish", path.join(folder, "app.tar"));
    },
    /** A command as pages show it; the image is an archive here. */
    paste: async (command: string) => {
      const [tool, ...argv] = command.split(" ");
      if (tool === "docker") return build(await read()).then(() => 0);
      return run(...argv.map((word) => (word === `${NAME}:latest` ? path.join(folder, "app.tar") : word)));
    },
  };
}

const said = () => terminal.lines.join("\n");
const draft = () => readDraft(platform, publisher, listingId);

/** Changes a text in the editor. */
async function typeInEditor(from: string, to: string): Promise<void> {
  const { text, revision, baseVersionId } = await draft();
  await saveDraft(platform, publisher, listingId, { text: text.replace(from, to), revision, baseVersionId });
}

const release = async () =>
  (await releaseManifest(platform, publisher, listingId, { revision: (await draft()).revision, notes: "" }))
    .number;

test("publish, release, publish: each uses the next number, and the folder needs no pull", async () => {
  const folder = await givenFolder(FIRST);
  expect(await folder.publish(), said()).toBe(0);
  expect(await folder.read()).toBe(FIRST.replace("1.0.0", "1.1.0"));
  await typeInEditor("Region", "Market");
  expect(await release()).toBe("1.2.0");
  await folder.edit('"title": "Region"', '"title": "Area"');
  expect(await folder.publish(), said()).toBe(0);
  expect(said()).toContain("1.3.0");
  expect(JSON.parse(await folder.read()).version).toBe("1.3.0");
  await typeInEditor("Market", "Territory");
  // The draft has no edits of its own after a publication, so it became what was published.
  expect((await draft()).text).toContain("Area");
});

test("pull and push succeed after a publication", async () => {
  const folder = await givenFolder(FIRST);
  await folder.run("manifest", "push");
  expect(await folder.publish(), said()).toBe(0);
  expect((await draft()).text).toBe(await folder.read());
  expect(await folder.run("manifest", "pull"), said()).toBe(0);
  await folder.edit("Region", "Area");
  expect(await folder.run("manifest", "push"), said()).toBe(0);
  await typeInEditor("Area", "Market");
  expect(await folder.run("manifest", "pull"), said()).toBe(0);
  expect(await folder.read()).toContain("Market");
  // Edits other than the number still conflict.
  await folder.edit("Market", "Mine");
  await typeInEditor("Market", "Theirs");
  expect(await folder.run("manifest", "pull")).toBe(1);
  expect(await folder.run("manifest", "push")).toBe(1);
});

test("the commands that pages show work in the app's folder, in a clone of it, and in a fresh one", async () => {
  const { pull, build, publish } = publishCommands(NAME);
  const folder = await givenFolder(FIRST);
  expect(await folder.publish()).toBe(0);
  const published = await folder.read();
  for (const [where, title] of [
    [folder, "One"],
    [await givenFolder(published), "Two"],
    [await givenFolder(), "Three"],
  ] as const) {
    await typeInEditor(/"title": "\w+"/.exec((await draft()).text)?.[0] ?? "", `"title": "${title}"`);
    for (const command of [pull, build, publish]) expect(await where.paste(command), said()).toBe(0);
    expect(await where.read()).toContain(`"title": "${title}"`);
    expect((await draft()).text).toBe(await where.read());
  }
  expect(JSON.parse((await draft()).text).version).toBe("1.4.0");
});
