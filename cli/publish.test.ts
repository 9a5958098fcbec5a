import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { PulledDraft } from "@/lib/contract/manifest-draft";
import { Problem } from "@/lib/contract/problem";
import { readBundle } from "@/lib/server/bundles/read-bundle";
import { uploadPath } from "@/lib/server/bundles/receive-upload";
import { createConfig, createTar, dockerArchive, toDigest } from "@/lib/server/bundles/test-archives";
import { readCliEnvironment } from "./terminal/environment";
import { runProgram } from "./program";
import { recordTerminal, type RecordedTerminal } from "./terminal/test-terminal";

/** A layout of its own, which must survive: tabs, blanks, no line end. */
const SOURCE =
  '{\n\t"name" : "acme/x-app",\n\t"version":  "1.4.2", "x-own": [1,2],\n\t"app": { "fields": [] }\n}';
const KEY = { clientId: "pci_test", apiKey: "pak_secret" };

let folder: string;
let server: Server;
let known: PulledDraft;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let output: RecordedTerminal;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.headers.authorization !== `Basic ${Buffer.from("pci_test:pak_secret").toString("base64")}`) {
      return sendJson(response, 401, new Problem("WRONG_CREDENTIALS", "The key is wrong.").body());
    }
    if (request.method === "GET" && request.url === "/publish/v1/apps/acme/x-app/manifest")
      return sendJson(response, 200, known);
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
  known = {
    name: "acme/x-app",
    text: SOURCE,
    revision: 0,
    updatedAt: null,
    updatedBy: null,
    source: "new",
    newest: null,
    published: [],
  };
  await writeArchive();
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** The archive of an image with this manifest, or with none. */
async function writeArchive(manifest: string | null = SOURCE, extraBytes = 3_000_000): Promise<Buffer> {
  const code = { name: "server.js", content: Buffer.alloc(extraBytes, 7) };
  const layer = await createTar(
    manifest === null ? [code] : [code, { name: "platform-app.json", content: manifest }],
  );
  const archive = await dockerArchive({ layers: [layer] });
  await writeFile(path.join(folder, "app.tar"), archive);
  return archive;
}

const written = () => readFile(manifestFile(), "utf8");
const manifestFile = () => path.join(folder, "platform-app.json");

function url(): string {
  const address = server.address();
  return address !== null && typeof address === "object" ? `http://127.0.0.1:${address.port}` : "";
}

function run(
  argv: string[],
  key: { clientId?: string; apiKey?: string } = KEY,
  idleMs = 60_000,
): Promise<number> {
  const environment = readCliEnvironment({
    XDG_CONFIG_HOME: folder,
    PLATFORM_URL: url(),
    PLATFORM_CLIENT_ID: key.clientId,
    PLATFORM_API_KEY: key.apiKey,
  });
  return runProgram(argv, { ...environment, uploadIdleMs: idleMs }, output);
}

const publish = (source = path.join(folder, "app.tar"), ...more: string[]) =>
  run(["publish", source, "--manifest", manifestFile(), ...more]);

/** Accepts every upload as the platform does, and keeps it. */
function accept() {
  const uploads: { version: string | null; archive: Buffer }[] = [];
  answer = async (request, response) => {
    const version = new URL(request.url ?? "", url()).searchParams.get("version");
    uploads.push({ version, archive: await buffer(request) });
    const listingUrl = "http://localhost/publish/x-app";
    sendJson(response, 201, { version, imageDigest: "sha256:aa", listingUrl });
  };
  return uploads;
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

describe("publish", () => {
  test("raises the second number, keeps the layout, and sends the archive's exact bytes", async () => {
    const archive = await writeArchive();
    const uploads = accept();
    expect(await publish(), output.notes.join("\n")).toBe(0);
    expect(uploads.map(({ version }) => version)).toEqual(["1.5.0"]);
    expect(uploads[0]?.archive.equals(archive)).toBe(true);
    expect(await readFile(manifestFile(), "utf8")).toBe(SOURCE.replace("1.4.2", "1.5.0"));
    expect(output.results.join("\n")).toMatch(/1\.5\.0[^]*sha256:aa[^]*http:\/\/localhost\/publish\/x-app/);
  });

  // Guarantee: notes that can't be saved are refused before anything is published, or said to be missing afterwards.
  test("saves release notes of a text or a file with the version", async () => {
    const uploads = accept();
    const publishing = answer;
    const saved: unknown[] = [];
    let status = 200;
    answer = async (request, response) => {
      if (request.method !== "PUT") return publishing(request, response);
      saved.push([request.url, JSON.parse((await buffer(request)).toString())]);
      const refused = new Problem("WRONG_STATE", "A moderator has these release notes already.").body();
      sendJson(response, status, status === 200 ? { version: "1.5.0", characters: 5 } : refused);
    };
    const archive = path.join(folder, "app.tar");
    expect(await publish(archive, "--notes", "Faster."), output.notes.join("\n")).toBe(0);
    const file = path.join(folder, "NEWS.md");
    await writeFile(file, "**Even** faster.\n");
    expect(await publish(archive, "--notes", `@${file}`), output.notes.join("\n")).toBe(0);
    const app = "/publish/v1/apps/acme/x-app/versions";
    expect(saved).toEqual([
      [`${app}/1.5.0/notes`, { notes: "Faster." }],
      [`${app}/1.6.0/notes`, { notes: "**Even** faster." }],
    ]);

    await writeFile(file, Buffer.from([0xff, 0xfe]));
    for (const [notes, problem] of [
      [`@${file}`, /is not valid UTF-8/],
      [`@${folder}/none.md`, /none\.md does not exist/],
      ["x".repeat(10_001), /at most 10,000 characters/],
    ] as const) {
      expect(await publish(archive, "--notes", notes)).toBe(2);
      expect(output.notes.at(-1)).toMatch(problem);
    }
    expect(uploads).toHaveLength(2);

    status = 409;
    expect(await publish(archive, "--notes", "Late.")).toBe(1);
    expect(output.notes.join("\n")).toMatch(
      /A moderator has these[^]*Version 1\.7\.0 is published, but its release notes were not saved/,
    );
    expect(await written()).toContain("1.7.0");
  });

  test("leaves the file as it is if the platform rejects it, and shows each issue with its position", async () => {
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

  test("leaves the file as it is if the connection closes or the response is not the platform's", async () => {
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
    await writeArchive(SOURCE, 100_000_000);
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
        `The file ${missing} does not exist. Check the path, or pass the name of a local image.`,
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

  // Guarantee: the file gets the number after the platform accepted it, so nothing has to be restored.
  test.each([
    ["SIGINT", 130],
    ["SIGKILL", null],
  ] as const)(
    "%s during an upload leaves the file as it is, and the next run publishes",
    async (signal, status) => {
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
      await writeArchive(SOURCE, 60_000_000);
      const child = spawn(
        process.execPath,
        [bundle, "publish", path.join(folder, "app.tar"), "--manifest", manifestFile()],
        { env },
      );
      const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
      await started;
      expect(await written()).toBe(SOURCE);
      child.kill(signal);
      expect(await ended).toBe(status);
      expect(await written()).toBe(SOURCE);
      await rm(bundle);
      const uploads = accept();
      expect(await publish()).toBe(0);
      expect([uploads[0]?.version, await written()]).toEqual(["1.5.0", SOURCE.replace("1.4.2", "1.5.0")]);
    },
  );

  test("an upload that stalls ends with a message, not never", async () => {
    await writeArchive(SOURCE, 60_000_000);
    // Never read: the connection stays open and takes no more.
    answer = () => {};
    expect(await run(["publish", path.join(folder, "app.tar"), "--manifest", manifestFile()], KEY, 500)).toBe(
      1,
    );
    expect(output.notes.at(-1)).toMatch(/stalled: the platform accepted nothing for \d+ s.*publish again/);
    expect(await written()).toBe(SOURCE);
  });

  test("what was edited in the file during the upload stays; only the number is written", async () => {
    const uploads = accept();
    const accepted = answer;
    answer = async (request, response) => {
      await writeFile(manifestFile(), SOURCE.replace("[1,2]", "[3]"));
      accepted(request, response);
    };
    expect(await publish()).toBe(0);
    expect(uploads).toHaveLength(1);
    expect(await written()).toBe(SOURCE.replace("[1,2]", "[3]").replace("1.4.2", "1.5.0"));
  });
});

describe("the next number is above the file's, the image's, the draft's and the published one", () => {
  const withVersion = (version: string) => SOURCE.replace("1.4.2", version);

  test.each([
    ["published", "1.7.0", () => (known.newest = { number: "1.6.3", imageDigest: "sha256:other" })],
    ["in the draft", "2.1.0", () => (known = { ...known, source: "draft", text: withVersion("2.0.0") })],
    ["in a broken draft", "1.5.0", () => (known = { ...known, source: "draft", text: "{ broken" })],
    ["in the image", "1.10.0", () => writeArchive(withVersion("1.9.9"))],
    ["in the file", "3.1.0", () => writeFile(manifestFile(), withVersion("3.0.0"))],
  ])("%s: %s", async (_where, number, arrange) => {
    await arrange();
    const uploads = accept();
    expect(await publish(), output.notes.join("\n")).toBe(0);
    expect(uploads[0]?.version).toBe(number);
    expect(await written()).toBe(withVersion(number));
  });
});

describe("the image is read before it is uploaded", () => {
  /** The manifest that the platform finds at the root of an uploaded archive. */
  async function readUploaded(archive: Buffer | undefined): Promise<string> {
    const incoming = await mkdtemp(path.join(folder, "incoming-"));
    await writeFile(uploadPath(incoming), archive ?? "");
    return (await readBundle(incoming)).manifestText;
  }

  test("without a manifest in it, nothing is uploaded, and the message shows the COPY line and --add-manifest", async () => {
    await writeArchive(null);
    const uploads = accept();
    expect(await publish()).toBe(1);
    expect(uploads).toEqual([]);
    expect(output.notes.join("\n")).toMatch(
      /no platform-app\.json at its root[^]*COPY platform-app\.json \/[^]*--add-manifest/,
    );
    expect(await written()).toBe(SOURCE);
  });

  test("--add-manifest puts the file, with its new number, at the root of what is published", async () => {
    await writeArchive(null);
    const uploads = accept();
    expect(await publish(undefined, "--add-manifest"), output.notes.join("\n")).toBe(0);
    expect(await readUploaded(uploads[0]?.archive)).toBe(SOURCE.replace("1.4.2", "1.5.0"));
    expect(await written()).toBe(SOURCE.replace("1.4.2", "1.5.0"));
  });

  test.each([true, false])("a terminal asks whether to add it: %s", async (isYes) => {
    await writeArchive(null);
    const uploads = accept();
    output = recordTerminal({ answer: isYes });
    expect(await publish()).toBe(isYes ? 0 : 1);
    expect(output.asked).toEqual([
      "The image has no platform-app.json at its root. Add your file as a layer at the root?",
    ]);
    expect(uploads).toHaveLength(isYes ? 1 : 0);
  });

  test("a manifest that differs from the file is described before the upload; a terminal asks", async () => {
    await writeArchive(SOURCE.replace("[1,2]", "[3]"));
    const uploads = accept();
    expect(await publish()).toBe(0);
    const notes = output.notes.join("\n");
    expect(notes).toMatch(/in the image differs from your file:\n {2}The app's .* was changed: x-own\./);
    expect(notes.indexOf("differs")).toBeLessThan(notes.indexOf("Uploaded"));
    expect(await readUploaded(uploads[0]?.archive)).toContain("[3]");
    output = recordTerminal({ answer: false });
    expect(await publish()).toBe(130);
    expect(uploads).toHaveLength(1);
    output = recordTerminal();
    expect(await publish(undefined, "--add-manifest")).toBe(0);
    expect(await readUploaded(uploads[1]?.archive)).toContain("[1,2]");
  });

  test("a manifest with errors, one of another app, another architecture, and an image that is published already", async () => {
    const uploads = accept();
    const layers = [await createTar([{ name: "platform-app.json", content: SOURCE }])];
    const save = (archive: Buffer) => writeFile(path.join(folder, "app.tar"), archive);
    for (const [arrange, words] of [
      [() => writeArchive(SOURCE.replace("1.4.2", "1.4")), "in the image has errors"],
      [() => writeArchive(SOURCE.replace("x-app", "other")), 'named "acme/other"'],
      [async () => save(await dockerArchive({ layers, architecture: "arm64" })), "--platform linux/amd64"],
      [() => save(Buffer.alloc(5000, 7)), "not a readable image archive"],
      [
        async () => save(await createTar([{ name: "readme.txt", content: "hello" }])),
        "contains no container image",
      ],
      [
        async () => {
          await save(await dockerArchive({ layers }));
          const imageDigest = toDigest(createConfig({ layers }));
          known.newest = { number: "1.5.0", imageDigest };
        },
        "already published as version 1.5.0",
      ],
    ] as const) {
      await arrange();
      expect(await publish(), words).toBe(1);
      expect(output.notes.join("\n")).toContain(words);
    }
    expect(uploads).toEqual([]);
  });
});
