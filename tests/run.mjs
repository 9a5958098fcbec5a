// `npm test`: every check there is, with its time, and one line of counts at the end that CI reads.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Docker from "dockerode";
import { findChromium } from "./find-chromium.mjs";

const root = path.join(import.meta.dirname, "..");
const reports = mkdtempSync(path.join(tmpdir(), "platform-reports-"));
const traffic = path.join(reports, "traffic");
const counts = { passed: 0, failed: 0, skipped: 0 };
const notes = [];

async function main() {
  await step("Lint", () => check("check:lint"));
  await step("Format", () => check("check:format"));
  await step("Types", () => check("check:types"));
  await step("Architecture", () => check("check:architecture"));
  await lookForEngine();
  await step("Unit and database tests", runVitest);
  await step("Browser tests", runPlaywright);
  await step("Canary scan", scanCanaries);
  rmSync(reports, { recursive: true, force: true });
  for (const note of notes) console.log(note);
  const { passed, failed, skipped } = counts;
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  process.exitCode = failed > 0 ? 1 : 0;
}

async function step(title, run) {
  console.log(`\n── ${title} ${"─".repeat(Math.max(0, 70 - title.length))}`);
  const begun = Date.now();
  const result = await run();
  for (const kind of Object.keys(counts)) counts[kind] += result[kind] ?? 0;
  const words = Object.keys(counts)
    .filter((kind) => result[kind] > 0)
    .map((kind) => `${result[kind]} ${kind}`);
  console.log(
    `${title}: ${words.join(", ") || "nothing ran"} (${((Date.now() - begun) / 1000).toFixed(1)} s)`,
  );
}

function execute(command, args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ["ignore", "inherit", "inherit"],
    });
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(code ?? signal));
  });
}

async function check(script) {
  return (await execute("npm", ["run", "--silent", script])) === 0 ? { passed: 1 } : { failed: 1 };
}

function tool(...parts) {
  return path.join(root, "node_modules", ...parts);
}

async function runVitest() {
  const file = path.join(reports, "vitest.json");
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const code = await execute(process.execPath, [tool("vitest", "vitest.mjs"), ...args]);
  if (!existsSync(file)) return { failed: 1 };
  const report = JSON.parse(readFileSync(file, "utf8"));
  // A file that cannot be loaded, or whose clean-up fails, fails without a failed test of its own.
  const isBroken = ({ status, assertionResults }) =>
    status === "failed" && assertionResults.every((one) => one.status !== "failed");
  const failed = report.numFailedTests + report.testResults.filter(isBroken).length;
  const skipped = report.numPendingTests + (report.numTodoTests ?? 0);
  return {
    passed: report.numPassedTests,
    failed: code === 0 && report.success ? failed : Math.max(failed, 1),
    skipped,
  };
}

async function runPlaywright() {
  if (!existsSync(path.join(root, "playwright.config.ts")))
    return skip("browser tests, for there is no playwright.config.ts");
  const browser = await findChromium(execute);
  if (browser.path === undefined) return skip(`browser tests, for ${browser.reason}`);
  console.log(`Browser: ${browser.path}`);
  const file = path.join(reports, "playwright.json");
  const env = { PLATFORM_CHROMIUM: browser.path, PLATFORM_BROWSER_REPORT: file, PLATFORM_TRAFFIC: traffic };
  const code = await execute(process.execPath, [tool("@playwright", "test", "cli.js"), "test"], env);
  if (!existsSync(file)) return { failed: 1 };
  const { expected, unexpected, flaky, skipped } = JSON.parse(readFileSync(file, "utf8")).stats;
  return { passed: expected + flaky, failed: code === 0 ? unexpected : Math.max(unexpected, 1), skipped };
}

/** P3: what the browser tests typed as secrets stands in no answer, no log and no table of theirs. */
async function scanCanaries() {
  if (!existsSync(traffic)) return skip("the browser tests left nothing to scan for secrets");
  const args = [tool("tsx", "dist", "cli.mjs"), "tests/scan-canaries.ts", traffic];
  return (await execute(process.execPath, args)) === 0 ? { passed: 1 } : { failed: 1 };
}

function skip(reason) {
  notes.push(`Skipped: ${reason}.`);
  return { skipped: 1 };
}

async function lookForEngine() {
  const late = new Promise((_resolve, reject) =>
    setTimeout(() => reject(new Error("no answer within 3 s")), 3_000).unref(),
  );
  const engine = await Promise.race([new Docker().version(), late]).catch((error) => error);
  if (!(engine instanceof Error))
    return console.log(`\nContainer engine: ${engine.Version} (API ${engine.ApiVersion}).`);
  notes.push(
    `Container tests were skipped: no container engine answers (${engine.message}). Start Docker to run them.`,
  );
  console.log(`\n${notes.at(-1)}`);
}

await main();
