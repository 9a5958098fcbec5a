import { readCliEnvironment, processTerminal } from "./terminal/environment";
import { runProgram } from "./program";

process.exitCode = await runProgram(process.argv.slice(2), readCliEnvironment(), processTerminal());
