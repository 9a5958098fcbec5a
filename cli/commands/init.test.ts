import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MANIFEST_FILE } from "@/lib/contract/platform/manifest-terms";
import { checkManifest } from "@/lib/domain/catalog/manifest/check-manifest";
import { runProgram } from "../program";
import { readCliEnvironment } from "../terminal/environment";
import { type RecordedTerminal, recordTerminal } from "../terminal/test-terminal";
import { TEMPLATE_NAMES } from "./templates";

let folder: string;
let terminal: RecordedTerminal;
const NAME = ["--name", "lakeside/vin-check"];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "init-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const at = (...names: string[]) => path.join(folder, ...names);

function init(...argv: string[]): Promise<number> {
  terminal = recordTerminal();
  return runProgram(["init", ...argv], readCliEnvironment({ XDG_CONFIG_HOME: folder }), terminal);
}

test("each template has the app's name everywhere, and a manifest without errors or warnings", async () => {
  for (const template of TEMPLATE_NAMES) {
    expect(await init(at(template), "--template", template, ...NAME)).toBe(0);
    const files = (await readdir(at(template), { recursive: true, withFileTypes: true })).filter((each) =>
      each.isFile(),
    );
    expect(files.map(({ name }) => name)).toEqual(
      expect.arrayContaining([".dockerignore", ".gitignore", "Dockerfile", "Makefile", "README.md"]),
    );
    for (const file of files) {
      const text = await readFile(path.join(file.parentPath, file.name), "utf8");
      expect(text, file.name).not.toContain("my-app");
    }
    const text = await readFile(at(template, MANIFEST_FILE), "utf8");
    const { manifest, issues } = checkManifest(text);
    expect(issues).toEqual([]);
    expect(manifest).toMatchObject({ name: "lakeside/vin-check", $schema: "./platform-app.schema.json" });
    expect(manifest?.app?.fields?.map(({ type }) => type)).toEqual(["Select", "Text", "Password"]);
    const schema = JSON.parse(await readFile(at(template, "platform-app.schema.json"), "utf8"));
    expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(Object.keys(manifest ?? {})));
  }
});

test("all templates have the same manifest", async () => {
  const manifests = TEMPLATE_NAMES.map((template) =>
    readFile(path.join(import.meta.dirname, "../templates", template, MANIFEST_FILE), "utf8"),
  );
  expect(new Set(await Promise.all(manifests)).size).toBe(1);
});

test("without a terminal, or with --yes, the missing options are named", async () => {
  expect(await init()).toBe(2);
  expect(terminal.notes.join("\n")).toContain(
    "Pass --name <organization>/<app> and --template node|python|java|go.",
  );
  expect(await init(...NAME, "--yes")).toBe(2);
  expect(terminal.notes[0]).toContain("Pass --template node|python|java|go.");
  expect(await init("--template", "go")).toBe(2);
  expect(terminal.notes[0]).toContain("Pass --name <organization>/<app>.");
  expect(terminal.notes[1]).toContain("platform-app init --template go --name acme/vin-lookup");
  expect(await init("--manifest-only")).toBe(2);
  expect(terminal.notes[0]).toContain("Pass --name <organization>/<app>.");
  expect(await init("--template", "cobol", ...NAME)).toBe(2);
  expect(terminal.notes.join("\n")).toContain("node, python, java, go");
  expect(await readdir(folder)).toEqual([]);
});

test("names follow the rules of the manifest", async () => {
  for (const [name, problem] of [
    ["Acme/vin", "Use lowercase letters"],
    ["acme", "It must have two parts"],
    ["acme/vin/extra", "It must have two parts"],
    ["acme/x", "at least 2 characters"],
    ["../../etc", "It must have two parts"],
    ["../etc", "Use lowercase letters"],
    [`acme/${"a".repeat(41)}`, "40"],
  ] as const) {
    expect(await init(at("app"), "--template", "node", "--name", name)).toBe(2);
    expect(terminal.notes[0]).toContain(problem);
  }
  expect(await readdir(folder)).toEqual([]);
});

test("a folder that isn't empty is refused with the names of its files, and left as it is", async () => {
  await writeFile(at("Dockerfile"), "FROM mine");
  expect(await init(folder, "--template", "go", ...NAME)).toBe(1);
  expect(terminal.notes[0]).toContain("already contains Dockerfile. Nothing was changed.");
  await rm(at("Dockerfile"));
  await writeFile(at("notes.txt"), "mine");
  expect(await init(folder, "--template", "go", ...NAME)).toBe(1);
  expect(terminal.notes[0]).toContain("is not empty: it contains notes.txt");
  expect(await readdir(folder)).toEqual(["notes.txt"]);
  expect(await init(at("notes.txt"), "--template", "go", ...NAME)).toBe(2);
  expect(terminal.notes[0]).toContain("is not a folder");
});

test("--force adds missing files and doesn't change existing ones", async () => {
  await mkdir(at("src", "main", "java"), { recursive: true });
  await writeFile(at("src", "main", "java", "App.java"), "mine");
  await writeFile(at(MANIFEST_FILE), "{}");
  expect(await init(folder, "--template", "java", "--force", ...NAME)).toBe(0);
  expect(await readFile(at("src", "main", "java", "App.java"), "utf8")).toBe("mine");
  expect(await readFile(at(MANIFEST_FILE), "utf8")).toBe("{}");
  expect(await readFile(at("src", "main", "java", "Json.java"), "utf8")).toContain("class Json");
  expect(terminal.results).toContain("  platform-app.json (already exists, not changed)");
  expect((await readdir(folder)).filter((name) => name.startsWith(".platform-app"))).toEqual([]);
});

test("a new Git repository counts as empty, and new folders can be read by others", async () => {
  await mkdir(at("repository", ".git"), { recursive: true });
  expect(await init(at("repository"), "--template", "python", ...NAME)).toBe(0);
  expect(await init(at("deep", "er"), "--template", "python", ...NAME)).toBe(0);
  const mode = (await stat(at("deep", "er"))).mode & 0o777;
  await mkdir(at("plain"));
  expect(mode).toBe((await stat(at("plain"))).mode & 0o777);
});

test("a folder that can't be written is named", async () => {
  expect(await init("/proc/app", "--template", "node", ...NAME)).toBe(2);
  expect(terminal.notes[0]).toContain("/proc/app can't be written (ENOENT). Choose another folder.");
});

test("--manifest-only creates the manifest and its schema, and never replaces a manifest", async () => {
  await writeFile(at("main.py"), "mine");
  expect(await init(folder, "--manifest-only", ...NAME)).toBe(0);
  expect((await readdir(folder)).sort()).toEqual(["main.py", MANIFEST_FILE, "platform-app.schema.json"]);
  expect(await init(folder, "--manifest-only", "--force", ...NAME)).toBe(1);
  expect(terminal.notes[0]).toContain(`already has a ${MANIFEST_FILE}`);
  expect(await init(folder, "--manifest-only", "--template", "node", ...NAME)).toBe(2);
});

test("the result ends with the next commands, and --json has all of it", async () => {
  expect(await init(at("my shop"), "--template", "node", ...NAME)).toBe(0);
  const shown = terminal.results.join("\n");
  expect(shown).toContain("Created lakeside/vin-check in ");
  for (const command of ["cd '", "make test", "platform-app dev", "platform-app login", "make publish-app"])
    expect(shown).toContain(`\n  ${command}`);
  expect(await init(at("other"), "--template", "node", "--json", ...NAME)).toBe(0);
  expect(JSON.parse(terminal.results.join(""))).toMatchObject({
    name: "lakeside/vin-check",
    template: "node",
    folder: at("other"),
    files: expect.arrayContaining([MANIFEST_FILE, ".gitignore"]),
    kept: [],
    next: expect.arrayContaining(["platform-app dev", "make publish-app"]),
  });
});
