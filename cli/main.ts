#!/usr/bin/env node
import { runProgram } from "./program";
import { processTerminal, readCliEnvironment } from "./terminal/environment";

// A reader such as `head` that has seen enough is no failure, and nobody is left to tell.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });

void runProgram(process.argv.slice(2), readCliEnvironment(), processTerminal()).then((status) => {
  process.exitCode = status;
});
