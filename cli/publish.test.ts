import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Problem } from "@/lib/contract/problem";
import { readCliEnvironment } from "./environment";
import { runProgram } from "./program";
import { recordTerminal, type RecordedTerminal } from "./test-terminal";

/** A layout of its own, which must survive: tabs, blanks, no line end. */
const SOURCE =
  '{\n\t"name" : "acme/x-app",\n\t"version":  "1.4.2", "x-own": [1,2],\n\t"app": { "fields": [] }\n}';
const KEY = { clientId: "pci_test", apiKey: "pak_secret" };

let folder: string;
let server: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let output: RecordedTerminal;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.headers.authorization !== `Basic ${Buffer.from("pci_test:pak_secret").toString("base64")}`) {
      return sendJson(response, 401, new Problem("WRONG_CREDENTIALS", "The key is wrong.").body());
    }
    if (request.url === "/publish/v1/whoami")
      return sendJson(response, 200, { organization: { slug: "acme", name: "Acme" } });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "cli-"));
  output = recordTerminal();
  await writeFile(manifestFile(), SOURCE);
  await writeFile(path.join(folder, "app.tar"), Buffer.alloc(3_000_000, 7));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const manifestFile = () => path.join(folder, "platform-app.json");

function url(): string {
  const address = server.address();
  return address !== null && typeof address === "object" ? `http://127.0.0.1:${address.port}` : "";
}

function run(argv: string[], key: { clientId?: string; apiKey?: string } = KEY): Promise<number> {
  const environment = readCliEnvironment({
    XDG_CONFIG_HOME: folder,
    PLATFORM_URL: url(),
    PLATFORM_CLIENT_ID: key.clientId,
    PLATFORM_API_KEY: key.apiKey,
  });
  return runProgram(argv, environment, output);
}

const publish = (source = path.join(folder, "app.tar")) =>
  run(["publish", source, "--manifest", manifestFile()]);

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

describe("publish", () => {
  test("raises the second number, keeps the layout, and sends the archive's exact bytes", async () => {
    let sent: Buffer | undefined;
    let target: string | undefined;
    answer = async (request, response) => {
      target = request.url;
      sent = await buffer(request);
      sendJson(response, 201, {
        version: "1.5.0",
        imageDigest: "sha256:aa",
        listingUrl: "http://localhost/publish/x-app",
      });
    };
    expect(await publish(), output.notes.join("\n")).toBe(0);
    expect(target).toBe("/publish/v1/apps/acme/x-app/versions?version=1.5.0");
    expect(sent?.equals(Buffer.alloc(3_000_000, 7))).toBe(true);
    expect(await readFile(manifestFile(), "utf8")).toBe(SOURCE.replace("1.4.2", "1.5.0"));
    expect(output.results.join("\n")).toMatch(/1\.5\.0[^]*sha256:aa[^]*http:\/\/localhost\/publish\/x-app/);
  });

  test("undoes the bump, byte for byte, if the platform rejects it, and shows each issue with its position", async () => {
    answer = async (request, response) => {
      await buffer(request);
      const issues = [
        {
          code: "MISSING",
          pointer: "/app",
          message: '"app" is missing.',
          hint: "Add it.",
          line: 3,
          column: 5,
        },
      ];
      sendJson(response, 400, new Problem("BAD_MANIFEST", "The manifest has an error.", issues).body());
    };
    expect(await publish()).toBe(1);
    expect(await readFile(manifestFile(), "utf8")).toBe(SOURCE);
    expect(output.notes.join("\n")).toMatch(
      /The manifest has an error\. \[BAD_MANIFEST\]\n {2}platform-app\.json:3:5 "app" is missing\. \[MISSING \/app\]\n {6}Add it\./,
    );
  });

  test("undoes the bump if the connection closes or the response is not the platform's", async () => {
    answer = (request) => void setTimeout(() => request.resume().socket.destroy(), 20);
    expect(await publish()).toBe(1);
    answer = async (request, response) => {
      await buffer(request);
      response.writeHead(502).end("<html>");
    };
    expect(await publish()).toBe(1);
    expect(await readFile(manifestFile(), "utf8")).toBe(SOURCE);
  });

  test("an error before the upload is read is shown with the platform's message, even if it ends the upload", async () => {
    await writeFile(path.join(folder, "app.tar"), Buffer.alloc(100_000_000));
    answer = (_request, response) => {
      response.setHeader("connection", "close");
      sendJson(response, 404, new Problem("NOT_FOUND", "Create the listing first.").body());
    };
    expect(await publish()).toBe(1);
    expect(output.notes.join("\n")).toContain("Create the listing first.");
    expect(await readFile(manifestFile(), "utf8")).toBe(SOURCE);
  });

  test("changes nothing if there is nothing to publish, the key is wrong, or the manifest is invalid", async () => {
    expect(await publish("no-such-image:of-this-test")).toBe(1);
    for (const missing of [
      "./missing.tar",
      "../missing/app",
      "images/missing.tar",
      "/missing",
      "C:\\missing",
    ]) {
      expect(await publish(missing), missing).toBe(2);
      expect(output.notes.at(-1)).toBe(
        `There is no file ${missing}. Check the path, or pass the name of a local image.`,
      );
    }
    expect(
      await run(["publish", path.join(folder, "app.tar"), "--manifest", manifestFile()], {
        clientId: "pci_x",
        apiKey: "y",
      }),
    ).toBe(1);
    expect(await readFile(manifestFile(), "utf8")).toBe(SOURCE);
    await writeFile(manifestFile(), SOURCE.replace("1.4.2", "1.4"));
    expect(await publish()).toBe(1);
    expect(output.notes.join("\n")).toMatch(/platform-app\.json:3:14 This is not a valid version\./);
  });

  test("wrong usage exits with status 2", async () => {
    expect(await run(["publish"])).toBe(2);
    expect(await run(["pubblish"])).toBe(2);
    expect(await run(["publish", "x", "--manifest", path.join(folder, "absent.json")])).toBe(2);
    expect(await run(["login"], {})).toBe(2);
    expect(await run(["--help"])).toBe(0);
    expect(await run(["--version"])).toBe(0);
    expect(output.results.at(-1)).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test("Ctrl-C during an upload undoes the bump and exits with 130", async () => {
    const bundle = path.join(".build", `platform-app-test-${process.pid}.js`);
    await build({
      entryPoints: ["cli/main.ts"],
      outfile: bundle,
      bundle: true,
      platform: "node",
      format: "esm",
      packages: "external",
    });
    const started = new Promise<void>((resolve) => {
      answer = (request) => void request.once("data", () => resolve());
    });
    const env = {
      ...process.env,
      XDG_CONFIG_HOME: folder,
      PLATFORM_URL: url(),
      PLATFORM_CLIENT_ID: KEY.clientId,
      PLATFORM_API_KEY: KEY.apiKey,
    };
    await writeFile(path.join(folder, "app.tar"), Buffer.alloc(60_000_000));
    const child = spawn(
      process.execPath,
      [bundle, "publish", path.join(folder, "app.tar"), "--manifest", manifestFile()],
      { env },
    );
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    await started;
    expect(await readFile(manifestFile(), "utf8")).toContain("1.5.0");
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    expect(await readFile(manifestFile(), "utf8")).toBe(SOURCE);
    await rm(bundle);
  });
});
