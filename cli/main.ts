import { readCliEnvironment } from "./environment";
import { runProgram } from "./program";
import { processTerminal } from "./environment";

process.exitCode = await runProgram(process.argv.slice(2), readCliEnvironment(), processTerminal());
