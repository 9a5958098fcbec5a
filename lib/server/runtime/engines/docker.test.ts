import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import Docker from "dockerode";
import { afterAll, describe, expect, test } from "vitest";
import { dockerFixture, untilHealthy } from "@/tests/runtime-fixtures";
import { archiveOpener, findBusybox, writeImage } from "@/tests/test-image";
import { openStore } from "../../images/blob-store";
import { openArchive, openFile } from "../../images/open-archive";
import { readBundle } from "../../images/archive/read-bundle";
import { writeBlobs } from "../../images/keep-blobs";
import { uploadPath } from "../../images/archive/index-archive";
import { readEnvironment } from "../../platform/environment";
import { newMasterKey } from "../../platform/keyring";
import { findEngineFailure } from "./docker-engine";

const folder = await mkdtemp(path.join(tmpdir(), "platform-docker-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

const busybox = await findBusybox();
const skipReason = (await findEngineFailure()) ?? (busybox === undefined ? "no static busybox" : undefined);
const GRACE_SECONDS = 2;
const givenFixture = () => dockerFixture(folder, busybox ?? "");

describe.skipIf(skipReason !== undefined)(
  `docker${skipReason === undefined ? "" : ` (skipped: ${skipReason})`}`,
  testDocker,
);

/** Guarantee: every limit that an app runs under is in force, as reported by the engine. */
function testDocker() {
  afterAll(async () => (await givenFixture()).clean());

  test("a container is hardened, whatever the image declares", async () => {
    const fixture = await givenFixture();
    const { runtime, serving } = fixture;
    const { handle, origin } = await runtime.start(serving);
    await untilHealthy(fixture, origin);
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
        "HOME=/tmp",
      ]),
    );
    expect(Config.Healthcheck?.Test).toEqual(["NONE"]);
    expect(HostConfig).toMatchObject({
      Init: true,
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
      listeners: [{ port: 8080, loopback: false, family: expect.any(Number) }],
    });
    await runtime.stop(handle, 0);
  });

  test("the volumes of a published image hide none of its files and prevent no start", async () => {
    const fixture = await givenFixture();
    const { runtime, serving } = fixture;
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
    await untilHealthy(fixture, origin);
    const { Image, Mounts } = await new Docker().getContainer(handle).inspect();
    expect(Image).toBe(imageDigest);
    expect(Mounts).toEqual([]);
    await runtime.stop(handle, 0);
    await new Docker().getImage(imageDigest).remove({ force: true });
  });

  // Guarantee: whatever an app does with SIGTERM, a stop takes no longer than its grace, and leaves nothing.
  test.each([
    ["ignores it", `trap '' TERM; exec /bin/busybox httpd -f -p "$PLATFORM_PORT" -h /www`, "killed"],
    [
      "has a child that ignores it",
      `(trap '' TERM; while :; do /bin/busybox sleep 1; done) & exec /bin/busybox httpd -f -p "$PLATFORM_PORT" -h /www`,
      "ended",
    ],
    ["runs below a shell", `/bin/busybox httpd -f -p "$PLATFORM_PORT" -h /www; echo never`, "ended"],
    [
      "runs below a shell that ignores it",
      `trap '' TERM; /bin/busybox httpd -f -p "$PLATFORM_PORT" -h /www; echo never`,
      "killed",
    ],
  ] as const)("an app that %s is stopped in time", async (what, script, expected) => {
    const fixture = await givenFixture();
    const { runtime, serving } = fixture;
    const archivePath = path.join(folder, `${what.replaceAll(" ", "-")}.tar`);
    const imageDigest = await writeImage(archivePath, busybox ?? "", script);
    const openArchive = await archiveOpener(archivePath);
    const { handle, origin } = await runtime.start({ ...serving, imageDigest, openArchive });
    await untilHealthy(fixture, origin);
    const { NetworkSettings } = await new Docker().getContainer(handle).inspect();
    const [network = ""] = Object.keys(NetworkSettings.Networks);
    const since = performance.now();
    expect(await runtime.stop(handle, GRACE_SECONDS)).toBe(expected);
    const seconds = (performance.now() - since) / 1_000;
    if (expected === "killed") expect(seconds).toBeGreaterThan(GRACE_SECONDS - 0.1);
    // The engine's own work is in it.
    expect(seconds).toBeLessThan(GRACE_SECONDS + 15);
    await expect(new Docker().getContainer(handle).inspect()).rejects.toMatchObject({ statusCode: 404 });
    await expect(new Docker().getNetwork(network).inspect()).rejects.toMatchObject({ statusCode: 404 });
    await new Docker().getImage(imageDigest).remove({ force: true });
  });

  test("reports what an app listens on if it ignores PLATFORM_PORT and binds to loopback", async () => {
    const { runtime, serving } = await givenFixture();
    const archivePath = path.join(folder, "astray.tar");
    const script = "exec /bin/busybox httpd -f -p 127.0.0.1:3000 -h /www";
    const imageDigest = await writeImage(archivePath, busybox ?? "", script);
    const openArchive = await archiveOpener(archivePath);
    const { handle } = await runtime.start({ ...serving, imageDigest, openArchive });
    await expect
      .poll(() => runtime.listening?.(handle))
      .toEqual({ port: 8080, listeners: [{ port: 3000, loopback: true, family: 4 }] });
    await runtime.stop(handle, 0);
    await new Docker().getImage(imageDigest).remove({ force: true });
  });

  // Guarantee: an app that runs commands never fills its process limit with those that ended.
  test("processes that lost their parent are reaped, and an app can write to its home", async () => {
    const fixture = await givenFixture();
    const { runtime, serving } = fixture;
    const archivePath = path.join(folder, "orphans.tar");
    // The web server reaps nobody. Each subshell ends at once and leaves a process to the first one: 300, more than the limit.
    const script = `cd && echo "home $(pwd)" > "$HOME/written" && cat "$HOME/written"
      zombies() { grep -l '^State:.Z' /proc/[0-9]*/status 2>/dev/null | /bin/busybox wc -l; }
      leave() {
        i=0; while [ $i -lt 300 ]; do ( /bin/busybox true & ); i=$((i + 1)); done
        until [ "$(zombies)" = 0 ]; do :; done
        echo "no zombies"
      }
      leave & exec /bin/busybox httpd -f -p "$PLATFORM_PORT" -h /www`;
    const imageDigest = await writeImage(archivePath, busybox ?? "", script);
    const openArchive = await archiveOpener(archivePath);
    const { handle, origin } = await runtime.start({ ...serving, imageDigest, openArchive });
    await untilHealthy(fixture, origin);
    const log = () => runtime.logTail(handle, 1_000);
    await expect.poll(log).toBe("home /tmp\nno zombies\n");
    await runtime.stop(handle, 0);
    await new Docker().getImage(imageDigest).remove({ force: true });
  });

  // Guarantee: what the engine's init can't start has the same reason as what the engine itself can't.
  test("a command that is not in the image was not started", async () => {
    const { runtime, serving } = await givenFixture();
    const archivePath = path.join(folder, "no-command.tar");
    const imageDigest = await writeImage(archivePath, busybox ?? "", "exit 0");
    const docker = new Docker();
    await runtime.start({ ...serving, imageDigest, openArchive: await archiveOpener(archivePath) });
    const container = await docker.createContainer({ Image: imageDigest });
    const { Id } = await container.commit({ changes: 'ENTRYPOINT ["/absent"]' });
    await container.remove();
    const { handle } = await runtime.start({ ...serving, imageDigest: Id });
    await expect
      .poll(() => runtime.inspect(handle))
      .toMatchObject({
        running: false,
        code: "COMMAND_NOT_STARTED",
        reason: "could not be started: exec /absent failed: No such file or directory",
      });
    await runtime.stop(handle, 0);
    for (const image of [Id, imageDigest]) await docker.getImage(image).remove({ force: true });
  });

  // Guarantee: what an image's configuration makes the engine say is its publisher's to fix, and can be stored and shown.
  test.each([
    ["has a NUL", "/a\0b"],
    ["is a file", "/www/health"],
    ["has a name too long", `/${"a".repeat(300)}`],
  ])("an image whose working folder %s is not started", async (what, workingFolder) => {
    const { runtime, serving } = await givenFixture();
    const archivePath = path.join(folder, `${what}.tar`);
    const imageDigest = await writeImage(archivePath, busybox ?? "", "exit 0", [], "{}", workingFolder);
    const openArchive = await archiveOpener(archivePath);
    const failure = await runtime.start({ ...serving, imageDigest, openArchive }).then(
      ({ handle }) => runtime.inspect(handle),
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ reasonCode: "COMMAND_NOT_STARTED" });
    expect(String(failure)).not.toContain("\0");
    expect(await runtime.listNetworks?.()).toEqual([]);
    await new Docker().getImage(imageDigest).remove({ force: true });
  });

  // Guarantee: a server for IPv6 alone is found, because the kernel of its container has no other listener.
  test("a listener on [::] alone is of IPv6", async () => {
    const { runtime, serving } = await givenFixture();
    const archivePath = path.join(folder, "ipv6.tar");
    const script = 'exec /bin/busybox httpd -f -p "[::]:$PLATFORM_PORT" -h /www';
    const imageDigest = await writeImage(archivePath, busybox ?? "", script);
    const openArchive = await archiveOpener(archivePath);
    const { handle, origin } = await runtime.start({ ...serving, imageDigest, openArchive });
    await expect
      .poll(() => runtime.listening?.(handle))
      .toEqual({ port: 8080, listeners: [{ port: 8080, loopback: false, family: 6 }] });
    // Unless it refuses IPv4, it is reached.
    await untilHealthy(await givenFixture(), origin);
    await runtime.stop(handle, 0);
    await new Docker().getImage(imageDigest).remove({ force: true });
  });

  // Guarantee: a container of an example app contains the files that were published, and no others.
  test("refuses to build an example whose files changed since they were published", async () => {
    const { runtime, serving } = await givenFixture();
    const imageDigest = `sha256:${"0".repeat(64)}`;
    const order = { ...serving, bundleKind: "example-folder" as const, appName: "vin-autofill", imageDigest };
    await expect(runtime.start(order)).rejects.toMatchObject({
      reasonCode: "IMAGE_MISSING",
      detail: expect.stringContaining("changed since they were published"),
    });
  });

  test("refuses to start if the archive does not contain the moderated image", async () => {
    const { runtime, serving } = await givenFixture();
    const order = { ...serving, imageDigest: `sha256:${"0".repeat(64)}` };
    await expect(runtime.start(order)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    const absent = {
      ...order,
      openArchive: () => openFile(path.join(folder, "absent.tar"), order.imageDigest),
    };
    await expect(runtime.start(absent)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
}
