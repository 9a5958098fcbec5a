import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Problem } from "@/lib/contract/problem";
import { readCliEnvironment } from "../terminal/environment";
import { runProgram } from "../program";
import { recordTerminal, type RecordedTerminal } from "../terminal/test-terminal";

const KEY = ["--client-id", "pci_test", "--api-key", "pak_secret"];

let folder: string;
let terminal: RecordedTerminal;
let servers: Server[];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "cli-"));
  servers = [];
});

afterEach(async () => {
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  await rm(folder, { recursive: true, force: true });
});

/** A platform that records the credentials it receives. */
async function startPlatform(name: string) {
  const received: string[] = [];
  const server = createServer((request, response) => {
    const key = Buffer.from(request.headers.authorization?.slice("Basic ".length) ?? "", "base64").toString();
    received.push(key);
    const isRight = key === "pci_test:pak_secret";
    const answer = isRight
      ? { organization: { slug: name, name: name.toUpperCase() }, webUrl: "https://platform.example/" }
      : new Problem("WRONG_CREDENTIALS", "The key is wrong.").body();
    response
      .writeHead(isRight ? 200 : 401, { "content-type": "application/json" })
      .end(JSON.stringify(answer));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`,
    received,
  };
}

const credentialsFile = () => path.join(folder, "platform-app", "credentials.json");

function run(argv: string[], url?: string): Promise<number> {
  terminal = recordTerminal();
  return runProgram(argv, readCliEnvironment({ XDG_CONFIG_HOME: folder, PLATFORM_URL: url }), terminal);
}

test("login saves the key readable only by the user, once the platform accepts it; logout removes it", async () => {
  const { url } = await startPlatform("acme");
  expect(await run(["login", "--client-id", "pci_test", "--api-key", "wrong"], url)).toBe(3);
  await expect(stat(credentialsFile())).rejects.toThrow();
  expect(await run(["login", ...KEY], url)).toBe(0);
  expect((await stat(credentialsFile())).mode & 0o777).toBe(0o600);
  expect(terminal.lines.join("\n")).not.toContain("pak_secret");
  expect(await run(["whoami"])).toBe(0);
  expect(terminal.results.join("\n")).toContain("ACME (acme)");
  expect(await run(["logout"])).toBe(0);
  await expect(stat(credentialsFile())).rejects.toThrow();
  expect(await run(["whoami"], url)).toBe(3);
});

// Guarantee: no address in the environment gets a key that another platform accepted.
test("a saved key is sent only to its own platform, and each platform has its own", async () => {
  const [mine, other] = [await startPlatform("mine"), await startPlatform("other")];
  expect(await run(["login", ...KEY], mine.url)).toBe(0);
  expect(await run(["whoami"], other.url)).toBe(3);
  expect(terminal.notes.join("\n")).toContain(`platform-app login --url ${other.url}`);
  expect(terminal.notes.join("\n")).toContain(mine.url);
  expect(other.received).toEqual([]);

  expect(await run(["login", ...KEY, "--url", other.url])).toBe(0);
  expect(await run(["whoami"])).toBe(0);
  expect(terminal.results.join("\n")).toContain(other.url);
  expect(await run(["whoami"], mine.url)).toBe(0);
  expect(await run(["logout"], other.url)).toBe(0);
  expect(await run(["whoami"], other.url)).toBe(3);
  expect(await run(["whoami"], mine.url)).toBe(0);
});

test("a key that an earlier version saved belongs to the platform saved with it", async () => {
  const [mine, other] = [await startPlatform("mine"), await startPlatform("other")];
  expect(await run(["login", ...KEY], mine.url)).toBe(0);
  const saved = { url: mine.url, clientId: "pci_test", apiKey: "pak_secret" };
  await writeFile(credentialsFile(), JSON.stringify(saved));
  expect(await run(["whoami"])).toBe(0);
  expect(await run(["whoami"], other.url)).toBe(3);
  expect(other.received).toEqual([]);
  expect(await run(["login", ...KEY], other.url)).toBe(0);
  expect(Object.keys(JSON.parse(await readFile(credentialsFile(), "utf8")).platforms)).toEqual([
    mine.url,
    other.url,
  ]);
});
