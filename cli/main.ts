#!/usr/bin/env node
import { runProgram } from "./program";
import { processTerminal, readCliEnvironment } from "./terminal/environment";

void runProgram(process.argv.slice(2), readCliEnvironment(), processTerminal()).then((status) => {
  process.exitCode = status;
});
