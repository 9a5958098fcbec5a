/** Decides how the app runs, and says so. */
import { access, readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { parseJson } from "@/lib/contract/platform/problem";
import type { CliContext } from "../../terminal/environment";
import { Failure, visible } from "../../terminal/failure";
import { findEngine } from "../../image/engine";
import { containerRunner } from "./container-runner";
import { BuildFailure, processRunner, type Runner } from "./runner";

interface RunnerChoice {
  /** What starts the app; empty to find out. */
  command: readonly string[];
  container: boolean;
  file: string;
  buildArg?: readonly string[];
}

export async function chooseRunner(
  { environment, terminal }: CliContext,
  folder: string,
  { command, container, file, buildArg = [] }: RunnerChoice,
): Promise<Runner> {
  const { inherited } = environment;
  if (command.length > 0) return processRunner(command, folder, inherited);
  const hasDockerfile = await access(path.join(folder, file)).then(
    () => true,
    () => false,
  );
  const engine = container && hasDockerfile ? (await findEngine(inherited)).engine : undefined;
  if (engine !== undefined) {
    const options = { folder, dockerfile: file, buildArguments: buildArg, environment: inherited };
    const runner = await containerRunner(engine, options).catch(explainEngine);
    const built = await build(runner);
    if (built === undefined) return runner;
    await runner.close();
    terminal.note(visible(built));
  }
  const guessed = await guessCommand(folder);
  if (guessed === undefined)
    throw new Failure("WRONG_USAGE", explainNothing(hasDockerfile, container), {
      next: ["Pass the command that starts the app:  platform-app dev -- node server.js"],
    });
  const why = hasDockerfile && container && engine === undefined ? "No container engine responds. " : "";
  terminal.note(
    `${why}Running \`${guessed.command.join(" ")}\`, because of ${guessed.because}. To use another command: platform-app dev -- <command>`,
  );
  return processRunner(guessed.command, folder, inherited);

  /** What was said if only the base image is missing: then the app may still run as a process. */
  async function build(runner: Runner): Promise<string | undefined> {
    terminal.note(`Building the image from ${file}…`);
    const lines: string[] = [];
    try {
      await runner.prepare((line) => void lines.push(line));
      return undefined;
    } catch (error) {
      if (error instanceof BuildFailure && error.isOffline)
        return `${error.message.split("\n")[0] ?? ""} The app runs as a process instead.`;
      // The emulator starts, shows why, and builds again when a file changes.
      return undefined;
    }
  }
}

function explainNothing(hasDockerfile: boolean, container: boolean): string {
  if (!hasDockerfile)
    return "This folder has no Dockerfile, and nothing that says how the app starts, such as a package.json with a start script.";
  return container
    ? "No container engine responds, and nothing in this folder says how the app starts without one."
    : "Nothing in this folder says how the app starts without a container.";
}

function explainEngine(error: unknown): never {
  if (!(error instanceof BuildFailure)) throw error;
  throw new Failure("NO_ENGINE", error.message, {
    next: ["Run the app without a container:  platform-app dev --no-container"],
  });
}

interface GuessedCommand {
  command: string[];
  /** What it was guessed from, such as `"start" in package.json`. */
  because: string;
}

const packageFile = z.object({
  main: z.string().optional(),
  scripts: z.record(z.string(), z.string()).optional(),
});

const NODE_FILES = ["server.mjs", "server.js", "index.mjs", "index.js", "src/server.js", "src/index.js"];
const PYTHON_FILES = ["main.py", "app.py", "server.py", "src/main.py", "src/app.py"];

/** Undefined if the folder does not show it. */
async function guessCommand(folder: string): Promise<GuessedCommand | undefined> {
  const has = (name: string) =>
    access(path.join(folder, name)).then(
      () => true,
      () => false,
    );
  const first = async (names: readonly string[]) => {
    for (const name of names) if (await has(name)) return name;
    return undefined;
  };
  const text = await readFile(path.join(folder, "package.json"), "utf8").catch(() => undefined);
  const described = packageFile.safeParse(parseJson(text ?? ""));
  if (described.success && described.data.scripts?.start !== undefined)
    return { command: ["npm", "run", "--silent", "start"], because: 'the "start" script in package.json' };
  const script = await first(NODE_FILES);
  if (script !== undefined) return { command: ["node", script], because: script };
  const python = await first(PYTHON_FILES);
  if (python !== undefined) {
    const own = await first([".venv/bin/python", "venv/bin/python"]);
    return { command: [own === undefined ? "python3" : path.join(folder, own), python], because: python };
  }
  if (await has("go.mod")) return { command: ["go", "run", "."], because: "go.mod" };
  if (await has("mvnw")) return { command: ["./mvnw", "-q", "compile", "exec:java"], because: "mvnw" };
  if (await has("pom.xml")) return { command: ["mvn", "-q", "compile", "exec:java"], because: "pom.xml" };
  const java = await first(["Main.java", "App.java", "src/Main.java", "src/App.java"]);
  if (java !== undefined) return { command: ["java", java], because: java };
  const dotnet = await has("Program.cs");
  return dotnet ? { command: ["dotnet", "run"], because: "Program.cs" } : undefined;
}
