/** The page `/docs/json` says what the built command line prints with `--json`: each command runs, and each line is compared. */
import { execFile, spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import Ajv from "ajv/dist/2020";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listings } from "@/drizzle/schema/catalog";
import { FAILED_LINE, JSON_SHAPES } from "@/cli/json-shapes";
import { createGateway } from "@/gateway/serve";
import { createApiKey } from "@/lib/server/accounts/credentials/manage-api-keys";
import { createTar, dockerArchive } from "@/lib/server/images/archive/test-archives";
import { givenCallWorld } from "../given-calls";
import { givenLogWorld } from "../given-logs";
import { givenMember, testPlatform } from "../test-platform";
import { listAll, newProgram } from "./check-commands";
import { describeJson, JSON_FILE, toSchema } from "./describe-json";

const ROOT = path.join(import.meta.dirname, "../..");
const PROGRAM = path.join(ROOT, "cli/dist/platform-app.js");
const NAME = "acme/vin-lookup";

const platform = await testPlatform();
let root: string;
/** The app's. */
let folder: string;
let server: Server;
let url: string;
let environment: Record<string, string | undefined>;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "json-"));
  folder = path.join(root, "app");
  await mkdir(folder);
  server = createGateway(platform);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  url = `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`;
  environment = {
    PATH: process.env.PATH,
    HOME: root,
    XDG_CONFIG_HOME: path.join(root, "config"),
    XDG_STATE_HOME: path.join(root, "state"),
  };
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(root, { recursive: true, force: true });
});

const ajv = new Ajv({ strict: false, validateFormats: false });
/** Of each command, what was printed: members that no run printed are not known to be right. */
const ran = new Set<string>();
const failed = ajv.compile(toSchema(FAILED_LINE));
const checks = new Map(
  Object.entries(JSON_SHAPES).map(([name, { shapes }]) => [
    name,
    new Map(Object.entries(shapes).map(([kind, shape]) => [kind, ajv.compile(toSchema(shape))])),
  ]),
);

interface Line {
  event?: unknown;
  error?: unknown;
}

/** Every line must be one JSON document of the command's shape, or an error. */
function checkLines(command: string, stdout: string): Line[] {
  const text = stdout.endsWith("\n") || stdout === "" ? stdout.slice(0, -1) : stdout;
  const lines: Line[] = text === "" ? [] : text.split("\n").map((line) => JSON.parse(line));
  const shapes = checks.get(command);
  for (const line of lines) {
    const kind = shapes?.has("") === true ? "" : String(line.event);
    const check = line.error === undefined ? shapes?.get(kind) : failed;
    expect(check, `${command}: ${JSON.stringify(line)}`).toBeDefined();
    check?.(line);
    expect(check?.errors ?? [], `${command}: ${JSON.stringify(line)}`).toEqual([]);
    ran.add(line.error === undefined ? `${command} ${kind}`.trim() : "an error");
  }
  return lines;
}

/** Runs the built command with `--json`. */
async function run(command: string, args: readonly string[] = [], status = 0): Promise<Line[]> {
  const argv = [PROGRAM, ...command.split(" "), "--json", ...args];
  const options = { cwd: folder, env: { ...environment, NODE_ENV: "test" as const } };
  const ended = await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, argv, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
  expect(ended.code, `${command}: ${ended.stdout}${ended.stderr}`).toBe(status);
  return checkLines(command, ended.stdout);
}

async function logIn(member: Awaited<ReturnType<typeof givenMember>>): Promise<void> {
  const { clientId, apiKey } = await createApiKey(platform, member, "CI");
  await run("login", ["--url", url, "--client-id", clientId, "--api-key", apiKey]);
}

test("logins print what the page says, a line for each profile", { timeout: 120_000 }, async () => {
  expect(await run("profiles list")).toEqual([]);
  expect(await run("logout")).toMatchObject([{ url: null, removed: [] }]);
  await logIn(await givenMember(platform, "acme"));
  await logIn(await givenMember(platform, "harbor"));
  await run("whoami");
  expect(await run("profiles list")).toMatchObject([
    { name: "default", inUse: false },
    { name: "harbor", inUse: true },
  ]);
  await run("profiles use", ["default"]);
  await run("profiles remove", ["harbor"]);
  expect(await run("logout")).toMatchObject([{ url, removed: ["default"] }]);
  expect(await run("logout", ["--all"])).toMatchObject([{ url: null, removed: [] }]);
});

test("an app's way to its review prints what the page says", { timeout: 240_000 }, async () => {
  await logIn(await givenMember(platform, "acme", "publisher"));
  await run("init", [".", "--template", "node", "--name", NAME]);
  await run("create", ["--title", "VIN lookup", "--description", "Looks up a vehicle by its VIN."]);
  await run("validate");
  await run("manifest check");
  await run("version", ["1.0.0"]);
  await run("manifest push");
  await run("manifest pull");
  const manifest = await readFile(path.join(folder, "platform-app.json"));
  const archive = await dockerArchive({
    layers: [await createTar([{ name: "platform-app.json", content: manifest }])],
  });
  await writeFile(path.join(folder, "app.tar"), archive);
  await run("publish", ["app.tar"]);
  expect(await run("versions")).toHaveLength(1);
  await run("open");
  await run("submit");
  await run("status");
  await run("withdraw");
  // Again, as after a lost answer.
  await run("withdraw");
  // A missing item decides the exit status, and the result says what is missing.
  await platform.db
    .update(listings)
    .set({ about: { product: "", company: "", offering: "" } })
    .where(eq(listings.appName, "vin-lookup"));
  expect(await run("status", [], 1)).toHaveLength(1);
  await writeFile(path.join(folder, "broken.json"), "{ ");
  expect(await run("validate", ["platform-app.json", "broken.json", "absent.json"], 4)).toHaveLength(3);
  await run("completion", ["bash"]);
});

test("calls, their replays and logs print what the page says", { timeout: 240_000 }, async () => {
  const calls = await givenCallWorld(platform, "acme");
  const dead = await calls.delivery("DEAD", { given: calls.launch });
  const id = await calls.call("autofill");
  await calls.call("autofill", { durationMs: null, status: null });
  await logIn(calls.customer);
  expect(await run("calls list", ["--app", NAME])).toHaveLength(3);
  await run("calls show", [id, "--app", NAME]);
  await run("calls show", [dead.attemptId, "--app", NAME]);
  await run("replay", [dead.id, "--app", NAME]);
  await run("calls show", ["nothing", "--app", NAME], 1);
  expect(await run("logs", ["--app", NAME])).toEqual([]);

  const logs = await givenLogWorld(platform, "harbor");
  await logs.store([{ text: "a line" }, { text: "a warning", level: "warn", stream: "stderr" }]);
  await logs.note("ready");
  await logs.note("failed", new Date(), { reason: "exited with code 1" });
  await logIn(logs.publisher);
  expect(await run("logs", ["--app", "harbor/vin-lookup"])).toHaveLength(4);
});

test("dev and call print what the page says", { timeout: 240_000 }, async () => {
  await cp(path.join(ROOT, "examples/vin-autofill"), folder, { recursive: true });
  await writeFile(path.join(folder, "main.mjs"), 'console.log("Starting");\nawait import("./server.mjs");\n');
  await run("call", ["/autofill"], 1);
  const app = ["--port", "0", "--no-container", "--", process.execPath, "main.mjs"];
  const child = spawn(process.execPath, [PROGRAM, "dev", "--json", ...app], {
    cwd: folder,
    env: { ...environment, NODE_ENV: "test" },
  });
  let stdout = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.resume();
  const ended = new Promise((resolve) => child.once("exit", resolve));
  try {
    await expect.poll(() => stdout, { timeout: 60_000 }).toContain('"state":"ready"');
    await run("call", ["/autofill"]);
    const file = path.join(folder, "platform-app.json");
    await writeFile(file, `${await readFile(file, "utf8")}\n`);
    await expect.poll(() => stdout, { timeout: 60_000 }).toContain('"event":"manifest"');
  } finally {
    child.kill("SIGINT");
    await ended;
  }
  checkLines("dev", stdout);
  await run("dev", ["--once", ...app]);
  await run("dev", ["--port", "nonsense"], 2);
});

/** What needs an engine, and is shown by another test. */
const ELSEWHERE = ["build"];

// Guarantee: no shape of the page is unproven.
test("the runs above have printed everything that is on the page", () => {
  const kinds = Object.entries(JSON_SHAPES).flatMap(([name, { shapes }]) =>
    Object.keys(shapes).map((kind) => `${name} ${kind}`.trim()),
  );
  expect(kinds.filter((kind) => !ran.has(kind) && !ELSEWHERE.includes(kind))).toEqual([]);
  expect(ran).toContain("an error");
});

test("every command is on the page, which is what the shapes say", async () => {
  const commands = listAll(newProgram())
    .filter(({ commands }) => commands.length === 0)
    .map((command) => {
      const parent = command.parent?.parent ? `${command.parent.name()} ` : "";
      return parent + command.name();
    });
  expect(Object.keys(JSON_SHAPES).sort()).toEqual(commands.sort());
  expect(await readFile(JSON_FILE, "utf8")).toBe(describeJson());
});
