/** What real shells offer at the end of a line, for tests. Each reads its script as a person's shell does. */
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { Shell } from "@/cli/commands/completion";

const run = promisify(execFile);

interface Session {
  /** Where the line is typed. */
  folder: string;
  /** The shell's script. */
  script: string;
  /** Without `platform-app`. Words have no spaces. */
  line: string;
}

export const COMPLETE: Record<Shell, (session: Session) => Promise<string[]>> = {
  bash: completeInBash,
  zsh: completeInZsh,
  fish: completeInFish,
};

/** Undefined if the shell is installed, otherwise why its tests don't run. */
export function findMissing(shell: Shell): Promise<string | undefined> {
  return run(shell, ["--version"]).then(
    () => undefined,
    () => `${shell} is not installed`,
  );
}

/** Bash splits words at `=` and `:`, too, before it calls the function. */
async function completeInBash({ folder, script, line }: Session): Promise<string[]> {
  const words = line.split(" ").flatMap((word) => (word === "" ? [""] : word.split(/(?<=[=:])|(?=[=:])/)));
  const program =
    'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _platform_app; ' +
    'for each in "${COMPREPLY[@]}"; do printf "%s\\n" "$each"; done';
  return print("bash", ["--norc", "-c", program, "bash", script, "platform-app", ...words], folder);
}

async function completeInFish({ folder, script, line }: Session): Promise<string[]> {
  const program = "source $argv[1]; complete --do-complete $argv[2]";
  const offered = await print("fish", ["--no-config", "-c", program, script, `platform-app ${line}`], folder);
  return offered.map((each) => withoutOption(each.replace(/\t.*/, "")));
}

/**
 * Types the line into an interactive zsh, lets it insert all matches, and presses Enter. `platform-app` is a function there, which saves
 * its arguments, so what zsh quoted is unquoted again.
 */
async function completeInZsh({ folder, script, line }: Session): Promise<string[]> {
  // Kept between lines, because zsh takes long to find its functions the first time.
  const home = path.join(path.dirname(script), "zsh");
  await mkdir(home, { recursive: true });
  const saved = path.join(home, "arguments");
  const settings = [
    `autoload -Uz compinit && compinit -u -C -d ${home}/functions`,
    `source ${script}`,
    "zstyle ':completion:*' completer _all_matches _complete",
    "zstyle ':completion:*' insert yes",
    `platform-app() { print -rN -- "$@" > ${saved}; exit }`,
  ];
  await writeFile(path.join(home, ".zshrc"), settings.join("\n"));
  const program =
    "zmodload zsh/zpty; zpty typed zsh -d -i; zpty -w typed \"$1\"$'\\t'; while zpty -r typed read; do :; done";
  await run("zsh", ["-f", "-c", program, "zsh", `platform-app ${line}`], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: home, ZDOTDIR: home, TERM: "xterm", NODE_ENV: "test" },
    timeout: 15_000,
  });
  const words = line.split(" ");
  const inserted = (await readFile(saved, "utf8")).split("\0").slice(words.length - 1, -1);
  const isUnchanged = inserted.length === 1 && inserted[0] === words.at(-1);
  return isUnchanged ? [] : inserted.map(withoutOption);
}

/** Zsh and fish complete `--option=value` as one word. */
function withoutOption(word: string): string {
  return word.replace(/^--[a-z-]+=/, "");
}

async function print(file: string, args: string[], cwd: string): Promise<string[]> {
  const { stdout, stderr } = await run(file, args, { cwd });
  if (stderr !== "") throw new Error(stderr);
  return stdout.split("\n").filter((line) => line !== "");
}
