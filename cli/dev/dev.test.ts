/** `platform-app dev` and `platform-app call` as programs: what is said, and what is left when they end. */
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { copyFile, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import { freePort } from "@/lib/server/platform/machine";
import { findBusybox } from "@/tests/test-image";

const ROOT = path.join(import.meta.dirname, "../..");
const run = promisify(execFile);
const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

async function newFolder(): Promise<{ folder: string; environment: Record<string, string | undefined> }> {
  const base = await mkdtemp(path.join(tmpdir(), "dev-program-"));
  ended.push(() => rm(base, { recursive: true, force: true }));
  const { PATH, HOME, DOCKER_HOST } = process.env;
  return {
    folder: path.join(base, "app"),
    environment: { PATH, HOME, DOCKER_HOST, XDG_STATE_HOME: path.join(base, "state"), XDG_CONFIG_HOME: base },
  };
}

/** The bundle, which the set-up of the tests builds. */
const PROGRAM = path.join(ROOT, "cli/dist/platform-app.js");

function start(args: string[], { folder, environment }: Awaited<ReturnType<typeof newFolder>>) {
  const child = spawn(process.execPath, [PROGRAM, "dev", "--port", "0", "--json", ...args], {
    cwd: folder,
    env: { ...environment, NODE_ENV: "test" },
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  ended.push(async () => void child.kill("SIGKILL"));
  return { child, output: () => output };
}

const exit = (child: ChildProcess) =>
  new Promise<number | null>((resolve) =>
    child.exitCode === null && child.signalCode === null
      ? child.once("exit", resolve)
      : resolve(child.exitCode),
  );

const portOf = (output: string) => /"state":"ready"[^\n]*?"port":(\d+)/.exec(output)?.[1];
const answers = (port: string | undefined) =>
  fetch(`http://127.0.0.1:${port}/health`).then(
    () => true,
    () => false,
  );

// Guarantee: whatever ends the emulator ends the app.
test.each(["SIGINT", "SIGKILL"] as const)("%s leaves no process", { timeout: 120_000 }, async (signal) => {
  const place = await newFolder();
  await cp(path.join(ROOT, "examples/vin-autofill"), place.folder, { recursive: true });
  const { child, output } = start(["--", "node", "server.mjs"], place);
  await expect.poll(() => portOf(output()), { timeout: 60_000 }).toBeDefined();
  const port = portOf(output());
  expect(await answers(port)).toBe(true);
  child.kill(signal);
  expect(await exit(child)).toBe(signal === "SIGINT" ? 0 : null);
  await expect.poll(() => answers(port)).toBe(false);
});

// Guarantee: a page that connects again while the emulator starts is refused or answered, never left without an answer.
test("requests during the start are answered", { timeout: 120_000 }, async () => {
  const place = await newFolder();
  await cp(path.join(ROOT, "examples/vin-autofill"), place.folder, { recursive: true });
  const port = await freePort();
  start(["--port", String(port), "--", "node", "server.mjs"], place);
  const ask = () =>
    fetch(`http://127.0.0.1:${port}/api/dev/snapshot`, { signal: AbortSignal.timeout(30_000) }).then(
      ({ status }) => status,
      (error: unknown) => (error instanceof DOMException ? error.name : "refused"),
    );
  const asked: Promise<number | string>[] = [];
  await expect
    .poll(
      () => {
        const answer = ask();
        asked.push(answer);
        return answer;
      },
      { timeout: 60_000, interval: 1 },
    )
    .toBe(200);
  expect(await Promise.all(asked)).not.toContain("TimeoutError");
});

const docker = await run("docker", ["version", "--format", "{{.Server.Os}}"]).then(
  ({ stdout }) => stdout.trim() === "linux",
  () => false,
);
const busybox = await findBusybox();

// Guarantee: the container runs under the platform's limits, and one that a killed emulator left is removed by the next.
test.skipIf(!docker || busybox === undefined)("a container", { timeout: 180_000 }, async () => {
  const place = await newFolder();
  const { folder } = place;
  await cp(path.join(ROOT, "examples/claims-intake"), folder, { recursive: true });
  await writeFile(path.join(folder, "platform-app.json"), '{ "name": "acme/boxed", "version": "1.0.0" }');
  await copyFile(busybox ?? "", path.join(folder, "busybox"));
  await writeFile(path.join(folder, "health"), "ok");
  const dockerfile = [
    "FROM scratch",
    "COPY busybox /bin/busybox",
    "COPY health /www/health",
    'ENTRYPOINT ["/bin/busybox", "sh", "-c", "exec /bin/busybox httpd -f -p $PLATFORM_PORT -h /www"]',
  ];
  await writeFile(path.join(folder, "Dockerfile"), dockerfile.join("\n"));
  const first = start([], place);
  await expect.poll(() => portOf(first.output()), { timeout: 90_000 }).toBeDefined();
  const list = async () =>
    (
      await run("docker", [
        "ps",
        "-aq",
        "--filter",
        "label=platform-app.dev",
        "--filter",
        `ancestor=${image()}`,
      ])
    ).stdout.trim();
  const image = () => /platform-app-dev\/[0-9a-f]+/.exec(first.output())?.[0] ?? "";
  ended.push(() => run("docker", ["image", "rm", "-f", image()]));
  const id = await list();
  const { stdout } = await run("docker", ["inspect", "-f", "{{json .HostConfig}} {{.Config.User}}", id]);
  for (const limit of [
    '"ReadonlyRootfs":true',
    '"CapDrop":["ALL"]',
    '"Memory":536870912',
    '"PidsLimit":256',
    "no-new-privileges",
    "65532:65532",
  ])
    expect(stdout).toContain(limit);
  first.child.kill("SIGKILL");
  await exit(first.child);
  expect(await list()).toBe(id);
  const second = start([], place);
  await expect.poll(() => portOf(second.output()), { timeout: 90_000 }).toBeDefined();
  expect(await list()).not.toContain(id);
  second.child.kill("SIGINT");
  expect(await exit(second.child)).toBe(0);
  expect(await list()).toBe("");
  const network = image().replace("/", "-");
  const networks = await run("docker", ["network", "ls", "-q", "--filter", `name=${network}`]);
  expect(networks.stdout).toBe("");
});

// Guarantee: the same for a container, whose image needs no program for it.
test.skipIf(!docker || busybox === undefined)(
  "a container that listens on another port is told so",
  { timeout: 180_000 },
  async () => {
    const place = await newFolder();
    const { folder } = place;
    await mkdir(folder);
    await writeFile(
      path.join(folder, "platform-app.json"),
      '{ "name": "acme/elsewhere", "version": "1.0.0" }',
    );
    await copyFile(busybox ?? "", path.join(folder, "busybox"));
    const dockerfile = [
      "FROM scratch",
      "COPY busybox /busybox",
      'CMD ["/busybox", "httpd", "-f", "-p", "3000"]',
    ];
    await writeFile(path.join(folder, "Dockerfile"), dockerfile.join("\n"));
    const { child, output } = start([], place);
    await expect
      .poll(output, { timeout: 120_000 })
      .toContain("It listens on port 3000, not on the port in PLATFORM_PORT, which is 8080.");
    child.kill("SIGINT");
    expect(await exit(child)).toBe(0);
    const image = /platform-app-dev\/[0-9a-f]+/.exec(output())?.[0] ?? "";
    await run("docker", ["image", "rm", "-f", image]);
  },
);
