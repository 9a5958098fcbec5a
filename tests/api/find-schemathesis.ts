import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const VERSION = "4.32.5";

/** Outside of the repository, so that it survives a clean checkout. */
const folder = path.join(homedir(), ".cache", "app-hosting-platform", `schemathesis-${VERSION}`);

/** The command, from SCHEMATHESIS or the cache, where it is installed the first time. Undefined without Python or the package. */
export async function findSchemathesis(): Promise<string | undefined> {
  const given = process.env.SCHEMATHESIS;
  if (given !== undefined && given !== "") return given;
  const command = path.join(folder, "bin", "st");
  if (existsSync(command)) return command;
  try {
    await run("python3", ["-m", "venv", folder]);
    await run(path.join(folder, "bin", "pip"), ["install", "--quiet", `schemathesis==${VERSION}`]);
    return command;
  } catch (error) {
    console.error(error instanceof Error ? error.message.split("\n")[0] : String(error));
    return undefined;
  }
}
