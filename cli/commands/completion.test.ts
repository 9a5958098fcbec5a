/** The scripts, in the shells. Guarantee: what they offer is what the program has. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COMPLETE, findMissing } from "@/tests/cli/real-shells";
import { createProgram, runProgram } from "../program";
import { readCliEnvironment } from "../terminal/environment";
import { recordTerminal } from "../terminal/test-terminal";
import type { Shell } from "./completion";

const SHELLS: readonly Shell[] = ["bash", "zsh", "fish"];
const environment = readCliEnvironment({});
const program = createProgram({ environment, terminal: recordTerminal() });
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "completion-"));
  await mkdir(path.join(folder, "work/my app"), { recursive: true });
  await writeFile(path.join(folder, "work/my image.tar"), "");
  await writeFile(path.join(folder, "work/other.json"), "");
  for (const shell of SHELLS) {
    const terminal = recordTerminal();
    expect(await runProgram(["completion", shell], environment, terminal)).toBe(0);
    await writeFile(path.join(folder, `script.${shell}`), terminal.results.join("\n"));
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

for (const shell of SHELLS) {
  const missing = await findMissing(shell);
  if (missing !== undefined) console.info(`The script for ${shell} is not run: ${missing}.`);

  describe.skipIf(missing !== undefined)(shell, () => {
    /** What the shell offers at the end of a line, in the order of the alphabet. Folders may end with a slash. */
    const complete = async (line: string) => {
      const session = {
        folder: path.join(folder, "work"),
        script: path.join(folder, `script.${shell}`),
        line,
      };
      return (await COMPLETE[shell](session)).map((each) => each.replace(/\/$/, "")).toSorted();
    };

    test("commands and the commands below them", async () => {
      expect(await complete("")).toEqual(program.commands.map((command) => command.name()).toSorted());
      expect(await complete("ver")).toEqual(["version", "versions"]);
      expect(await complete("manifest ")).toEqual(["check", "pull", "push"]);
      expect(await complete("calls s")).toEqual(["show"]);
      expect(await complete("whoami ")).toEqual([]);
    });

    test("the options of each command, with those of a default command", async () => {
      expect(await complete("publish acme/app:1 --b")).toEqual(["--build", "--build-arg"]);
      expect(await complete("manifest pull --f")).toEqual(["--force"]);
      expect(await complete("calls --fai")).toEqual(["--failed"]);
      expect(await complete("--")).toEqual(["--help", "--version"]);
      expect(await complete("logs -")).toEqual(
        expect.arrayContaining(["-f", "--follow", "--json", "--profile", "--no-color", "--help"]),
      );
    });

    test("the choices of options and arguments", async () => {
      expect(await complete("init --template ")).toEqual(["go", "java", "node", "python"]);
      expect(await complete("init --template=py")).toEqual(["python"]);
      expect(await complete("init --template=")).toEqual(["go", "java", "node", "python"]);
      expect(await complete("completion ")).toEqual(["bash", "fish", "zsh"]);
      expect(await complete("completion --json f")).toEqual(["fish"]);
      expect(await complete("completion bash ")).toEqual([]);
      expect(await complete("open ")).toEqual(["calls", "docs", "keys", "listing", "logs"]);
    });

    test("files and folders, with spaces in their names", async () => {
      expect(await complete("publish my")).toEqual(["my app", "my image.tar"]);
      expect(await complete("publish --build m")).toEqual(["my app"]);
      expect(await complete("status --manifest o")).toEqual(["other.json"]);
      expect(await complete("status --manifest=o")).toEqual(["other.json"]);
      expect(await complete("validate other.json my")).toEqual(["my app", "my image.tar"]);
      expect(await complete("publish one.tar ")).toEqual([]);
    });

    test("the value of an option is not an argument or a command, and what follows -- belongs to another program", async () => {
      expect(await complete("completion --profile bash ")).toEqual(["bash", "fish", "zsh"]);
      expect(await complete("calls --profile show s")).toEqual(["show"]);
      expect(await complete("publish --notes ")).toEqual([]);
      expect(await complete("publish --build-arg BASE=alpine ot")).toEqual(["other.json"]);
      expect(await complete("init --template=go m")).toEqual(["my app"]);
      expect(await complete("dev -- ")).toEqual([]);
      expect(await complete("dev -- --po")).toEqual([]);
    });
  });
}
