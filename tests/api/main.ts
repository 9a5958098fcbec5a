/**
 * `npm run test:api`: Schemathesis sends the gateway, a process of its own with a real PostgreSQL, thousands of requests that follow or break
 * its OpenAPI description, with each credential. No answer may be a 500, and none may be undocumented. See README.md.
 */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { instances } from "@/drizzle/schema/runtime";
import { bundleEntryPoints } from "@/launcher/build.mjs";
import { readEnvironment } from "@/lib/server/platform/environment";
import { newMasterKey } from "@/lib/server/platform/keyring";
import { freePort } from "@/lib/server/platform/machine";
import type { Platform } from "@/lib/server/platform/platform";
import { createPlatform } from "@/lib/server/surface/create-platform";
import { givenSide, type Side } from "../matrix/side";
import { startTemporaryDatabase } from "../temporary-database";
import { findSchemathesis } from "./find-schemathesis";
import { listRuns, type Run } from "./list-runs";
import { readReport } from "./read-report";

const { values } = parseArgs({
  options: { seed: { type: "string", default: "7" }, examples: { type: "string", default: "30" } },
});

const program = await findSchemathesis();
if (program === undefined) {
  console.log(
    "0 passed, 0 failed, 1 skipped\nSchemathesis 4 can't be found or installed: see tests/api/README.md",
  );
  process.exit(0);
}
const database = await startTemporaryDatabase("api", { fsync: "off" });
const folder = await mkdtemp(path.join(tmpdir(), "platform-api-"));
const app = createServer((request, response) => {
  request.resume();
  response.setHeader("content-type", "application/json").end("{}");
});
let gateway: ChildProcess | undefined;
let status = 1;
try {
  status = await run(program);
} finally {
  gateway?.kill("SIGKILL");
  app.close();
  app.closeAllConnections();
  await database.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit(status);

async function run(command: string): Promise<number> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const variables = {
    NODE_ENV: "test" as const,
    DATABASE_URL: `${database.server}/api`,
    PLATFORM_MASTER_KEYS: newMasterKey("api"),
    PLATFORM_DATA_DIR: folder,
    PLATFORM_GATEWAY_PORT: String(port),
    PLATFORM_GATEWAY_URL: url,
    PLATFORM_LOG_LEVEL: "error",
  };
  const platform = createPlatform(readEnvironment(variables), "test");
  const side = await givenSide(platform, "acme", "http://127.0.0.1:9");
  await runApp(platform, side);
  await bundleEntryPoints();
  gateway = fork(".build/gateway.js", [], { execArgv: [], env: { ...process.env, ...variables } });
  await once(gateway, "message");
  const total = { operations: new Set<string>(), cases: 0, failures: 0 };
  for (const each of listRuns(platform, side)) {
    const report = await runOne(command, url, each);
    for (const operation of report.operations) total.operations.add(operation);
    total.cases += report.cases;
    total.failures += report.failures;
    console.log(`${each.name}: ${report.cases} cases, ${report.failures} failures`);
  }
  await platform.pool.end();
  const isAlive = gateway.exitCode === null;
  if (!isAlive) console.error("FAILED: the gateway exited");
  console.log(`figure api_operations ${total.operations.size} operations`);
  console.log(`figure api_cases ${total.cases} cases`);
  console.log(`figure api_failures ${total.failures} failures`);
  const failed = total.failures + (isAlive ? 0 : 1);
  console.log(`${total.operations.size} passed, ${failed} failed, 2 skipped`);
  console.log("Skipped: the two streams, whose responses don't end; gateway/own-apps.test.ts follows them.");
  return failed > 0 ? 1 : 0;
}

/** An app that answers everything, as the running instance of the side's app. */
async function runApp(platform: Platform, side: Side): Promise<void> {
  app.listen(0, "127.0.0.1");
  await once(app, "listening");
  const address = app.address();
  const origin = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : "";
  await platform.db.insert(instances).values({
    versionId: side.ids.runningVersionId,
    runtime: "of another worker",
    handle: "none",
    origin,
    state: "READY",
    readyAt: new Date(),
  });
}

async function runOne(command: string, url: string, { name, parameters, args, refuses = false }: Run) {
  const config = path.join(folder, "schemathesis.toml");
  const report = path.join(folder, "report.ndjson");
  const lines = Object.entries(parameters).map(([key, value]) => `"path.${key}" = ${JSON.stringify(value)}`);
  const statuses = ["2xx", "3xx", 401, 403, 404, 409, 429, "5xx", ...(refuses ? [400] : [])];
  const expected = `[checks.positive_data_acceptance]\nexpected-statuses = ${JSON.stringify(statuses)}\n`;
  // Bytes can be described, but not that they must be an image, or sent by the tus protocol.
  const bytes = `[[operations]]\ninclude-path-regex = "/(versions|uploads|uploads/.*)$"\nchecks.positive_data_acceptance.expected-statuses = ${JSON.stringify([...statuses, 400])}\n`;
  await writeFile(config, `[parameters]\n${lines.join("\n")}\n${expected}${bytes}`);
  await rm(report, { force: true });
  const child = spawn(
    command,
    [
      ...["--config-file", config, "run", `${url}/openapi.json`, "--seed", values.seed],
      ...["--max-examples", values.examples, "--phases", "examples,coverage,fuzzing", "--no-shrink"],
      ...["--request-timeout", "20", "--continue-on-failure", "--warnings", "off"],
      ...["--report", "ndjson", "--report-ndjson-path", report],
      ...["--exclude-path-regex", "/stream$", "--suppress-health-check", "all"],
      ...args,
    ],
    {
      stdio: ["ignore", "pipe", "inherit"],
      cwd: folder,
      env: { ...process.env, PYTHONPATH: import.meta.dirname, SCHEMATHESIS_HOOKS: "serializers" },
    },
  );
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = await once(child, "exit");
  const found = readReport(await readFile(report, "utf8").catch(() => ""));
  if (code !== 0) console.log(`── ${name}\n${output}`);
  // Such as a description that can't be read.
  return code === 0 || found.failures > 0 ? found : { ...found, failures: 1 };
}
