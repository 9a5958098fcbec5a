// `npm run scan:canaries`: runs all browser tests (or those that are named) and searches what they saved for secrets.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const root = path.join(import.meta.dirname, "..");
const folder = mkdtempSync(path.join(tmpdir(), "platform-canaries-"));
const run = (...args) =>
  new Promise((resolve) => {
    const env = { ...process.env, PLATFORM_TRAFFIC: folder };
    spawn(process.execPath, args, { cwd: root, env, stdio: "inherit" }).once("close", (code) =>
      resolve(code ?? 1),
    );
  });
const tool = (...parts) => path.join(root, "node_modules", ...parts);

const specs = await run(tool("@playwright", "test", "cli.js"), "test", ...process.argv.slice(2));
const scan = await run(tool("tsx", "dist", "cli.mjs"), "tests/secrets/scan-canaries.ts", folder);
if (scan === 0) rmSync(folder, { recursive: true, force: true });
else console.log(`The searched files are in ${folder}.`);
process.exitCode = specs === 0 ? scan : specs;
