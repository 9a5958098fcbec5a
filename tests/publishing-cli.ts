/** A folder with a manifest and an image's archive, and a platform on loopback that accepts what a test lets it accept. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { runProgram } from "@/cli/program";
import { readCliEnvironment } from "@/cli/terminal/environment";
import { recordTerminal } from "@/cli/terminal/test-terminal";
import type { PulledDraft } from "@/lib/contract/manifest-draft";
import { Problem } from "@/lib/contract/problem";
import { createTar, dockerArchive } from "@/lib/server/bundles/test-archives";

/** A layout of its own, which must survive: tabs, blanks, no line end. */
export const SOURCE =
  '{\n\t"name" : "acme/x-app",\n\t"version":  "1.4.2", "x-own": [1,2],\n\t"app": { "fields": [] }\n}';
export const KEY = { clientId: "pci_test", apiKey: "pak_secret" };

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const NOTHING_KNOWN: PulledDraft = {
  name: "acme/x-app",
  text: SOURCE,
  revision: 0,
  updatedAt: null,
  updatedBy: null,
  source: "new",
  newest: null,
  published: [],
};

class Cli {
  folder = "";
  /** What the platform knows of the app. */
  known: PulledDraft = { ...NOTHING_KNOWN };
  output = recordTerminal();
  /** How the platform answers an upload. */
  answer: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;

  constructor(readonly url: () => string) {}

  get manifestFile(): string {
    return path.join(this.folder, "platform-app.json");
  }

  get archiveFile(): string {
    return path.join(this.folder, "app.tar");
  }

  written(): Promise<string> {
    return readFile(this.manifestFile, "utf8");
  }

  /** The archive of an image with this manifest, or with none. */
  async writeArchive(manifest: string | null = SOURCE, extraBytes = 3_000_000): Promise<Buffer> {
    const code = { name: "server.js", content: Buffer.alloc(extraBytes, 7) };
    const layer = await createTar(
      manifest === null ? [code] : [code, { name: "platform-app.json", content: manifest }],
    );
    const archive = await dockerArchive({ layers: [layer] });
    await writeFile(this.archiveFile, archive);
    return archive;
  }

  run(argv: string[], key: { clientId?: string; apiKey?: string } = KEY, idleMs = 60_000): Promise<number> {
    const environment = readCliEnvironment({
      XDG_CONFIG_HOME: this.folder,
      PLATFORM_URL: this.url(),
      PLATFORM_CLIENT_ID: key.clientId,
      PLATFORM_API_KEY: key.apiKey,
    });
    return runProgram(argv, { ...environment, uploadIdleMs: idleMs }, this.output);
  }

  publish(source = this.archiveFile, ...more: string[]): Promise<number> {
    return this.run(["publish", source, "--manifest", this.manifestFile, ...more]);
  }

  /** Accepts every upload as the platform does, and keeps it. */
  accept() {
    const uploads: { version: string | null; archive: Buffer }[] = [];
    this.answer = async (request, response) => {
      const version = new URL(request.url ?? "", this.url()).searchParams.get("version");
      uploads.push({ version, archive: await buffer(request) });
      const listingUrl = "http://localhost/publish/x-app";
      sendJson(response, 201, { version, imageDigest: "sha256:aa", listingUrl });
    };
    return uploads;
  }
}

/** A new one before each test of a file. */
export function givenCli(): Cli {
  const server = createServer((request, response) => {
    if (request.headers.authorization !== `Basic ${Buffer.from("pci_test:pak_secret").toString("base64")}`) {
      return sendJson(response, 401, new Problem("WRONG_CREDENTIALS", "The key is wrong.").body());
    }
    if (request.method === "GET" && request.url === "/publish/v1/apps/acme/x-app/manifest")
      return sendJson(response, 200, cli.known);
    cli.answer(request, response);
  });
  const cli = new Cli(() => {
    const address = server.address();
    return address !== null && typeof address === "object" ? `http://127.0.0.1:${address.port}` : "";
  });

  beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  beforeEach(async () => {
    cli.folder = await mkdtemp(path.join(tmpdir(), "cli-"));
    cli.known = { ...NOTHING_KNOWN };
    cli.output = recordTerminal();
    await writeFile(cli.manifestFile, SOURCE);
    await cli.writeArchive();
  });
  afterEach(() => rm(cli.folder, { recursive: true, force: true }));
  return cli;
}
