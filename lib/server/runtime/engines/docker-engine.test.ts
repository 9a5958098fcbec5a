import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { json } from "node:stream/consumers";
import Docker from "dockerode";
import { expect, onTestFinished, test } from "vitest";
import type { ReasonCode } from "@/lib/contract/runtime/instance-reasons";
import { DEFAULT_APP_LIMITS } from "../../platform/environment";
import { readEngineId } from "./docker";
import { containerOptions, runContainer, withoutRefused } from "./docker-container";
import { explainEngineError, isInitMissing } from "./docker-engine";
import { InstanceFailure, quoteMessage, type StartOrder } from "./runtime";

const ORDER: StartOrder = {
  bundleKind: "image",
  versionId: "v",
  replica: 0,
  organizationId: "",
  appName: "app",
  imageDigest: "sha256:1",
  openArchive: () => Promise.reject(new Error("no archive")),
  imageReference: null,
  environment: { PLATFORM_STATE_API: "http://127.0.0.1:4001" },
};

/** What engines answer. */
const ANSWERS: [status: number, message: string, ReasonCode][] = [
  [
    400,
    'OCI runtime create failed: exec: "/absent": stat /absent: no such file or directory',
    "COMMAND_NOT_STARTED",
  ],
  [
    404,
    'OCI runtime create failed: exec: "network": executable file not found in $PATH',
    "COMMAND_NOT_STARTED",
  ],
  [400, "No command specified", "COMMAND_NOT_STARTED"],
  [404, "network platform-vin-1234 not found", "NETWORK_FAILED"],
  [
    500,
    "driver failed programming external connectivity on endpoint app: port is already allocated",
    "NETWORK_FAILED",
  ],
  [500, "failed to set up container networking: iptables failed", "NETWORK_FAILED"],
  [404, "No such image: sha256:0000", "ENGINE_FAILED"],
  [500, "mkdir /var/lib/docker/overlay2: no space left on device", "ENGINE_FAILED"],
  [500, "lstat /var/lib/docker/overlay2/1/merged/ab: invalid argument", "COMMAND_NOT_STARTED"],
  [500, "mkdir /var/lib/docker/overlay2/1/merged/etc/passwd/x: not a directory", "COMMAND_NOT_STARTED"],
  [500, "Cannot mkdir: /etc/passwd is not a directory", "COMMAND_NOT_STARTED"],
];

// Guarantee: only what the image itself causes counts as the app's failure.
test.each(ANSWERS)("%i %s", (statusCode, message, reasonCode) => {
  const error = Object.assign(new Error(`(HTTP code ${statusCode}) unexpected - ${message}`), { statusCode });
  const detail = expect.stringMatching(/^The container engine [a-z ]+: (?!\(HTTP)/);
  expect(explainEngineError(error)).toMatchObject({ reasonCode, detail });
  expect(explainEngineError(error)).toMatchObject({ detail: expect.stringContaining(message) });
});

// Guarantee: what a program says, however it ends, becomes a part of our sentence on one line.
test.each([
  "No command specified ",
  "No command specified.",
  "\n No command\r\n\tspecified:\u001b[0m \n",
  "No command specified. .",
])("%j is quoted as part of a sentence", (message) => {
  const said = "No command specified";
  const error = Object.assign(new Error(`(HTTP code 400) unexpected - ${message}`), { statusCode: 400 });
  expect(explainEngineError(error)).toMatchObject({
    detail: `The container engine cannot start the app: ${said}.`,
  });
  const gone = Object.assign(new Error(message), { code: "ECONNREFUSED" });
  expect(explainEngineError(gone)).toMatchObject({
    detail: `The container engine does not respond (${said}). Start it, then launch again.`,
  });
  expect(quoteMessage(message)).toBe(said);
  expect(new InstanceFailure("ENGINE_FAILED", `It said: ${message.trim()} `).detail).toMatch(/\.$/);
});

test("an engine that doesn't respond, and errors that aren't an engine's", () => {
  const gone = Object.assign(new Error("connect ENOENT"), { code: "ENOENT" });
  expect(explainEngineError(gone)).toMatchObject({ reasonCode: "ENGINE_UNREACHABLE" });
  const bug = new TypeError("x is undefined");
  expect(explainEngineError(bug)).toBe(bug);
});

// Guarantee: an engine without an init of its own still runs apps.
test.each([
  ['exec: "docker-init": executable file not found in $PATH', true],
  ["container-init binary not found on the host: stat /usr/libexec/podman/catatonit: no such file", true],
  ['OCI runtime create failed: exec: "/absent": stat /absent: no such file or directory', false],
])("%s: init is missing: %s", (message, isMissing) => {
  expect(isInitMissing(new Error(`(HTTP code 400) unexpected - ${message}`))).toBe(isMissing);
});

test("an app starts without an init that is missing, and a warning says what to install", async () => {
  const created: unknown[] = [];
  const server = createServer(async (request, response) => {
    const { method, url = "" } = request;
    if (method === "DELETE") return response.writeHead(204).end();
    if (url.endsWith("/start")) {
      if (created.length > 1) return response.writeHead(204).end();
      const message = 'exec: "docker-init": executable file not found in $PATH';
      return response.writeHead(400).end(JSON.stringify({ message }));
    }
    created.push(await json(request));
    return response.writeHead(201).end('{"Id":"1"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const warnings: string[] = [];
  const docker = new Docker({ protocol: "http", host: "127.0.0.1", port });
  await runContainer(docker, { HostConfig: { Init: true } }, (message) => warnings.push(message));
  expect(created).toMatchObject([{ HostConfig: { Init: true } }, { HostConfig: { Init: false } }]);
  expect(warnings).toEqual([expect.stringContaining("Debian: tini")]);
});

test("what an engine refuses is left out, and nothing else", () => {
  const image = { id: "sha256:1", layers: [], volumes: [], labels: {}, tags: [], hasHome: false };
  const options = containerOptions("owner", ORDER, image, "app", DEFAULT_APP_LIMITS);
  const tmpfs = { "/tmp": "rw,noexec,nosuid,nodev,size=64m,mode=1777,uid=65532,gid=65532" };
  expect(options.HostConfig).toMatchObject({ Init: true, Tmpfs: tmpfs });
  const noInit = withoutRefused(
    options,
    new Error('exec: "docker-init": executable file not found in $PATH'),
  );
  expect(noInit?.HostConfig).toEqual({ ...options.HostConfig, Init: false });
  const noOwner = withoutRefused(
    options,
    new Error('unknown mount option "uid=65532": invalid mount option'),
  );
  const plain = { "/tmp": "rw,noexec,nosuid,nodev,size=64m,mode=1777" };
  expect(noOwner?.HostConfig).toEqual({ ...options.HostConfig, Tmpfs: plain });
  expect(withoutRefused(noOwner ?? {}, new Error("unknown mount option"))).toBeUndefined();
  expect(withoutRefused(options, new Error("no space left on device"))).toBeUndefined();
});

test("an image's own HOME is kept", () => {
  const image = { id: "sha256:1", layers: [], volumes: [], labels: {}, tags: [], hasHome: true };
  const { Env } = containerOptions("owner", ORDER, image, "app", DEFAULT_APP_LIMITS);
  expect(Env?.some((variable) => variable.startsWith("HOME="))).toBe(false);
});

// Guarantee: no deployment takes another one's containers for its own, and none loses its own because its folder is moved.
test("the id on an engine is the data folder's, wherever that is", async () => {
  const parent = await mkdtemp(path.join(tmpdir(), "platform-id-"));
  onTestFinished(() => rm(parent, { recursive: true }));
  const at = (name: string) => path.join(parent, name);
  const [one, other, old] = [at("one"), at("other"), at("old")];
  for (const folder of [other, old]) await mkdir(folder);
  const id = readEngineId(one);
  expect(id).toMatch(/^[0-9a-f]{16}$/);
  expect(readEngineId(one)).toBe(id);
  expect(readEngineId(other)).not.toBe(id);
  await rename(one ?? "", at("moved"));
  expect(readEngineId(at("moved"))).toBe(id);
  // In use before folders had an id: what labels its containers already.
  await writeFile(path.join(old ?? "", "secrets.json"), "{}");
  const ofPath = createHash("sha256").update(old).digest("hex");
  expect(readEngineId(old)).toBe(ofPath.slice(0, 16));
});
