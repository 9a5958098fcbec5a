/** Decides how the app runs, and says so. */
import { access } from "node:fs/promises";
import path from "node:path";
import type { CliContext } from "../../terminal/environment";
import { Failure, visible } from "../../terminal/failure";
import { containerRunner, findEngine } from "./container-runner";
import { guessCommand } from "./guess-command";
import { processRunner } from "./process-runner";
import { BuildFailure, type Runner } from "./runner";

export interface RunnerChoice {
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
  const engine = container && hasDockerfile ? await findEngine(inherited) : undefined;
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
      next: ["Name the command that starts the app:  platform-app dev -- node server.js"],
    });
  const why = hasDockerfile && container && engine === undefined ? "No container engine responds. " : "";
  terminal.note(
    `${why}Running \`${guessed.command.join(" ")}\`, because of ${guessed.because}. Another command: platform-app dev -- <command>`,
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
    ? "No container engine responds, and nothing in this folder tells how the app starts without one."
    : "Nothing in this folder tells how the app starts without a container.";
}

function explainEngine(error: unknown): never {
  if (!(error instanceof BuildFailure)) throw error;
  throw new Failure("NO_ENGINE", error.message, {
    next: ["Run the app without a container:  platform-app dev --no-container"],
  });
}
