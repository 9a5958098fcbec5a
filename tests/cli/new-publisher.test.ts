/**
 * A new publisher in an empty folder, who knows one word: `platform-app`. Every further command must have been printed by the
 * tool before it is run.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import Docker from "dockerode";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listings, reviews } from "@/drizzle/schema/catalog";
import { createGateway } from "@/gateway/serve";
import { SUGGESTED_SCOPES } from "@/lib/contract/accounts/api-key-scope";
import { createApiKey } from "@/lib/server/accounts/credentials/manage-api-keys";
import { ensureBaseImage } from "@/lib/server/runtime/engines/docker-example-image";
import { givenMember, testPlatform } from "../test-platform";
import { type Finished, type Person, start } from "./person";

const platform = await testPlatform();
const base = await findBase();
const hasScript = await promisify(execFile)("script", ["--version"]).then(
  ({ stdout }) => stdout.includes("util-linux"),
  () => false,
);

/** Undefined without an engine, or where no base image can be made for it. */
async function findBase(): Promise<string | undefined> {
  const docker = new Docker();
  const answers = await docker.ping().then(
    () => true,
    () => false,
  );
  return answers ? ensureBaseImage(docker) : undefined;
}

let root: string;
let url: string;
let key: { clientId: string; apiKey: string };
let close: () => Promise<void>;

beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), "new-publisher-")));
  const member = await givenMember(platform, "acme", "publisher");
  // As the form creates it if nothing else is chosen.
  key = await createApiKey(platform, member, "laptop", { scopes: [...SUGGESTED_SCOPES] });
  const server = createGateway(platform);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  url = `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`;
  close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  await mkdir(path.join(root, "bin"));
  await mkdir(path.join(root, "home"));
  await symlink(
    path.join(import.meta.dirname, "../../cli/dist/platform-app.js"),
    path.join(root, "bin/platform-app"),
  );
});

afterEach(async () => {
  await close();
  await promisify(execFile)("docker", ["image", "rm", "--force", "acme/vin-lookup:latest"]).catch(
    () => undefined,
  );
  await rm(root, { recursive: true, force: true });
});

/** Runs only what the tool has printed, and keeps count. */
function meet(hasTerminal: boolean, environment: Record<string, string> = {}) {
  const person: Person = {
    folder: root,
    hasTerminal,
    environment: {
      PATH: `${path.join(root, "bin")}${path.delimiter}${process.env.PATH ?? ""}`,
      HOME: path.join(root, "home"),
      // Nothing opens a browser on the machine that runs the tests.
      BROWSER: "true",
      ...environment,
    },
  };
  const startedAt = performance.now();
  let seen = "platform-app";
  let commands = 0;
  const begin = (command: string, own = "") => {
    expect(seen, `The tool has not printed "${command}" yet`).toContain(command);
    commands += 1;
    return start(person, command + own);
  };
  const note = (text: string) => void (seen += text);
  return {
    person,
    begin,
    note,
    /** `own`: arguments that only this person can know, such as the platform's URL. */
    run: async (command: string, own = ""): Promise<Finished> => {
      const finished = await begin(command, own).finished;
      note(finished.text);
      return finished;
    },
    report: (name: string) => {
      console.log(`figure new_publisher_commands_${name} ${commands} commands`);
      console.log(
        `figure new_publisher_seconds_${name} ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`,
      );
    },
  };
}

type Publisher = ReturnType<typeof meet>;

/** From the created folder to the app's answer to a call. */
async function develop({ person, begin, note, run }: Publisher): Promise<void> {
  person.folder = path.join(root, "vin-lookup");
  const dev = begin("platform-app dev");
  note(await dev.waitFor(/The app is ready/));
  const called = await run(/platform-app call \/\w+/.exec(dev.read())?.[0] ?? "no call was printed");
  expect(called.text).toContain("200  POST");
  expect(called.status).toBe(0);
  await dev.waitFor(/GET \/state\/psk_/);
  dev.interrupt();
  await dev.finished;
}

/** This network has no public registry, so the publisher names another base image. */
async function chooseBase(): Promise<void> {
  const file = path.join(root, "vin-lookup", "Dockerfile");
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace(/^ARG BASE=.*$/m, `ARG BASE=${base ?? ""}`));
}

async function publish({ run, person }: Publisher): Promise<void> {
  expect(await platform.db.select().from(listings)).toMatchObject([{ appName: "vin-lookup" }]);
  expect(await run("platform-app validate")).toMatchObject({ status: 0 });
  await chooseBase();
  const published = await run("platform-app publish --build .");
  expect(published.text).toContain("Published  acme/vin-lookup 0.1.0");
  expect(published.text).toContain("Submit it for review:  platform-app submit");
  expect(published.status, published.text).toBe(0);
  const submitted = await run("platform-app submit");
  expect(submitted.status, submitted.text).toBe(0);
  expect(await platform.db.$count(reviews)).toBe(1);
  // The start guide goes on with these.
  for (const command of ["status", "logs"]) {
    const shown = await start(person, `platform-app ${command}`).finished;
    expect(shown.status, shown.text).toBe(0);
  }
}

// Guarantee: the tool's own output leads from an empty folder to a review, at a terminal.
test.skipIf(base === undefined || !hasScript)("at a terminal", { timeout: 180_000 }, async () => {
  const publisher = meet(true);
  const { begin, note, run } = publisher;
  await run("platform-app");
  const init = begin("platform-app init");
  const answers: [RegExp, string][] = [
    [/Slug of your organization/, "acme\r"],
    [/Name of the app/, "vin-lookup\r"],
    [/Language/, "\r"],
    [/Folder/, "\r"],
  ];
  for (const [question, answer] of answers) {
    await init.waitFor(question);
    init.type(answer);
  }
  const { text, status } = await init.finished;
  expect(status, text).toBe(0);
  note(text);
  await develop(publisher);
  const login = begin("platform-app login", ` --url ${url}`);
  await login.waitFor(/Client ID/);
  login.type(`${key.clientId}\r`);
  await login.waitFor(/API key\n/);
  login.type(`${key.apiKey}\r`);
  const loggedIn = await login.finished;
  expect(loggedIn.text).not.toContain(key.apiKey);
  expect(loggedIn.status, loggedIn.text).toBe(0);
  note(loggedIn.text);
  const create = begin("platform-app create");
  await create.waitFor(/Title/);
  create.type("VIN lookup\r");
  await create.waitFor(/What the app does/);
  create.type("Fills in vehicles.\r");
  const created = await create.finished;
  expect(created.status, created.text).toBe(0);
  note(created.text);
  await publish(publisher);
  publisher.report("terminal");
});

// Guarantee: the same without a terminal, where nothing can be asked.
test.skipIf(base === undefined)("without a terminal", { timeout: 180_000 }, async () => {
  const publisher = meet(false);
  const { run, person } = publisher;
  await run("platform-app");
  expect(await run("platform-app init")).toMatchObject({ status: 2 });
  const created = await run("platform-app init --template node --name acme/vin-lookup");
  expect(created.status, created.text).toBe(0);
  await develop(publisher);
  const refused = await run("platform-app login");
  expect(refused.status).toBe(2);
  expect(refused.text).toContain("PLATFORM_CLIENT_ID and PLATFORM_API_KEY");
  Object.assign(person.environment, {
    PLATFORM_URL: url,
    PLATFORM_CLIENT_ID: key.clientId,
    PLATFORM_API_KEY: key.apiKey,
  });
  expect(await run("platform-app create")).toMatchObject({ status: 2 });
  const listed = await run("platform-app create", ' --title "VIN lookup" --description "Fills in vehicles."');
  expect(listed.status, listed.text).toBe(0);
  await publish(publisher);
  publisher.report("pipe");
});
