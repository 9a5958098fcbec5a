import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Command } from "commander";
import { expect, onTestFinished, test } from "vitest";
import {
  DEV_COMMAND,
  INIT_COMMAND,
  loginCommand,
  LOGS_COMMAND,
  publishCommands,
} from "@/lib/contract/catalog/publish-commands";
import { createProgram, runProgram } from "./program";
import { isAutomated, readCliEnvironment } from "./terminal/environment";
import { reportFailure } from "./terminal/failure";
import { listExamples } from "./terminal/options";
import { recordTerminal } from "./terminal/test-terminal";

const environment = readCliEnvironment({
  XDG_CONFIG_HOME: "/nonexistent",
  PLATFORM_URL: "http://127.0.0.1:1",
});

async function run(...argv: string[]) {
  const terminal = recordTerminal();
  return { status: await runProgram(argv, environment, terminal), ...terminal };
}

function listCommands(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(listCommands);
}

test("every command has a description, examples that name it, and the options of all commands", () => {
  const commands = listCommands(createProgram({ environment, terminal: recordTerminal() }));
  for (const command of commands) {
    const name = `${command.parent?.name()} ${command.name()}`
      .replace(/^(?!platform-app)/, "platform-app ")
      // What a group of commands does without a further word.
      .replace(/ list$/, "");
    expect(command.description(), name).toMatch(/^[A-Z].*\.$/);
    expect(listExamples(command).join("\n"), name).toContain(name);
    expect(command.options.map(({ long }) => long)).toEqual(
      expect.arrayContaining(["--json", "--profile", "--no-color"]),
    );
  }
});

test("with --json, a failure is one line of JSON on standard output and keeps its exit status", async () => {
  const failed = await run("whoami", "--json");
  expect(failed.status).toBe(3);
  expect(failed.notes).toEqual([]);
  expect(failed.results).toHaveLength(1);
  const { error } = JSON.parse(failed.results[0] ?? "");
  expect(error).toMatchObject({ code: "NOT_LOGGED_IN", issues: [] });
  expect(error.next[0]).toContain("platform-app login");
});

test("with --json, wrong usage is JSON, too", async () => {
  const failed = await run("publish", "--json", "--no-such-option");
  expect([failed.status, failed.notes]).toEqual([2, []]);
  expect(JSON.parse(failed.results.join(""))).toMatchObject({ error: { code: "WRONG_USAGE" } });
});

test("a command exits with 5 if the platform can't be reached", async () => {
  expect((await run("login", "--client-id", "a", "--api-key", "b")).status).toBe(5);
});

const { init, pull, publish, submit } = publishCommands("acme/vin-lookup");

// Guarantee: whoever copies a command from a page runs a command that exists, with options that it knows.
test.each([
  INIT_COMMAND,
  DEV_COMMAND,
  loginCommand("https://apps.example"),
  init,
  pull,
  publish,
  submit,
  LOGS_COMMAND,
])("%s", (line) => {
  const [name, ...words] = line.split(" ");
  expect(name).toBe("platform-app");
  let command = createProgram({ environment: readCliEnvironment({}), terminal: recordTerminal() });
  for (;;) {
    const inner = command.commands.find((each) => each.name() === words[0]);
    if (inner === undefined) break;
    command = inner;
    words.shift();
  }
  expect(command.parent).not.toBeNull();
  const { operands, unknown } = command.parseOptions(words);
  expect(unknown).toEqual([]);
  expect(operands.length).toBeLessThanOrEqual(command.registeredArguments.length);
});

// Guarantee: nobody is asked where nobody can answer, and a key works however a secret store wrote it.
test("a build service with a terminal is not asked, and keys are cleaned", () => {
  for (const source of [
    { CI: "true" },
    { CI: "1" },
    { BUILDKITE: "true" },
    { GITHUB_ACTIONS: "true" },
    { JENKINS_URL: "http://ci" },
  ])
    expect(isAutomated(source), JSON.stringify(source)).toBe(true);
  for (const source of [{}, { CI: "" }, { CI: "false" }, { CI: "0" }])
    expect(isAutomated(source)).toBe(false);
  for (const PLATFORM_API_KEY of ["pak_1", " pak_1\r\n", '"pak_1"', "'pak_1'\n"])
    expect(readCliEnvironment({ PLATFORM_API_KEY }).apiKey).toBe("pak_1");
  const quoted = { PLATFORM_CLIENT_ID: '"pci_1"\r\n', PLATFORM_URL: "'https://apps.example'\n" };
  expect(readCliEnvironment(quoted)).toMatchObject({ clientId: "pci_1", url: "https://apps.example" });
  expect(readCliEnvironment({ PLATFORM_API_KEY: " \n" }).apiKey).toBeUndefined();
  // A password may have blanks within, and some are JSON of several lines.
  for (const password of ["two words", '{\n  "private_key": "x"\n}'])
    expect(
      readCliEnvironment({ REGISTRY_USERNAME: "'ci'\n", REGISTRY_PASSWORD: `${password}\r\n` }),
    ).toMatchObject({ registryUsername: "ci", registryPassword: password });
});

// Guarantee: a key in the environment is enough, also for a user without a home folder.
test("with a key in the environment, no saved login is needed", async () => {
  const key = { PLATFORM_CLIENT_ID: "pci_1", PLATFORM_API_KEY: "pak_1" };
  const whoami = async (variables: Record<string, string>) => {
    const terminal = recordTerminal();
    const own = { ...readCliEnvironment({ ...key, ...variables }), ownUrl: "http://127.0.0.1:1" };
    return { status: await runProgram(["whoami"], own, terminal), notes: terminal.notes.join("\n") };
  };
  const reached = { status: 5, notes: expect.stringContaining("http://127.0.0.1:1 can't be reached") };
  expect(await whoami({ XDG_CONFIG_HOME: "/dev/null" })).toEqual(reached);
  const home = await mkdtemp(path.join(tmpdir(), "cli-home-"));
  onTestFinished(() => rm(home, { recursive: true }));
  await mkdir(path.join(home, "platform-app", "credentials.json"), { recursive: true });
  expect(await whoami({ XDG_CONFIG_HOME: home })).toEqual({
    status: 1,
    notes: expect.stringMatching(/credentials\.json can't be read \(EISDIR\)\. .* set PLATFORM_URL/),
  });
  expect(await whoami({ XDG_CONFIG_HOME: home, PLATFORM_URL: "http://127.0.0.1:1" })).toEqual(reached);
});

test("a file that can't be replaced is named by its own name", async () => {
  const terminal = recordTerminal();
  const error = Object.assign(new Error("EACCES"), {
    code: "EACCES",
    syscall: "open",
    path: "/srv/app/platform-app.json.0123456789ab",
  });
  expect(await reportFailure(error, terminal, async () => undefined)).toBe(1);
  expect(terminal.notes[0]).toMatch(
    /^\/srv\/app\/platform-app\.json can't be read or written: permission denied \(EACCES\)\..* \[FILE_FAILED\]$/,
  );
});

// Guarantee: the options of every command work before its name, too.
test("options of every command can come first", async () => {
  const listed = await run("--json", "profiles");
  expect([listed.status, listed.lines]).toEqual([0, []]);
  expect((await run("--json", "manifest", "--no-color", "check", "absent.json")).results).toHaveLength(1);
  expect((await run("--profile", "staging", "whoami")).notes.join("\n")).toContain('"staging" was not found');
  const nothing = await run("--json");
  expect(JSON.parse(nothing.results.join(""))).toMatchObject({ error: { message: "No command was given." } });
});
