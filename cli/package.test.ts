/** The package as publishers get it: with everything that it needs, installed without a network. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { servePackage } from "@/lib/server/surface/web/responses";
import { CLI_BUNDLE_OPTIONS } from "@/launcher/build-cli.mjs";

const run = promisify(execFile);
/** No registry is asked: a dependency that is not in the package fails the installation. */
const OFFLINE = ["--offline", "--no-audit", "--no-fund", "--loglevel=error"];

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "cli-package-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("the tarball of `npm pack` installs globally without a network and runs in an empty folder", async () => {
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder, "./cli"]);
  const packed: { filename: string; files: { path: string }[] }[] = JSON.parse(stdout);
  const tarball = path.join(folder, packed[0]?.filename ?? "");
  const paths = packed[0]?.files.map((file) => file.path) ?? [];
  expect(paths).toEqual(
    expect.arrayContaining(["dist/platform-app.js", "dist/third-party-notices.txt", "LICENSE"]),
  );
  expect(paths.filter((each) => each.endsWith(".ts") && !each.startsWith("templates/"))).toEqual([]);

  const prefix = path.join(folder, "prefix");
  await run("npm", ["install", "--global", "--prefix", prefix, ...OFFLINE, tarball]);
  expect(await readdir(path.join(prefix, "lib/node_modules"))).toEqual(["platform-app"]);
  const empty = await mkdtemp(path.join(folder, "empty-"));
  const command = (...argv: string[]) => run(path.join(prefix, "bin/platform-app"), argv, { cwd: empty });
  const { version } = JSON.parse(await readFile("cli/package.json", "utf8"));
  expect((await command("--version")).stdout.trim()).toBe(version);
  expect((await command("publish", "--help")).stdout).toContain("Examples:");
  await expect(command("publish", "no-such-image")).rejects.toMatchObject({ code: 3 });
  // Every package in the bundle that is loaded late: the engine's client, prompts, and uploads.
  await expect(
    command("login", "--url", "http://127.0.0.1:1", "--client-id", "a", "--api-key", "b"),
  ).rejects.toMatchObject({
    code: 5,
  });
});

// Guarantee: a tool knows the platform that it was installed from, whatever its ports.
test("npx runs the tarball that the platform offers, which knows its gateway", async () => {
  const empty = await mkdtemp(path.join(folder, "npx-"));
  const tarball = path.join(folder, "served.tgz");
  const served = await servePackage({
    environment: { PLATFORM_GATEWAY_URL: "https://gateway.example:8443/" },
  });
  await writeFile(tarball, Buffer.from(await served.arrayBuffer()));
  const env = { ...process.env, XDG_CONFIG_HOME: empty };
  const npx = (...argv: string[]) =>
    run("npx", ["--yes", ...OFFLINE, "--package", tarball, "platform-app", ...argv], { cwd: empty, env });
  expect((await npx("--version")).stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/);
  await expect(npx("whoami")).rejects.toMatchObject({
    code: 3,
    stderr: expect.stringContaining("You are not logged in to https://gateway.example:8443."),
  });
});

// Guarantee: what a command needs is loaded by that command, so the start stays fast.
test("startup loads only commander and our own code", async () => {
  const { metafile } = await build(CLI_BUNDLE_OPTIONS);
  const outputs = Object.entries(metafile.outputs);
  const open = outputs.filter(([, { entryPoint }]) => entryPoint === "cli/main.ts").map(([name]) => name);
  const loaded = new Set<string>();
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (loaded.has(name)) continue;
    loaded.add(name);
    for (const { path: next, kind } of metafile.outputs[name]?.imports ?? [])
      if (kind === "import-statement" && next in metafile.outputs) open.push(next);
  }
  const inputs = [...loaded].flatMap((name) => Object.keys(metafile.outputs[name]?.inputs ?? {}));
  const packages = inputs.flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? []);
  expect([...new Set(packages)]).toEqual(["commander"]);
  const bytes = [...loaded].map((name) => metafile.outputs[name]?.bytes ?? 0);
  const total = bytes.reduce((sum, each) => sum + each, 0);
  expect(total).toBeGreaterThan(10_000);
  expect(total).toBeLessThan(100_000);
});
