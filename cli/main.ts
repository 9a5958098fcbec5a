import { runProgram } from "./program";
import { processTerminal, readCliEnvironment } from "./terminal/environment";

process.exitCode = await runProgram(process.argv.slice(2), readCliEnvironment(), processTerminal());
