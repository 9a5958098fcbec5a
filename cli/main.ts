#!/usr/bin/env node
import { runProgram } from "./program";
import { processTerminal, readCliEnvironment } from "./terminal/environment";

process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  // A reader such as `head` that has seen enough is not a failure, and there is nobody left to tell.
  if (code === "EPIPE") process.exit();
  process.stderr.write(
    `The output can't be written (${code ?? message}). What the command has already done stays in effect.\n`,
  );
  process.exit(1);
});
// Notes that nobody can read end nothing: a command must not stop half-way, and succeed.
process.stderr.on("error", () => {});

void runProgram(process.argv.slice(2), readCliEnvironment(), processTerminal()).then((status) => {
  process.exitCode = status;
});
