import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { runProgram } from "../program";
import { readCliEnvironment } from "../terminal/environment";
import { recordTerminal } from "../terminal/test-terminal";

const SOURCE = '{\r\n\t"name" : "acme/x-app",\n\t"version":  "1.4.2", "x-own": [1,2]\n}';

// Guarantee: only the number changes, whatever the layout.
test.each([
  ["minor", "1.5.0", 0],
  ["patch", "1.4.3", 0],
  ["major", "2.0.0", 0],
  ["7.1.0", "7.1.0", 0],
  ["1.4", "1.4.2", 2],
  ["next", "1.4.2", 2],
])("version %s writes %s and nothing else", async (step, version, status) => {
  const folder = await mkdtemp(path.join(tmpdir(), "cli-"));
  const file = path.join(folder, "platform-app.json");
  await writeFile(file, SOURCE);
  const terminal = recordTerminal();
  const environment = readCliEnvironment({ XDG_CONFIG_HOME: folder });
  expect(await runProgram(["version", step, "--manifest", file, "--json"], environment, terminal)).toBe(
    status,
  );
  expect(await readFile(file, "utf8")).toBe(SOURCE.replace("1.4.2", version));
  const printed = JSON.parse(terminal.results.join(""));
  if (status === 0) expect(printed).toEqual({ file, previous: "1.4.2", version });
  await rm(folder, { recursive: true });
});
