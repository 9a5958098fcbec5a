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
import type { PulledDraft } from "@/lib/contract/catalog/manifest-draft";
import { Problem } from "@/lib/contract/platform/problem";
import type { AppVersions } from "@/lib/contract/surface/own-app";
import { createTar, dockerArchive, toDigest } from "@/lib/server/images/archive/test-archives";

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

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

class Cli {
  folder = "";
  /** What the platform knows of the app. */
  known: PulledDraft = { ...NOTHING_KNOWN };
  output = recordTerminal();
  /** The versions that it lists. */
  listed: { number: string; imageDigest: string }[] = [];
  /** How the platform answers a publication. */
  answer: Handle = () => undefined;
  /** How it answers the uploads of blobs. */
  answerUpload: Handle = (request, response) => void this.receive(request, response);
  /** The registry's credentials of the environment. */
  registry: { registryUsername?: string; registryPassword?: string } = {};
  /** The environment of the programs that it starts. */
  inherited: Record<string, string | undefined> = {};
  /** What it has received, by digest. */
  blobs = new Map<string, { bytes: number; content: Buffer }>();

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
    return runProgram(
      argv,
      {
        ...environment,
        ...this.registry,
        inherited: this.inherited,
        uploadIdleMs: idleMs,
        uploadRetryMs: [1, 1, 1],
      },
      this.output,
    );
  }

  publish(source = this.archiveFile, ...more: string[]): Promise<number> {
    return this.run(["publish", source, "--manifest", this.manifestFile, ...more]);
  }

  /** Receives a blob as the platform does. What arrives before the connection breaks stays. */
  async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = "", headers } = request;
    const name = url.slice("/publish/v1/uploads/".length);
    const metadata = String(headers["upload-metadata"]).slice("digest ".length);
    const digest = method === "POST" ? Buffer.from(metadata, "base64").toString() : name;
    if (method === "POST")
      this.blobs.set(digest, { bytes: Number(headers["upload-length"]), content: Buffer.alloc(0) });
    const blob = this.blobs.get(digest);
    if (blob === undefined) return sendJson(response, 404, new Problem("NOT_FOUND").body());
    const chunks: Buffer[] = [];
    try {
      if (method === "PATCH") for await (const chunk of request) chunks.push(chunk);
    } catch {
      return;
    } finally {
      blob.content = Buffer.concat([blob.content, ...chunks]);
    }
    const length = { "upload-length": blob.bytes, "upload-offset": blob.content.length };
    const location = `/publish/v1/uploads/${digest}`;
    const status = method === "POST" ? 201 : method === "HEAD" ? 200 : 204;
    response.writeHead(status, { "tus-resumable": "1.0.0", location, ...length }).end();
  }

  /** Accepts every image as the platform does, and keeps it as an OCI layout. */
  accept() {
    const uploads: { version: string | null; archive: Buffer; notes?: string; imageDigest: string }[] = [];
    this.answer = async (request, response) => {
      const version = new URL(request.url ?? "", this.url()).searchParams.get("version");
      const body = await buffer(request);
      const isJson = request.headers["content-type"] === "application/json";
      const { manifest, notes } = isJson ? JSON.parse(body.toString()) : { manifest: body.toString() };
      const imageDigest = JSON.parse(manifest).config.digest;
      uploads.push({ version, archive: await this.#toLayout(Buffer.from(manifest)), notes, imageDigest });
      const listingUrl = "http://localhost/publish/x-app";
      sendJson(response, 201, { version, imageDigest: "sha256:aa", listingUrl });
    };
    return uploads;
  }

  listVersions(): AppVersions["versions"] {
    const listed =
      this.listed.length > 0 ? this.listed : this.known.newest === null ? [] : [this.known.newest];
    return listed.map(({ number, imageDigest }) => ({
      version: number,
      imageDigest,
      bytes: 1,
      publishedAt: "2026-01-01T00:00:00.000Z",
      publishedBy: "API key CI",
      verifiedAt: null,
      review: null,
      installations: 0,
      releaseNotes: "",
    }));
  }

  #toLayout(manifest: Buffer): Promise<Buffer> {
    const digest = toDigest(manifest);
    const toName = (each: string) => `blobs/${each.replace(":", "/")}`;
    return createTar([
      { name: "index.json", content: JSON.stringify({ manifests: [{ digest, size: manifest.length }] }) },
      { name: toName(digest), content: manifest },
      ...[...this.blobs].map(([each, { content }]) => ({ name: toName(each), content })),
    ]);
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
    if (request.method === "GET" && request.url === "/publish/v1/apps/acme/x-app/versions")
      return sendJson(response, 200, { versions: cli.listVersions() });
    if (request.url?.startsWith("/publish/v1/uploads") === true) return cli.answerUpload(request, response);
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
    cli.listed = [];
    cli.output = recordTerminal();
    cli.registry = {};
    cli.inherited = {};
    cli.blobs.clear();
    cli.answerUpload = (request, response) => void cli.receive(request, response);
    await writeFile(cli.manifestFile, SOURCE);
    await cli.writeArchive();
  });
  afterEach(() => rm(cli.folder, { recursive: true, force: true }));
  return cli;
}
