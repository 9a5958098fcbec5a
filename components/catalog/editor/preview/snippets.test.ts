import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import type { StateRecord } from "@/lib/contract/catalog/configuration";
import { createSnippets, type Snippet, snippetFacts, type SnippetFacts } from "./snippets";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "snippets-"));
afterAll(() => rmSync(folder, { recursive: true }));

const plain: SnippetFacts = { path: "/autofill", setting: "region", mappingField: "vin", hooks: true };
const bare: SnippetFacts = { path: "/rate", setting: undefined, mappingField: undefined, hooks: false };
/** A valid manifest has no such names, but the snippets must not depend on that. */
const NASTY = `"'\`\\ \${x} {y} </script> \u2028\u202e\u0000\r\n\\u0022 """ \u{1F600} \ud800 */ #{z} %s`;
const hostile: SnippetFacts = { path: `/${NASTY}`, setting: NASTY, mappingField: NASTY, hooks: true };
const CASES = { plain, bare, hostile };

/** Why a test is skipped on this machine; undefined if it runs. */
const pythonIsMissing = missing("python3", "--version");
const javacIsMissing = missing("javac", "-version");

function missing(command: string, flag: string): string | undefined {
  try {
    execFileSync(command, [flag], { stdio: "ignore" });
    return undefined;
  } catch {
    return `${command} is not installed`;
  }
}

function createSnippet(id: Snippet["id"], facts: SnippetFacts): string {
  return createSnippets(facts).find((snippet) => snippet.id === id)?.code ?? "";
}

function writeFile(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

test("names and paths are single-line ASCII literals in every language", () => {
  for (const { code } of createSnippets(hostile)) {
    expect(code).toMatch(/^[\x20-\x7e\n]*$/);
    expect(code).toContain(String.raw`\"'`);
  }
  const lines = (facts: SnippetFacts) => createSnippets(facts).map(({ code }) => code.split("\n").length);
  expect(lines(hostile)).toEqual(lines(plain));
});

test("braces in a path are escaped in the C# route template", () => {
  expect(createSnippet("csharp", { ...plain, path: "/{id}" })).toContain(`MapPost("/{{id}}"`);
});

test("the facts are the first route, mapping field and setting, preferring one that is not sensitive", () => {
  const key = { name: "key", title: "Key", type: "Password" as const };
  const region = { name: "region", title: "Region", type: "Text" as const };
  const vin = { name: "vin", title: "VIN" };
  const routes = [
    { kind: "webhook" as const, path: "/events" },
    { kind: "lifecycle" as const, path: "/_app/install" },
  ];
  expect(snippetFacts({ settings: [key, region], mappingFields: [vin], routes })).toEqual({
    path: "/events",
    setting: "region",
    mappingField: "vin",
    hooks: true,
  });
  expect(snippetFacts({ settings: [key], mappingFields: [], routes: [] })).toEqual({
    path: "/autofill",
    setting: "key",
    mappingField: undefined,
    hooks: false,
  });
});

describe.each(Object.entries(CASES))("%s names", (name, facts) => {
  test("Node parses its snippet", async () => {
    await run(process.execPath, ["--check", writeFile(`${name}.mjs`, createSnippet("node", facts))]);
  });

  test("Python compiles its snippet", async ({ skip }) => {
    if (pythonIsMissing !== undefined) skip(pythonIsMissing);
    await run("python3", ["-m", "py_compile", writeFile(`${name}.py`, createSnippet("python", facts))]);
  });

  test("Java compiles its snippet", { timeout: 60_000 }, async ({ skip }) => {
    if (javacIsMissing !== undefined) skip(javacIsMissing);
    const mapper = `import java.io.*; public class ObjectMapper {
      public JsonNode readTree(InputStream in) throws IOException { return null; }
      public JsonNode readTree(String text) throws IOException { return null; }
      public byte[] writeValueAsBytes(Object value) throws IOException { return null; } }`;
    const node = `public abstract class JsonNode implements Iterable<JsonNode> {
      public abstract JsonNode get(String name); public abstract JsonNode path(String name);
      public abstract JsonNode path(int index); public abstract String asText(); }`;
    const stub = (type: string, text: string) =>
      writeFile(`${type}.java`, `package com.fasterxml.jackson.databind; ${text}`);
    const sources = [stub("ObjectMapper", mapper), stub("JsonNode", node)];
    const app = writeFile("App.java", createSnippet("java", facts));
    await run("javac", ["-proc:none", "-d", join(folder, name), ...sources, app]);
  });
});

const RECORD: StateRecord = {
  settings: { region: "eu" },
  mappings: [
    { productName: "Home", fields: {} },
    { productName: "Auto", fields: { vin: "$.vehicle.vin" } },
  ],
  coreApiUrl: "https://api.core.example",
  tenantHostName: "tenant.core.example",
  token: "token",
};

const RUNNERS = [
  ["node", "run.mjs", process.execPath, undefined],
  ["python", "run.py", "python3", pythonIsMissing],
] as const;

test.for(RUNNERS)(
  "the %s snippet answers the health check, hooks and a call that needs its state",
  async (runner, { skip }) => {
    const [id, file, command, isMissing] = runner;
    if (isMissing !== undefined) skip(isMissing);
    const requested: (string | undefined)[] = [];
    const stateApi = createServer((request, response) => {
      requested.push(request.url);
      response.writeHead(request.url === "/state/psk_a" ? 200 : 404).end(JSON.stringify(RECORD));
    }).listen(0, "127.0.0.1");
    await once(stateApi, "listening");
    const port = String(await freePort());
    const env = {
      ...process.env,
      PLATFORM_PORT: port,
      PLATFORM_STATE_API: `http://127.0.0.1:${portOf(stateApi)}`,
    };
    const app = spawn(command, [writeFile(file, createSnippet(id, plain))], { env, stdio: "ignore" });
    try {
      const origin = `http://127.0.0.1:${port}`;
      await untilHealthy(origin, app);
      expect((await fetch(`${origin}/_app/install?route=x`)).status).toBe(200);
      const call = (path: string, key: string) =>
        fetch(origin + path, {
          method: "POST",
          headers: { "x-PLATFORM-key": key },
          body: `{"productName":"Auto"}`,
        });
      const response = await call("/autofill", "psk_a");
      expect(await response.json()).toEqual({
        tenant: "tenant.core.example",
        settingIsSet: true,
        mappedTo: "$.vehicle.vin",
      });
      expect((await call("/autofill", "psk_unknown")).status).toBe(502);
      expect((await call("/other", "psk_a")).status).toBe(404);
      expect(requested).toEqual(["/state/psk_a", "/state/psk_unknown"]);
    } finally {
      app.kill("SIGKILL");
      stateApi.close();
    }
  },
);

function portOf(server: ReturnType<typeof createServer>): number {
  // A server that listens on TCP has an address of this shape.
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = portOf(server);
  server.close();
  await once(server, "close");
  return port;
}

async function untilHealthy(origin: string, app: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 100 && app.exitCode === null; tries += 1) {
    const response = await fetch(`${origin}/health`).catch(() => undefined);
    if (response?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the snippet did not response GET /health");
}
