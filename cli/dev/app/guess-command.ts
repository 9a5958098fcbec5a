/** How an app starts without a container, from what is in its folder. */
import { access, readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { parseJson } from "@/lib/contract/parse-json";

export interface GuessedCommand {
  command: string[];
  /** What it was guessed from, such as `"start" in package.json`. */
  because: string;
}

const packageFile = z.object({
  main: z.string().optional(),
  scripts: z.record(z.string(), z.string()).optional(),
});

const NODE_FILES = ["server.mjs", "server.js", "index.mjs", "index.js", "src/server.js", "src/index.js"];
const PYTHON_FILES = ["main.py", "app.py", "server.py", "src/main.py", "src/app.py"];

/** Undefined if nothing in the folder tells. */
export async function guessCommand(folder: string): Promise<GuessedCommand | undefined> {
  const has = (name: string) =>
    access(path.join(folder, name)).then(
      () => true,
      () => false,
    );
  const first = async (names: readonly string[]) => {
    for (const name of names) if (await has(name)) return name;
    return undefined;
  };
  const text = await readFile(path.join(folder, "package.json"), "utf8").catch(() => undefined);
  const described = packageFile.safeParse(parseJson(text ?? ""));
  if (described.success && described.data.scripts?.start !== undefined)
    return { command: ["npm", "run", "--silent", "start"], because: 'the "start" script in package.json' };
  const script = await first(NODE_FILES);
  if (script !== undefined) return { command: ["node", script], because: script };
  const python = await first(PYTHON_FILES);
  if (python !== undefined) {
    const own = await first([".venv/bin/python", "venv/bin/python"]);
    return { command: [own === undefined ? "python3" : path.join(folder, own), python], because: python };
  }
  if (await has("go.mod")) return { command: ["go", "run", "."], because: "go.mod" };
  if (await has("mvnw")) return { command: ["./mvnw", "-q", "compile", "exec:java"], because: "mvnw" };
  if (await has("pom.xml")) return { command: ["mvn", "-q", "compile", "exec:java"], because: "pom.xml" };
  const java = await first(["Main.java", "App.java", "src/Main.java", "src/App.java"]);
  if (java !== undefined) return { command: ["java", java], because: java };
  const dotnet = await has("Program.cs");
  return dotnet ? { command: ["dotnet", "run"], because: "Program.cs" } : undefined;
}
