// `npm test`: every check, the ten slowest test files, and one line of counts at the end that CI reads. Of the long proofs it runs
// one turn (see turns.mjs).
// `npm run test:full`: all long proofs, in their full form.
// `npm run test:quick`: the static checks, with caches, and the tests that need no database, container or browser.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import Docker from "dockerode";
import { findChromium } from "./browser/find-chromium.mjs";
import { chooseTurn, describeTurn, TURN_COUNT } from "./turns.mjs";

const root = path.join(import.meta.dirname, "..");
const reports = mkdtempSync(path.join(tmpdir(), "platform-reports-"));
const traffic = path.join(reports, "traffic");
const counts = { passed: 0, failed: 0, skipped: 0 };
const notes = [];
/** What failed, a line each: CI keeps only a part of what is printed before. */
const failures = [];
/** Seconds by test file. */
const times = new Map();

async function main() {
  const { quick, full, turn } = readOptions();
  if (full) process.env.AGREEMENT_MANIFESTS = "5200";
  else if (!quick) announceTurn(turn);
  await staticChecks();
  if (!quick) {
    await reportEngine();
    const chromium = await findChromium(execute);
    if (chromium.path === undefined) skip(`component and browser tests: ${chromium.reason}`);
    else process.env.PLATFORM_CHROMIUM = chromium.path;
    const projects = ["server", "alone", ...(chromium.path === undefined ? [] : ["components"])];
    await step("Database and component tests", () => runVitest(projects));
    await step("Chaos", () => runCounted("tests/chaos/main.ts", full ? ["--full"] : []));
    if (full) await step("Hostile images", () => runCounted("tests/hostile-images/main.ts"));
    if (chromium.path !== undefined) await step("Browser tests", runPlaywright);
    await step("Secret scan", scanForSecrets);
  }
  rmSync(reports, { recursive: true, force: true });
  printSlowest();
  for (const note of notes) console.log(note);
  for (const failure of failures) console.log(`Failed: ${failure}`);
  const { passed, failed, skipped } = counts;
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  process.exitCode = failed > 0 ? 1 : 0;

  /** Two at a time, which take about as long. Each prints its output when it is done. */
  function staticChecks() {
    const sources = async () => {
      await step("Lint", () => check("check:lint"));
      await step("Format", () => check("check:format"));
      await step("Unused code", () => check("check:unused"));
      await step("Architecture", () => check("check:architecture"));
    };
    const types = async () => {
      await step("Types", () => check("check:types"));
      // The browser tests start the platform, which builds nothing when this build is current.
      if (!quick) await step("Build", () => check("build"));
      await step("Unit tests", () => runVitest(["unit"], { isQuiet: true }));
    };
    return Promise.all([sources(), types()]);
  }
}

function readOptions() {
  const { values } = parseArgs({
    options: { quick: { type: "boolean" }, full: { type: "boolean" }, turn: { type: "string" } },
  });
  const turn = values.turn === undefined ? chooseTurn() : Number(values.turn);
  if (!Number.isInteger(turn) || turn < 1 || turn > TURN_COUNT)
    throw new Error(`--turn is a number from 1 to ${TURN_COUNT}.`);
  return { ...values, turn };
}

function announceTurn(turn) {
  process.env.PLATFORM_TEST_TURN = String(turn);
  console.log(`Long proofs, turn ${turn} of ${TURN_COUNT}: ${describeTurn(turn)}.`);
  console.log("`npm run test:full` runs the long proofs of all turns.\n");
}

async function step(title, run) {
  const started = Date.now();
  const { output = "", names = [], ...result } = await run();
  if (result.failed > 0) failures.push(...(names.length > 0 ? names : [title]));
  for (const kind of Object.keys(counts)) counts[kind] += result[kind] ?? 0;
  const found = Object.keys(counts)
    .filter((kind) => result[kind] > 0)
    .map((kind) => `${result[kind]} ${kind}`);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  if (output !== "") console.log(`\n${output.trimEnd()}`);
  console.log(`── ${title}: ${found.join(", ") || "nothing ran"} (${seconds} s)`);
}

/** Resolves with the exit code. Without `onOutput` the output goes to this terminal. */
function execute(command, args, env = {}, onOutput) {
  return new Promise((resolve) => {
    const output = onOutput === undefined ? "inherit" : "pipe";
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ["ignore", output, output],
    });
    child.stdout?.on("data", onOutput);
    child.stderr?.on("data", onOutput);
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(code ?? signal));
  });
}

async function check(script) {
  let output = "";
  const code = await execute("npm", ["run", "--silent", script], {}, (chunk) => (output += chunk));
  return code === 0 ? { passed: 1 } : { failed: 1, output };
}

function tool(...parts) {
  return path.join(root, "node_modules", ...parts);
}

async function runVitest(projects, { isQuiet = false } = {}) {
  const file = path.join(reports, `vitest-${projects.join("-")}.json`);
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  for (const project of projects) args.push("--project", project);
  let output = "";
  const collect = isQuiet ? (chunk) => (output += chunk) : undefined;
  const code = await execute(process.execPath, [tool("vitest", "vitest.mjs"), ...args], {}, collect);
  const written = existsSync(file) ? readFileSync(file, "utf8") : "";
  // It ended before it could write its report, so its output says why.
  if (written === "") return { failed: 1, output };
  const report = JSON.parse(written);
  for (const { name, startTime, endTime } of report.testResults) addTime(name, endTime - startTime);
  // A file that cannot be loaded, or whose clean-up fails, fails without a failed test.
  const isBroken = ({ status, assertionResults }) =>
    status === "failed" && assertionResults.every((one) => one.status !== "failed");
  const failed = report.numFailedTests + report.testResults.filter(isBroken).length;
  const skipped = report.numPendingTests + (report.numTodoTests ?? 0);
  const names = report.testResults.flatMap((result) => nameFailures(result, isBroken(result)));
  return {
    passed: report.numPassedTests,
    failed: code === 0 && report.success ? failed : Math.max(failed, 1),
    skipped,
    names,
    output: code === 0 ? "" : output,
  };
}

function nameFailures({ name, assertionResults }, isBroken) {
  const file = path.relative(root, name);
  const failed = assertionResults.filter(({ status }) => status === "failed");
  return isBroken ? [file] : failed.map(({ fullName }) => `${file}: ${fullName}`);
}

async function runPlaywright() {
  const file = path.join(reports, "playwright.json");
  const env = { PLATFORM_BROWSER_REPORT: file, PLATFORM_TRAFFIC: traffic };
  const code = await execute(process.execPath, [tool("@playwright", "test", "cli.js"), "test"], env);
  if (!existsSync(file)) return { failed: 1 };
  const { stats, suites } = JSON.parse(readFileSync(file, "utf8"));
  for (const suite of suites) addTime(path.join("e2e", suite.file), sumDurations(suite));
  const { expected, unexpected, flaky, skipped } = stats;
  return {
    passed: expected + flaky,
    failed: code === 0 ? unexpected : Math.max(unexpected, 1),
    skipped,
    names: suites.flatMap(nameUnexpected),
  };
}

/** A program whose last line has the counts. */
async function runCounted(program, options = []) {
  let output = "";
  const args = [tool("tsx", "dist", "cli.mjs"), program, ...options];
  const code = await execute(process.execPath, args, {}, (chunk) => (output += chunk));
  const [, passed = 0, failed = 0] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? [];
  return {
    passed: Number(passed),
    failed: code === 0 ? Number(failed) : Math.max(Number(failed), 1),
    output,
  };
}

function nameUnexpected({ file, suites = [], specs = [] }) {
  const failed = specs.filter(({ ok }) => !ok).map(({ title }) => `${path.join("e2e", file)}: ${title}`);
  return [...failed, ...suites.flatMap(nameUnexpected)];
}

function sumDurations({ suites = [], specs = [] }) {
  const results = specs.flatMap(({ tests }) => tests.flatMap((test) => test.results));
  const nested = suites.map(sumDurations);
  return [...nested, ...results.map(({ duration }) => duration)].reduce((sum, one) => sum + one, 0);
}

function addTime(file, milliseconds) {
  const name = path.relative(root, path.resolve(root, file));
  times.set(name, (times.get(name) ?? 0) + milliseconds / 1000);
}

function printSlowest() {
  const slowest = [...times].sort(([, a], [, b]) => b - a).slice(0, 10);
  if (slowest.length > 0) console.log("\nThe slowest test files:");
  for (const [file, seconds] of slowest) console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
  console.log("");
}

/** P3: the secrets that the browser tests typed are in no response, log or table. */
async function scanForSecrets() {
  if (!existsSync(traffic)) return skip("the secret scan: the browser tests left nothing to scan");
  const args = [tool("tsx", "dist", "cli.mjs"), "tests/secrets/scan-canaries.ts", traffic];
  return (await execute(process.execPath, args)) === 0 ? { passed: 1 } : { failed: 1 };
}

function skip(what) {
  notes.push(`Skipped ${what}.`);
  return { skipped: 1 };
}

async function reportEngine() {
  const late = new Promise((_resolve, reject) =>
    setTimeout(() => reject(new Error("no response within 3 s")), 3_000).unref(),
  );
  const engine = await Promise.race([new Docker().version(), late]).catch((error) => error);
  if (!(engine instanceof Error))
    return console.log(`\nContainer engine: ${engine.Version} (API ${engine.ApiVersion}).`);
  notes.push(
    `Skipped the container tests: no container engine responds (${engine.message}). Start Docker to run them.`,
  );
  console.log(`\n${notes.at(-1)}`);
}

await main();
