/** The script for bash, in a bash. Guarantee: what it offers is what the program has. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createProgram, runProgram } from "../program";
import { readCliEnvironment } from "../terminal/environment";
import { recordTerminal } from "../terminal/test-terminal";

const run = promisify(execFile);
const environment = readCliEnvironment({});
const program = createProgram({ environment, terminal: recordTerminal() });
let folder: string;

async function print(...argv: string[]): Promise<string> {
  const terminal = recordTerminal();
  expect(await runProgram(["completion", ...argv], environment, terminal)).toBe(0);
  return terminal.results.join("\n");
}

/** What bash offers for the last word of a line, whose words bash has split. */
async function complete(...words: string[]): Promise<string[]> {
  const script =
    'source "$PWD/../script.bash"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _platform_app; ' +
    'for each in "${COMPREPLY[@]}"; do printf "%s\\n" "$each"; done';
  const { stdout, stderr } = await run("bash", ["--norc", "-c", script, "bash", "platform-app", ...words], {
    cwd: path.join(folder, "work"),
  });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((line) => line !== "");
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "completion-"));
  await mkdir(path.join(folder, "work/my app"), { recursive: true });
  await writeFile(path.join(folder, "work/my image.tar"), "");
  await writeFile(path.join(folder, "work/other.json"), "");
  await writeFile(path.join(folder, "script.bash"), await print("bash"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("commands and the commands below them", async () => {
  expect(await complete("")).toEqual(program.commands.map((command) => command.name()));
  expect(await complete("ver")).toEqual(["version", "versions"]);
  expect(await complete("manifest", "")).toEqual(["pull", "push", "check"]);
  expect(await complete("calls", "s")).toEqual(["show"]);
  expect(await complete("whoami", "")).toEqual([]);
});

test("the options of each command, with those of a default command", async () => {
  expect(await complete("publish", "acme/app:1", "--b")).toEqual(["--build", "--build-arg"]);
  expect(await complete("manifest", "pull", "--f")).toEqual(["--force"]);
  expect(await complete("calls", "--fai")).toEqual(["--failed"]);
  expect(await complete("--")).toEqual(["--version", "--help"]);
  const all = await complete("logs", "-");
  expect(all).toEqual(
    expect.arrayContaining(["-f", "--follow", "--json", "--profile", "--no-color", "--help"]),
  );
});

test("the choices of options and arguments", async () => {
  expect(await complete("init", "--template", "")).toEqual(["node", "python", "java", "go"]);
  expect(await complete("init", "--template", "=", "py")).toEqual(["python"]);
  expect(await complete("init", "--template", "=")).toEqual(["node", "python", "java", "go"]);
  expect(await complete("completion", "")).toEqual(["bash", "zsh", "fish"]);
  expect(await complete("completion", "--json", "f")).toEqual(["fish"]);
  expect(await complete("completion", "bash", "")).toEqual([]);
  expect(await complete("open", "")).toEqual(["listing", "docs", "logs", "calls", "keys"]);
});

test("files and folders, with spaces in their names", async () => {
  expect(await complete("publish", "my")).toEqual(expect.arrayContaining(["my app", "my image.tar"]));
  expect(await complete("publish", "--build", "m")).toEqual(["my app"]);
  expect(await complete("status", "--manifest", "o")).toEqual(["other.json"]);
  expect(await complete("validate", "other.json", "my")).toHaveLength(2);
  expect(await complete("publish", "one.tar", "")).toEqual([]);
});

test("the value of an option is not an argument or a command, and what follows -- belongs to another program", async () => {
  expect(await complete("completion", "--profile", "bash", "")).toEqual(["bash", "zsh", "fish"]);
  expect(await complete("publish", "--notes", "")).toEqual([]);
  expect(await complete("publish", "--build-arg", "BASE", "=", "alpine", "ot")).toEqual(["other.json"]);
  expect(await complete("init", "--template", "=", "go", "m")).toEqual(["my app"]);
  expect(await complete("dev", "--", "")).toEqual([]);
  expect(await complete("dev", "--", "--po")).toEqual([]);
});

// zsh and fish are rarely on a machine that runs the tests.
test.each(["zsh", "fish"] as const)("%s reads its script", async (shell) => {
  const script = await print(shell);
  for (const command of program.commands) expect(script).toContain(command.name());
  const file = path.join(folder, `script.${shell}`);
  await writeFile(file, script);
  const exists = await run(shell, ["--version"]).then(
    () => true,
    () => false,
  );
  if (exists) await run(shell, ["-n", file]);
});
