/** The real command line with engines that a test writes: their commands say what they have, and keep their arguments. */
import { spawn } from "node:child_process";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
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

async function run(...argv: string[]): Promise<{ status: number | null; errors: string; ms: number }> {
  const env = {
    PATH: `${bin()}:/usr/bin:/bin`,
    NODE_ENV: "test" as const,
    XDG_CONFIG_HOME: cli.folder,
    PLATFORM_URL: cli.url(),
    PLATFORM_CLIENT_ID: KEY.clientId,
    PLATFORM_API_KEY: KEY.apiKey,
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
  await givenEngine("docker");
  await givenEngine("podman");
  const uploads = cli.accept();
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
