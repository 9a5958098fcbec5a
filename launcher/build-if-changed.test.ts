import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { describeCliBuild } from "./build-cli.mjs";
import { buildIfChanged } from "./build-if-changed.mjs";

const WHAT = { sources: ["pages", "package-lock.json", "absent"], outputs: ["out"], stamp: "stamp" };
let root = "";
let builds = 0;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "fingerprint-"));
  await mkdir(path.join(root, "pages/inner"), { recursive: true });
  await write("pages/inner/home.tsx", "home");
  await write("package-lock.json", "{}");
  builds = 0;
});
afterEach(() => rm(root, { recursive: true }));

const write = (file: string, text: string) => writeFile(path.join(root, file), text);
const remove = (file: string) => rm(path.join(root, file));

/** Whether it was built. */
async function build(): Promise<boolean> {
  const before = builds;
  await buildIfChanged({ root, ...WHAT }, async () => {
    builds += 1;
    await mkdir(path.join(root, "out"), { recursive: true });
    await write("out/page.html", await readFile(path.join(root, "pages/inner/home.tsx"), "utf8"));
  });
  return builds > before;
}

// Guarantee: nothing is built twice from the same sources, and nothing is left as it was built from others.
test("a second build of the same sources is skipped", async () => {
  expect([await build(), await build()]).toEqual([true, false]);
  await write("pages/inner/home.tsx", "home");
  await write("pages/inner/home.test.tsx", "a test is not in the output");
  expect(await build()).toBe(false);
});

test.each<[string, () => Promise<void>]>([
  ["changed", () => write("pages/inner/home.tsx", "other")],
  ["added", () => write("pages/about.tsx", "about")],
  ["removed", () => remove("package-lock.json")],
])("a source that was %s is built", async (_, change) => {
  await build();
  await change();
  expect([await build(), await build()]).toEqual([true, false]);
});

test("an output that is missing or was overwritten is built again", async () => {
  await build();
  await remove("out/page.html");
  expect([await build(), await build()]).toEqual([true, false]);
  await write("out/page.html", "from somewhere else");
  expect([await build(), await build()]).toEqual([true, false]);
});

test("a source that changes during a build is built the next time, and a build that fails is repeated", async () => {
  await buildIfChanged({ root, ...WHAT }, () => write("pages/inner/home.tsx", "saved too late"));
  expect([await build(), await build()]).toEqual([true, false]);
  await write("pages/inner/home.tsx", "wrong");
  const fail = () => Promise.reject(new Error("This is wrong."));
  await expect(buildIfChanged({ root, ...WHAT }, fail)).rejects.toThrow("This is wrong.");
  expect(await build()).toBe(true);
});

test("the command line and the emulator's page depend on everything that is in them, and not on themselves", async () => {
  const described = describeCliBuild();
  const stamp = path.relative(described.root, path.join(root, "stamp"));
  const build = vi.fn(() => Promise.resolve());
  for (let start = 0; start < 2; start += 1) await buildIfChanged({ ...described, stamp }, build);
  expect(build).toHaveBeenCalledTimes(1);
  const files = [
    "cli/program.ts",
    "cli/dev-page/main.tsx",
    "cli/templates/node/server.mjs",
    "cli/package.json",
    "components/ui/button.tsx",
    "lib/domain/catalog/manifest/version.ts",
    "app/globals.css",
    "package-lock.json",
    "launcher/build-cli.mjs",
    "launcher/build-dev-page.mjs",
    "launcher/build-if-changed.mjs",
  ];
  const isSource = (file: string) =>
    described.sources.some((each) => file === each || file.startsWith(`${each}/`));
  expect(files.filter((file) => !isSource(file))).toEqual([]);
  expect(isSource("cli/dist/platform-app.js")).toBe(false);
});
