import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Docker from "dockerode";
import { request } from "undici";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { v7 } from "uuid";
import { readBundle } from "../bundles/read-bundle";
import { uploadPath } from "../bundles/receive-upload";
import { openArchive, openFile } from "../bundles/open-archive";
import { writeBlobs } from "../bundles/write-blobs";
import { openStore } from "../blobs/open-store";
import { readEnvironment } from "../platform/environment";
import { newMasterKey } from "../platform/keyring";
import { dockerRuntime } from "./docker";
import { findEngineFailure } from "./docker-engine";
import { processRuntime } from "./process";
import type { Runtime, StartOrder } from "./runtime";
import { archiveOpener, findBusybox, writeImage } from "@/tests/test-image";

/** Two apps that every runtime must be able to run: one serves, one fails. */
interface Fixture {
  runtime: Runtime;
  serving: StartOrder;
  failing: StartOrder;
  /** Serves until `/crash` is requested. */
  crashing: StartOrder;
}

const environment = { PLATFORM_STATE_API: "http://127.0.0.1:4999" };
const folder = await mkdtemp(path.join(tmpdir(), "platform-runtime-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function processFixture(): Promise<Fixture> {
  const examplesFolder = path.join(folder, "examples");
  const serving = `import { createServer } from "node:http";
    console.log("hello \\u001b[31mred\\u001b[0m\\u0007 " + process.env.PLATFORM_STATE_API);
    createServer((_, res) => res.end("ok")).listen(Number(process.env.PLATFORM_PORT), "127.0.0.1");`;
  const crashing = `import { createServer } from "node:http";
    createServer((req, res) => {
      if (req.url !== "/crash") return res.end("ok");
      console.log("last words");
      process.kill(process.pid, "SIGKILL");
    }).listen(Number(process.env.PLATFORM_PORT), "127.0.0.1");`;
  const apps = { serving, crashing, failing: 'console.log("cannot start"); process.exit(3);' };
  for (const [name, script] of Object.entries(apps)) {
    await mkdir(path.join(examplesFolder, name), { recursive: true });
    await writeFile(path.join(examplesFolder, name, "server.mjs"), script);
  }
  const order = (appName: string) => ({
    bundleKind: "example-folder" as const,
    versionId: v7(),
    appName,
    imageDigest: "",
    openArchive: () => Promise.reject(new Error("an example has no archive")),
    environment,
  });
  const runtime = processRuntime({ dataDir: folder, examplesFolder, production: false });
  return { runtime, serving: order("serving"), failing: order("failing"), crashing: order("crashing") };
}

async function dockerFixture(busybox: string): Promise<Fixture> {
  const scripts = {
    serving: `printf 'hello \\033[31mred\\033[0m\\007 %s\\n' "$PLATFORM_STATE_API"; exec /bin/busybox httpd -f -p "$PLATFORM_PORT" -h /www`,
    failing: "echo cannot start; exit 3",
    // The shell is the container's first process: its code 137 is what an engine reports for SIGKILL.
    crashing: `while :; do
      request=$(printf 'HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\nconnection: close\\r\\n\\r\\nok' | /bin/busybox nc -l -p "$PLATFORM_PORT" | /bin/busybox head -n 1)
      case "$request" in *crash*) echo last words; exit 137;; esac
    done`,
  };
  const order = async (appName: keyof typeof scripts) => {
    const archivePath = path.join(folder, `${appName}.tar`);
    const imageDigest = await writeImage(archivePath, busybox, scripts[appName]);
    const openArchive = await archiveOpener(archivePath);
    return {
      bundleKind: "image" as const,
      versionId: v7(),
      appName,
      imageDigest,
      openArchive,
      environment,
    };
  };
  return {
    runtime: dockerRuntime({ dataDir: folder, examplesFolder: path.resolve("examples") }),
    serving: await order("serving"),
    failing: await order("failing"),
    crashing: await order("crashing"),
  };
}

const engineFailure = await findEngineFailure();
const busybox = await findBusybox();
const skipReason = engineFailure ?? (busybox === undefined ? "no static busybox" : undefined);

describe("process", () => testConformance(processFixture));
describe.skipIf(skipReason !== undefined)(
  `docker${skipReason === undefined ? "" : ` (skipped: ${skipReason})`}`,
  () => {
    testConformance(() => dockerFixture(busybox ?? ""));
    testHardening();
  },
);

function testConformance(make: () => Promise<Fixture>) {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await make();
  });
  afterEach(async () => {
    for (const found of await fixture.runtime.list()) await fixture.runtime.stop(found.handle, 0);
  });

  // Guarantee: a started app responds at its origin, is listed, and is gone after a stop.
  test("an app starts, responds, is listed, and stops", async () => {
    const { runtime, serving } = fixture;
    const { handle, origin } = await runtime.start(serving);
    await untilHealthy(origin);
    expect(await runtime.inspect(handle)).toEqual({ running: true, origin });
    expect(await runtime.list()).toEqual([{ handle, versionId: serving.versionId }]);
    await runtime.stop(handle, 1);
    expect(await runtime.inspect(handle)).toMatchObject({ running: false });
    expect(await runtime.list()).toEqual([]);
    // Nothing is sent to its old address, which another container may have by now.
    await runtime.stop(handle, 1);
  });

  // Guarantee: an app's output is shown without control characters, and the platform's variables take precedence.
  test("the end of the log has no control characters", async () => {
    const { runtime, serving } = fixture;
    const { handle, origin } = await runtime.start(serving);
    await untilHealthy(origin);
    expect(await runtime.logTail(handle, 4096)).toBe("hello red http://127.0.0.1:4999\n");
    expect(await runtime.logTail(handle, 5)).toBe("4999\n");
    expect(await runtime.logTail(handle, 4096, new Date())).toBe("");
  });

  // Guarantee: what an app wrote during a call is found later, and nothing from other moments is mistaken for it.
  test("the log between two moments has the lines of that time alone", async () => {
    const { runtime, crashing } = fixture;
    const { handle, origin } = await runtime.start(crashing);
    await untilHealthy(origin);
    const before = new Date();
    await sleep(100);
    await request(`${origin}/crash`).catch(() => undefined);
    await expect.poll(async () => (await runtime.inspect(handle)).running, { timeout: 5_000 }).toBe(false);
    await sleep(100);
    const after = new Date();
    expect(await runtime.logTail(handle, 4096, before, after)).toBe("last words\n");
    expect(await runtime.logTail(handle, 6, before, after)).toBe("words\n");
    expect(await runtime.logTail(handle, 4096, new Date(0), before)).toBe("");
    expect(await runtime.logTail(handle, 4096, after, new Date())).toBe("");
    await runtime.stop(handle, 0);
    expect(await runtime.logTail(handle, 4096, before, after)).toBe("");
  });

  // Guarantee: a reader gets each line once with its time, goes on where it left, and gets the app's last words.
  test("the log is followed to its end, and from any of its lines", async () => {
    const { runtime, crashing } = fixture;
    const { handle, origin } = await runtime.start(crashing);
    await untilHealthy(origin);
    const read = async (since?: bigint, follow = true) => {
      const pieces = [];
      for await (const piece of runtime.followLog(handle, {
        since,
        follow,
        signal: AbortSignal.timeout(10_000),
      }))
        pieces.push(piece);
      return pieces;
    };
    const followed = read();
    const before = BigInt(Date.now()) * 1_000_000n;
    const crash = () => request(`${origin}/crash`).then(({ body }) => body.dump());
    await expect
      .poll(async () => {
        await crash().catch(() => undefined);
        return (await runtime.inspect(handle)).running;
      })
      .toBe(false);
    const [last, ...others] = await followed;
    expect(others).toEqual([]);
    expect(last).toMatchObject({ stream: "stdout", bytes: Buffer.from("last words\n") });
    expect(Number((last?.at ?? 0n) - before) / 1e9).toBeGreaterThan(-0.01);
    expect(await read(last?.at, false)).toEqual([last]);
    expect(await read((last?.at ?? 0n) + 10_000n, false)).toEqual([]);
    await runtime.stop(handle, 0);
    expect(await read()).toEqual([]);
  });

  test("an app that ended has an exit code, and its log until it is stopped", async () => {
    const { runtime, failing } = fixture;
    const { handle } = await runtime.start(failing);
    await expect
      .poll(() => runtime.inspect(handle), { timeout: 10_000 })
      .toEqual({ running: false, code: "EXITED", reason: "exited with code 3", exitCode: 3 });
    expect(await runtime.logTail(handle, 100)).toBe("cannot start\n");
  });

  // Guarantee: a crash is reported when it happens; an app that the platform stops has not crashed.
  test("an exit is reported at once with its cause and the complete log", async () => {
    const { runtime, serving, crashing } = fixture;
    const exits: string[] = [];
    const stopWatching = runtime.watchExits((handle) => exits.push(handle));
    // Let the runtime connect to its engine.
    await sleep(500);
    const { handle, origin } = await runtime.start(crashing);
    await untilHealthy(origin);
    // Again until it is received: between two requests, the shell does not listen.
    const crash = () => request(`${origin}/crash`).then(({ body }) => body.dump());
    await expect
      .poll(
        () =>
          crash().then(
            () => exits,
            () => exits,
          ),
        { timeout: 5_000 },
      )
      .toEqual([handle]);
    expect(await runtime.inspect(handle)).toMatchObject({
      running: false,
      code: "EXITED",
      reason: "was killed by signal SIGKILL",
      exitCode: 137,
    });
    expect(await runtime.logTail(handle, 100)).toBe("last words\n");
    await runtime.stop(handle, 0);
    stopWatching();
    const other = await runtime.start(serving);
    await runtime.stop(other.handle, 0);
    expect(exits).toEqual([handle]);
  });

  test("starting a version again replaces the running app", async () => {
    const { runtime, serving } = fixture;
    const first = await runtime.start(serving);
    const second = await runtime.start(serving);
    await untilHealthy(second.origin);
    expect(await runtime.inspect(first.handle)).toMatchObject({ running: false });
    expect(await runtime.list()).toHaveLength(1);
  });
}

/** Guarantee: every limit that an app runs under is in force, as reported by the engine. */
function testHardening() {
  afterAll(async () => {
    const { serving, failing, crashing } = await dockerFixture(busybox ?? "");
    const images = [serving, failing, crashing].map((order) => new Docker().getImage(order.imageDigest));
    for (const image of images) await image.remove({ force: true });
  });

  test("a container is hardened, whatever the image declares", async () => {
    const { runtime, serving } = await dockerFixture(busybox ?? "");
    const { handle, origin } = await runtime.start(serving);
    await untilHealthy(origin);
    const { Config, HostConfig, Image, Mounts, NetworkSettings } = await new Docker()
      .getContainer(handle)
      .inspect();
    expect(Image).toBe(serving.imageDigest);
    expect(Config.User).toBe("65532:65532");
    expect(Config.Env).toEqual(
      expect.arrayContaining([
        "PLATFORM_PORT=8080",
        "PLATFORM_STATE_API=http://127.0.0.1:4999",
        "FROM_IMAGE=1",
      ]),
    );
    expect(Config.Healthcheck?.Test).toEqual(["NONE"]);
    expect(HostConfig).toMatchObject({
      ReadonlyRootfs: true,
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges:true"],
      PidsLimit: 256,
      Memory: 512 * 1024 * 1024,
      MemorySwap: 512 * 1024 * 1024,
      NanoCpus: 1_000_000_000,
      RestartPolicy: { Name: "no" },
    });
    expect(Mounts.every((mount) => mount.Type === "tmpfs")).toBe(true);
    expect(NetworkSettings.Ports["8080/tcp"]?.map((port) => port.HostIp)).toEqual(["127.0.0.1"]);
    expect(Object.keys(NetworkSettings.Networks)).toHaveLength(1);
    expect(await runtime.listening?.(handle)).toEqual({
      port: 8080,
      listeners: [{ port: 8080, loopback: false }],
    });
    await runtime.stop(handle, 0);
  });

  test("the volumes of a published image hide none of its files and prevent no start", async () => {
    const { runtime, serving } = await dockerFixture(busybox ?? "");
    const upload = await mkdtemp(path.join(folder, "upload-"));
    const script = `exec /bin/busybox httpd -f -p "$PLATFORM_PORT" -h /www`;
    await writeImage(uploadPath(upload), busybox ?? "", script, ["/", "/proc", "../../etc", "/www"]);
    const bundle = await readBundle(upload);
    const { archiveDigest, blobs } = await writeBlobs(bundle, upload);
    const environment = readEnvironment({
      NODE_ENV: "test",
      DATABASE_URL: "postgres://unused",
      PLATFORM_MASTER_KEYS: newMasterKey("test"),
      PLATFORM_DATA_DIR: folder,
    });
    for (const { file = "", ...blob } of blobs) await openStore(environment).adopt(blob, file);
    const imageDigest = bundle.image.digest;
    const { handle, origin } = await runtime.start({
      ...serving,
      imageDigest,
      openArchive: () => openArchive(environment, archiveDigest),
    });
    await untilHealthy(origin);
    const { Image, Mounts } = await new Docker().getContainer(handle).inspect();
    expect(Image).toBe(imageDigest);
    expect(Mounts).toEqual([]);
    await runtime.stop(handle, 0);
    await new Docker().getImage(imageDigest).remove({ force: true });
  });

  test("reports what an app listens on if it ignores PLATFORM_PORT and binds to loopback", async () => {
    const { runtime, serving } = await dockerFixture(busybox ?? "");
    const archivePath = path.join(folder, "astray.tar");
    const script = "exec /bin/busybox httpd -f -p 127.0.0.1:3000 -h /www";
    const imageDigest = await writeImage(archivePath, busybox ?? "", script);
    const openArchive = await archiveOpener(archivePath);
    const { handle } = await runtime.start({ ...serving, imageDigest, openArchive });
    await expect
      .poll(() => runtime.listening?.(handle), { timeout: 5_000 })
      .toEqual({ port: 8080, listeners: [{ port: 3000, loopback: true }] });
    await runtime.stop(handle, 0);
    await new Docker().getImage(imageDigest).remove({ force: true });
  });

  // Guarantee: a container of an example app contains the files that were published, and no others.
  test("refuses to build an example whose files changed since they were published", async () => {
    const { runtime, serving } = await dockerFixture(busybox ?? "");
    const imageDigest = `sha256:${"0".repeat(64)}`;
    const order = { ...serving, bundleKind: "example-folder" as const, appName: "vin-autofill", imageDigest };
    await expect(runtime.start(order)).rejects.toMatchObject({
      reasonCode: "IMAGE_MISSING",
      detail: expect.stringContaining("changed since they were published"),
    });
  });

  test("refuses to start if the archive does not contain the moderated image", async () => {
    const { runtime, serving } = await dockerFixture(busybox ?? "");
    const order = { ...serving, imageDigest: `sha256:${"0".repeat(64)}` };
    await expect(runtime.start(order)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    const absent = {
      ...order,
      openArchive: () => openFile(path.join(folder, "absent.tar"), order.imageDigest),
    };
    await expect(runtime.start(absent)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
}

async function untilHealthy(origin: string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const status = await request(`${origin}/health`).then(
      async ({ statusCode, body }) => {
        await body.dump();
        return statusCode;
      },
      () => 0,
    );
    if (status === 200) return;
    await sleep(50);
  }
  throw new Error(`nothing responded at ${origin}`);
}
