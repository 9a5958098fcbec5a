/** A person at a terminal, or a CI job without one: runs commands in a folder, reads what they print, and answers questions. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";

export interface Finished {
  status: number;
  /** Both streams, without colors and cursor movements. */
  text: string;
}

/** A command that is still running. */
export interface Running {
  /** What it has printed, without colors and cursor movements. */
  read: () => string;
  /** Resolves once it has printed a text that matches. Rejects with its output if it ends or `withinMs` pass first. */
  waitFor: (expected: RegExp, withinMs?: number) => Promise<string>;
  /** Types keys. Enter is `\r`. */
  type: (keys: string) => void;
  /** Ctrl-C, or SIGINT without a terminal. */
  interrupt: () => void;
  finished: Promise<Finished>;
}

export interface Person {
  folder: string;
  environment: Record<string, string>;
  hasTerminal: boolean;
}

/** Starts a shell command. With a terminal, `script` of util-linux gives it one of 100 columns. */
export function start({ folder, environment, hasTerminal }: Person, command: string): Running {
  const child = hasTerminal
    ? spawn("script", ["-qefc", `stty cols 100 rows 50; exec ${command}`, "/dev/null"], {
        cwd: folder,
        env: { NODE_ENV: "production", ...environment, TERM: "xterm-256color", SHELL: "/bin/sh" },
      })
    : spawn("/bin/sh", ["-c", `exec ${command}`], {
        cwd: folder,
        env: { NODE_ENV: "production", ...environment },
      });
  if (!hasTerminal) child.stdin.end();
  return watch(child, hasTerminal);
}

function watch(child: ChildProcessWithoutNullStreams, hasTerminal: boolean): Running {
  let output = "";
  let hasEnded = false;
  const waiting = new Set<() => void>();
  const look = () => waiting.forEach((check) => check());
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
    look();
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const read = () => stripVTControlCharacters(output).replaceAll("\r\n", "\n");
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      hasEnded = true;
      look();
      resolve({ status: code ?? 1, text: read() });
    });
  });
  return {
    read,
    finished,
    type: (keys) => void child.stdin.write(keys),
    interrupt: () => void (hasTerminal ? child.stdin.write("\u0003") : child.kill("SIGINT")),
    waitFor: (expected, withinMs = 60_000) =>
      new Promise((resolve, reject) => {
        const settle = (error?: string) => {
          waiting.delete(check);
          clearTimeout(timer);
          if (error === undefined) resolve(read());
          else reject(new Error(`${error} before it printed ${String(expected)}:\n${read()}`));
        };
        const check = () => {
          if (expected.test(read())) settle();
          else if (hasEnded) settle("The command ended");
        };
        const timer = setTimeout(() => settle(`${withinMs} ms passed`), withinMs);
        waiting.add(check);
        check();
      }),
  };
}
