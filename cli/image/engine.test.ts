/** The real command line with engines that a test writes: their commands say what they have, and keep their arguments. */
import { spawn } from "node:child_process";
import { createReadStream } from "node:fs";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { givenCli, KEY, SOURCE } from "@/tests/cli/publishing-cli";
import { supportsInit } from "./engine";

const cli = givenCli();
const BUNDLE = path.resolve(`.build/platform-app-engine-${process.pid}.js`);
const bin = () => path.join(cli.folder, "bin");
const calls = (engine: string) => readFile(path.join(cli.folder, engine), "utf8").catch(() => "");
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

beforeAll(() =>
  build({
    entryPoints: ["cli/main.ts"],
    outfile: BUNDLE,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
  }),
);
afterAll(() => rm(BUNDLE));
beforeEach(() => mkdir(bin()));

/** @param more lines that run before an image is found; `save` writes the test's archive, then runs `afterSave` */
async function givenEngine(name: string, { more = "", afterSave = "" } = {}): Promise<void> {
  const script = `#!/bin/sh
echo "$@" >> ${path.join(cli.folder, name)}
${more}
case "$1 $2" in
  "image inspect") case "$5" in acme/*|app) echo "sha256:1234 3000000"; exit ;; esac
    echo "Error: No such image: $5" >&2; exit 1 ;;
  save*) echo $$ > ${path.join(cli.folder, "pid")}; cat ${cli.archiveFile}; ${afterSave || ":"} ;;
esac`;
  await writeFile(path.join(bin(), name), script);
  await chmod(path.join(bin(), name), 0o755);
}

/** More variables of the next commands. */
let variables: Record<string, string> = {};
beforeEach(() => (variables = {}));

async function run(...argv: string[]): Promise<{ status: number | null; errors: string; ms: number }> {
  const env = {
    PATH: `${bin()}:/usr/bin:/bin`,
    HOME: cli.folder,
    NODE_ENV: "test" as const,
    XDG_CONFIG_HOME: cli.folder,
    PLATFORM_URL: cli.url(),
    PLATFORM_CLIENT_ID: KEY.clientId,
    PLATFORM_API_KEY: KEY.apiKey,
    ...variables,
  };
  const from = Date.now();
  const child = spawn(process.execPath, [BUNDLE, ...argv], { env, cwd: cli.folder });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const status = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { status, errors, ms: Date.now() - from };
}

// Guarantee: what was built is what is published, whatever context or variable chooses the engine.
test("publish --build reads the image from the engine that built it, and from no other one", async () => {
  const contexts = path.join(cli.folder, "contexts");
  await givenEngine("docker", { more: `echo "$DOCKER_CONTEXT $DOCKER_HOST" >> ${contexts}` });
  await givenEngine("podman");
  const uploads = cli.accept();
  variables = { DOCKER_CONTEXT: "remote", DOCKER_HOST: "ssh://builder" };
  const { status, errors } = await run("publish", "--build", ".");
  expect(status, errors).toBe(0);
  expect(uploads).toHaveLength(1);
  const asked = (await calls("docker")).split("\n").map((line) => line.split(" ").slice(0, 2).join(" "));
  expect(asked.filter((line) => !line.startsWith("version"))).toEqual([
    "build --platform",
    "image inspect",
    "save sha256:1234",
    "",
  ]);
  expect(await calls("podman")).toBe("");
  expect(new Set((await readFile(contexts, "utf8")).trim().split("\n"))).toEqual(
    new Set(["remote ssh://builder"]),
  );
});

// Guarantee: nobody publishes the image of another engine without a word.
test("an image that only Podman has is found; if both have other ones, Docker's is taken, with a warning", async () => {
  const other =
    'case "$1 $2" in "image inspect") echo "5678 3000000 2026-02-02 00:00:00 +0000 UTC"; exit ;; esac';
  await givenEngine("docker");
  await givenEngine("podman", { more: other });
  cli.accept();
  const both = await run("publish", "app");
  expect(both.status, both.errors).toBe(0);
  expect(both.errors).toMatch(
    /docker and podman have different images named app\..* of docker; that of podman is another one, created 2026-02-02/,
  );
  expect(await calls("docker")).toContain("save sha256:1234");
  expect(await calls("podman")).not.toContain("save");
  // The same image: Podman leaves out the algorithm.
  await givenEngine("podman", { more: other.replace("5678", "1234") });
  await writeFile(cli.manifestFile, SOURCE);
  expect((await run("publish", "app")).errors).not.toContain("different images");
  const only = await run("publish", "elsewhere");
  expect(only.status, only.errors).toBe(0);
  expect(only.errors).toContain("Using the image of podman. docker has none named elsewhere.");
  expect(await calls("podman")).toContain("save 1234");
});

/** An engine that only its socket reaches, which has the image `app`. */
async function givenSocket(socket: string, id: string, images = ["app"]) {
  await mkdir(path.dirname(socket), { recursive: true });
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const url = request.url ?? "";
    asked.push(url);
    if (url.includes("/get")) return void createReadStream(cli.archiveFile).pipe(response);
    const isFound = images.some((name) => url.endsWith(`/images/${name}/json`));
    response.writeHead(isFound ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(isFound ? { Id: id, Size: 9, Created: "2026-01-01" } : { message: "none" }));
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(() => void server.close());
  return asked;
}

// Guarantee: engines without root are found, also where no command is installed.
test("without a command, the sockets of all engines are asked, and DOCKER_HOST alone if it is set", async () => {
  cli.accept();
  variables = { PATH: bin(), XDG_RUNTIME_DIR: path.join(cli.folder, "run") };
  const podman = await givenSocket(path.join(cli.folder, "run/podman/podman.sock"), "sha256:99");
  const first = await run("publish", "app");
  expect(first.status, first.errors).toBe(0);
  expect(podman.at(-1)).toMatch(/\/images\/sha256:99\/get$/);
  const docker = await givenSocket(path.join(cli.folder, "run/docker.sock"), "sha256:88");
  const second = await run("publish", "app");
  expect(second.status, second.errors).toBe(0);
  expect(second.errors).toMatch(/run\/docker\.sock and \S+podman\.sock have different images named app/);
  expect(docker.at(-1)).toMatch(/\/images\/sha256:88\/get$/);
  const missing = await run("publish", "elsewhere");
  expect([missing.status, missing.errors]).toEqual([
    1,
    expect.stringContaining('No file or local image named "elsewhere"'),
  ]);
  variables.DOCKER_HOST = `unix://${path.join(cli.folder, "gone.sock")}`;
  const gone = await run("publish", "app");
  expect([gone.status, gone.errors]).toEqual([1, expect.stringContaining("No container engine is running")]);
});

test("podman is used if docker is missing or doesn't respond", async () => {
  await givenEngine("docker", { more: "exit 1" });
  await givenEngine("podman");
  const uploads = cli.accept();
  expect((await run("publish", "--build", ".")).errors).toContain("Publishing acme/x-app 1.5.0");
  expect(uploads).toHaveLength(1);
  await rm(path.join(bin(), "podman"));
  const { status, errors } = await run("publish", "acme/x-app");
  expect([status, errors]).toEqual([1, expect.stringContaining("No container engine is running")]);
});

// Guarantee: a command that writes an image never keeps the command line from ending.
describe("if the image is refused, the command line ends at once, and so does what writes the image", () => {
  test.each([
    ["more than the archive", "yes", "has no platform-app.json"],
    [
      "messages after the archive",
      "exec 1>&-; while :; do echo waiting >&2; sleep 0.05; done",
      "has no platform-app.json",
    ],
  ])(
    "that writes %s",
    async (_what, afterSave, message) => {
      await cli.writeArchive(null);
      await givenEngine("docker", { afterSave });
      const { status, errors, ms } = await run("publish", "app");
      expect(errors).toContain(message);
      expect(status).toBe(4);
      expect(ms).toBeLessThan(20_000);
      expect(isAlive(Number(await readFile(path.join(cli.folder, "pid"), "utf8")))).toBe(false);
    },
    30_000,
  );
});

describe("a name that is also in the working folder", () => {
  test("means the image if it is a folder's, or a file's that is not an archive", async () => {
    await givenEngine("docker");
    const uploads = cli.accept();
    await mkdir(path.join(cli.folder, "app"));
    const first = await run("publish", "app");
    expect(first.status, first.errors).toBe(0);
    await rm(path.join(cli.folder, "app"), { recursive: true });
    await writeFile(path.join(cli.folder, "app"), "#!/bin/sh\n");
    const second = await run("publish", "app");
    expect(second.status, second.errors).toBe(0);
    await writeFile(path.join(cli.folder, "app"), await cli.writeArchive(SOURCE, 1_000));
    const third = await run("publish", "app");
    expect(third.status, third.errors).toBe(0);
    expect(uploads).toHaveLength(3);
    expect((await calls("docker")).match(/^image inspect/gm)).toHaveLength(2);
  });

  test("gets an explanation if no image has the name", async () => {
    await givenEngine("docker");
    await mkdir(path.join(cli.folder, "folder"));
    await writeFile(path.join(cli.folder, "file"), "text");
    for (const [name, message] of [
      ["folder", "folder is a folder, and no local image has this name."],
      ["file", "file is a file that is not an image archive, and no local image has this name."],
      ["./folder", "./folder is a folder. Pass the name of a local image"],
    ] as const) {
      const { status, errors } = await run("publish", name);
      expect([status, errors]).toEqual([2, expect.stringContaining(message)]);
    }
  });
});

test("an engine without a first process for containers is noticed", async () => {
  const environment = { PATH: `${bin()}:/usr/bin:/bin` };
  const refuse = 'case "$*" in *--init*) echo "no catatonit" >&2; exit 125 ;; create*) echo c1 ;; esac';
  await givenEngine("podman", { more: refuse });
  expect(await supportsInit("podman", environment, "app")).toBe(false);
  await givenEngine("podman", { more: 'case "$1" in create) echo c1; exit ;; esac' });
  expect(await supportsInit("podman", environment, "app")).toBe(true);
  expect(await calls("podman")).toContain("rm -f c1");
  for (const [id, expected] of [
    ["N/A", false],
    ["de40ad0", true],
  ] as const) {
    await givenEngine("docker", { more: `[ "$1" = info ] && echo ${id} && exit` });
    expect(await supportsInit("docker", environment, "app")).toBe(expected);
  }
});
