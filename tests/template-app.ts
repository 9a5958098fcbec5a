/** For tests: an app that `platform-app init` creates, and the state API that it reads. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm, stat } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { createServer as createSocket } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { TemplateName } from "@/cli/commands/templates";
import type { StateRecord } from "@/lib/contract/catalog/configuration";
import { isDue } from "./turns.mjs";

const run = promisify(execFile);

/** Kept between runs: a fresh cache costs half a minute, because Go has to compile its own library. */
const GO_CACHE = path.join(import.meta.dirname, "../node_modules/.cache/go-build");

/** Optimizing Go's library would take longer than the tests. */
export const BUILD_ENVIRONMENT = {
  ...process.env,
  CGO_ENABLED: "0",
  GOCACHE: GO_CACHE,
  GOFLAGS: "-gcflags=all=-N",
  GOTOOLCHAIN: "local",
};

/** What the templates and snippets import of Go's library. */
const GO_LIBRARY = [
  "net/http",
  "net/http/httptest",
  "encoding/json",
  "crypto/hmac",
  "crypto/subtle",
  "testing",
];
const LOCK_MS = 5 * 60_000;

/** In a fresh clone, Go compiles its library for half a minute. */
export function isLanguageDue(language: TemplateName): boolean {
  return language !== "go" || isDue("programs in Go");
}

/** Compiles Go's library once, for all test files that run at the same time. */
export async function prepareGo(): Promise<void> {
  const lock = `${GO_CACHE}.lock`;
  await mkdir(path.dirname(lock), { recursive: true });
  while (!(await takeLock(lock))) await sleep(200);
  try {
    await run("go", ["build", ...GO_LIBRARY], { env: BUILD_ENVIRONMENT });
  } finally {
    await rm(lock, { recursive: true });
  }
}

/** A lock that is older than any build belongs to tests that were killed. */
async function takeLock(lock: string): Promise<boolean> {
  const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Infinity }));
  if (Date.now() - mtimeMs > LOCK_MS) await rm(lock, { recursive: true, force: true });
  return mkdir(lock).then(
    () => true,
    () => false,
  );
}

/** How each template is started. `make test` has built the Java classes by then. */
const RUNTIMES: Record<TemplateName, { probe: string[]; build?: string[]; start: string[] }> = {
  node: { probe: ["node", "--version"], start: ["node", "server.mjs"] },
  python: { probe: ["python3", "--version"], start: ["python3", "server.py"] },
  java: { probe: ["javac", "-version"], start: ["java", "-XX:TieredStopAtLevel=1", "-cp", "build", "App"] },
  go: { probe: ["go", "version"], build: ["go", "build", "-o", "app", "."], start: ["./app"] },
};

/** Why an app in this language can't run on this machine; undefined if it can. */
export async function findMissing(template: TemplateName): Promise<string | undefined> {
  for (const [command = "", ...args] of [RUNTIMES[template].probe, ["make", "--version"]]) {
    const isThere = await run(command, args).then(
      () => true,
      () => false,
    );
    if (!isThere) return `${command} is not installed`;
  }
  return undefined;
}

export interface RunningApp {
  origin: string;
  child: ChildProcess;
  /** What it has written to its log. */
  log: string[];
}

/** Starts the app of a folder, and waits until it is healthy. */
export async function startTemplate(
  template: TemplateName,
  cwd: string,
  stateApi: string,
): Promise<RunningApp> {
  const { build, start } = RUNTIMES[template];
  if (build !== undefined) await run(build[0] ?? "", build.slice(1), { cwd, env: BUILD_ENVIRONMENT });
  const port = await freePort();
  const child = spawn(start[0] ?? "", start.slice(1), {
    cwd,
    env: { ...process.env, PLATFORM_PORT: String(port), PLATFORM_STATE_API: stateApi },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const log: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text) => log.push(String(text)));
  const origin = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 300 && child.exitCode === null; tries += 1) {
    const response = await fetch(`${origin}/health`).catch(() => undefined);
    if (response?.status === 200) return { origin, child, log };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  child.kill("SIGKILL");
  throw new Error(`The ${template} app did not become healthy: ${log.join("")}`);
}

export interface Customer {
  state: StateRecord;
  secrets: string[];
}

/** Answers `GET /state/<key>` and `GET /state/<key>/webhook-secrets`, and 404 for keys that it doesn't know. */
export async function startStateApi(
  customers: Record<string, Customer>,
): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => {
    const [, root, key = "", part] = (request.url ?? "").split("/").map(decodeURIComponent);
    const customer = root === "state" && Object.hasOwn(customers, key) ? customers[key] : undefined;
    const answer = part === "webhook-secrets" ? customer && { secrets: customer.secrets } : customer?.state;
    response
      .writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" })
      .end(JSON.stringify(answer ?? {}));
  });
  return { server, origin: `http://127.0.0.1:${await listen(server)}` };
}

async function listen(server: Server | ReturnType<typeof createSocket>): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  return address !== null && typeof address === "object" ? address.port : 0;
}

async function freePort(): Promise<number> {
  const socket = createSocket();
  const port = await listen(socket);
  socket.close();
  await once(socket, "close");
  return port;
}
