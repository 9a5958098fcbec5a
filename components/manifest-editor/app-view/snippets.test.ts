import { execFile, execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import type { StateRecord } from "@/lib/contract/state-record";
import { snippetFacts, type SnippetFacts } from "./snippet-text";
import { snippetsOf, type Snippet } from "./snippets";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "snippets-"));
afterAll(() => rmSync(folder, { recursive: true }));

const plain: SnippetFacts = { path: "/autofill", setting: "region", mappingField: "vin", hooks: true };
const bare: SnippetFacts = { path: "/rate", setting: undefined, mappingField: undefined, hooks: false };
/** No valid manifest holds such names; the snippets must not rest on that. */
const NASTY = `"'\`\\ \${x} {y} </script> \u2028\u202e\u0000\r\n\\u0022 """ \u{1F600} \ud800 */ #{z} %s`;
const hostile: SnippetFacts = { path: `/${NASTY}`, setting: NASTY, mappingField: NASTY, hooks: true };
const CASES = { plain, bare, hostile };

/** Why these cannot be tried on this machine; undefined when they can. */
const pythonIsMissing = missing("python3", "--version");
const javacIsMissing = missing("javac", "-version");

function missing(command: string, flag: string): string | undefined {
  try {
    execFileSync(command, [flag], { stdio: "ignore" });
    return undefined;
  } catch {
    return `${command} is not installed here`;
  }
}

function snippetOf(id: Snippet["id"], facts: SnippetFacts): string {
  return snippetsOf(facts).find((snippet) => snippet.id === id)?.code ?? "";
}

function fileOf(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

test("names and paths stay literals of one line and plain ASCII in every language", () => {
  for (const { code } of snippetsOf(hostile)) {
    expect(code).toMatch(/^[\x20-\x7e\n]*$/);
    expect(code).toContain(String.raw`\"'`);
  }
  const lines = (facts: SnippetFacts) => snippetsOf(facts).map(({ code }) => code.split("\n").length);
  expect(lines(hostile)).toEqual(lines(plain));
});

test("a route template of C# takes no braces from a path", () => {
  expect(snippetOf("csharp", { ...plain, path: "/{id}" })).toContain(`MapPost("/{{id}}"`);
});

test("the facts are the manifest's first route, mapping field and setting, rather one that is no secret", () => {
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
  test("Node takes its snippet", async () => {
    await run(process.execPath, ["--check", fileOf(`${name}.mjs`, snippetOf("node", facts))]);
  });

  test("Python takes its snippet", async ({ skip }) => {
    if (pythonIsMissing !== undefined) skip(pythonIsMissing);
    await run("python3", ["-m", "py_compile", fileOf(`${name}.py`, snippetOf("python", facts))]);
  });

  test("Java takes its snippet", { timeout: 60_000 }, async ({ skip }) => {
    if (javacIsMissing !== undefined) skip(javacIsMissing);
    const mapper = `import java.io.*; public class ObjectMapper {
      public JsonNode readTree(InputStream in) throws IOException { return null; }
      public JsonNode readTree(String text) throws IOException { return null; }
      public byte[] writeValueAsBytes(Object value) throws IOException { return null; } }`;
    const node = `public abstract class JsonNode implements Iterable<JsonNode> {
      public abstract JsonNode get(String name); public abstract JsonNode path(String name);
      public abstract JsonNode path(int index); public abstract String asText(); }`;
    const stub = (type: string, text: string) =>
      fileOf(`${type}.java`, `package com.fasterxml.jackson.databind; ${text}`);
    const sources = [stub("ObjectMapper", mapper), stub("JsonNode", node)];
    const app = fileOf("App.java", snippetOf("java", facts));
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
  "the %s snippet serves health, hooks and a call with its state",
  async (runner, { skip }) => {
    const [id, file, command, isMissing] = runner;
    if (isMissing !== undefined) skip(isMissing);
    const asked: (string | undefined)[] = [];
    const stateApi = createServer((request, response) => {
      asked.push(request.url);
      response.writeHead(request.url === "/state/psk_a" ? 200 : 404).end(JSON.stringify(RECORD));
    }).listen(0, "127.0.0.1");
    await once(stateApi, "listening");
    const port = String(await freePort());
    const env = {
      ...process.env,
      PLATFORM_PORT: port,
      PLATFORM_STATE_API: `http://127.0.0.1:${portOf(stateApi)}`,
    };
    const app = spawn(command, [fileOf(file, snippetOf(id, plain))], { env, stdio: "ignore" });
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
      const answer = await call("/autofill", "psk_a");
      expect(await answer.json()).toEqual({
        tenant: "tenant.core.example",
        settingIsSet: true,
        mappedTo: "$.vehicle.vin",
      });
      expect((await call("/autofill", "psk_unknown")).status).toBe(502);
      expect((await call("/other", "psk_a")).status).toBe(404);
      expect(asked).toEqual(["/state/psk_a", "/state/psk_unknown"]);
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
    const answer = await fetch(`${origin}/health`).catch(() => undefined);
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the snippet does not answer GET /health");
}
