/** A real PostgreSQL with a certificate of a private CA. */
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import tls from "node:tls";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { newMasterKey } from "@/lib/server/platform/keyring";
import { startTemporaryDatabase, type TemporaryDatabase } from "@/tests/temporary-database";
import { findPostgresUser } from "./data-folder/embedded-postgres";
import { prepareDatabase } from "./prepare-database";
import { readSettings, trustCertificates } from "./settings";

let folder = "";
let database: TemporaryDatabase;

const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
const file = (name: string) => path.join(folder, name);

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

beforeAll(async () => {
  if (!hasOpenssl) return;
  folder = await mkdtemp(path.join(tmpdir(), "private-ca-"));
  await chmod(folder, 0o755);
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl(
    "req",
    "-x509",
    ...key,
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem",
    "-days",
    "2",
    "-subj",
    "/CN=Private CA",
  );
  openssl("req", ...key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=database");
  await writeFile(file("names"), "subjectAltName=IP:127.0.0.1");
  const signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names"];
  openssl("x509", "-req", "-in", "server.csr", "-out", "server.pem", ...signed);
  const user = await findPostgresUser();
  await chmod(file("server.key"), 0o600);
  if (user !== undefined) await chown(file("server.key"), user.uid, user.gid);
  database = await startTemporaryDatabase("private", {
    ssl: "on",
    ssl_cert_file: file("server.pem"),
    ssl_key_file: file("server.key"),
  });
}, 120_000);

afterAll(async () => {
  if (!hasOpenssl) return;
  await database.stop();
  await rm(folder, { recursive: true });
});

const prepare = (query: string, host = "127.0.0.1") =>
  prepareDatabase(
    `${database.server.replace("127.0.0.1", host)}/private?${query}`,
    path.resolve("drizzle/migrations"),
  );

// Guarantee: a certificate that isn't trusted is named as the cause, with both ways to trust it.
test.runIf(hasOpenssl)(
  "without the CA, the message names the certificate and how to trust its CA",
  async () => {
    await expect(prepare("sslmode=verify-full")).rejects.toMatchObject({
      expected: true,
      message: expect.stringMatching(/CA that this machine doesn't trust.*sslrootcert=.*NODE_EXTRA_CA_CERTS/),
    });
  },
);

test.runIf(hasOpenssl)("sslrootcert is trusted, and names of hosts are checked", async () => {
  const query = `sslmode=verify-full&sslrootcert=${file("ca.pem")}`;
  await prepare(query);
  await expect(prepare(query, "localhost")).rejects.toThrow(/certificate is for another host/);
});

test.runIf(hasOpenssl)("a file that does not exist is named", async () => {
  await expect(prepare("sslmode=verify-full&sslrootcert=/no/ca.pem")).rejects.toThrow(
    /\/no\/ca\.pem[^]*A file that DATABASE_URL names/,
  );
  expect(() => trustCertificates("/no/ca.pem")).toThrow(/NODE_EXTRA_CA_CERTS names \/no\/ca\.pem/);
});

// Guarantee: the launcher, and the commands of `upkeep/`, trust what `.env` and the file of `node --env-file` name, as the parts do. Node reads
// neither in time.
test.runIf(hasOpenssl)("NODE_EXTRA_CA_CERTS is trusted, wherever it was set", async () => {
  const before = tls.createSecureContext;
  onTestFinished(() => void (tls.createSecureContext = before));
  vi.stubEnv("NODE_EXTRA_CA_CERTS", file("ca.pem"));
  onTestFinished(() => void vi.unstubAllEnvs());
  await readSettings(folder, false);
  await prepare("sslmode=verify-full");
});

// In a process of its own: a worker of the tests reads no `.env` into its environment.
test.runIf(hasOpenssl)(
  "NODE_EXTRA_CA_CERTS is trusted from .env",
  async () => {
    const start = `
    import { prepareDatabase } from "./launcher/prepare-database";
    import { readSettings } from "./launcher/settings";
    const { databaseUrl } = await readSettings(${JSON.stringify(folder)}, false);
    await prepareDatabase(databaseUrl, "drizzle/migrations").catch(({ message }) => {
      console.log(message);
      process.exitCode = 1;
    });`;
    const args = ["--import", "tsx", "--input-type=module", "--eval", start];
    const settings = [`DATABASE_URL=${database.server}/private?sslmode=verify-full`];
    onTestFinished(() => rm(file(".env")));
    await writeFile(file(".env"), settings.join("\n"));
    expect(await run(args)).toEqual({ code: 1, output: expect.stringContaining("doesn't trust") });
    await writeFile(file(".env"), [...settings, `NODE_EXTRA_CA_CERTS=${file("ca.pem")}`].join("\n"));
    expect(await run(args)).toEqual({ code: 0, output: "" });
  },
  60_000,
);

// Guarantee: an operator who sets up the platform is told the cause, not that the database doesn't run.
test.runIf(hasOpenssl)(
  "setup names the certificate, and works with the CA of its environment",
  async () => {
    const setUp = (more: Record<string, string>) =>
      run([path.resolve("upkeep/run.mjs"), "setup"], {
        NODE_ENV: "production",
        DATABASE_URL: `${database.server}/private?sslmode=verify-full`,
        PLATFORM_MASTER_KEYS: newMasterKey("setup"),
        PLATFORM_SETUP_NAME: "Maya Moss",
        PLATFORM_SETUP_EMAIL: "maya@platform.example",
        PLATFORM_SETUP_PASSWORD: "tidal lantern orbit",
        ...more,
      });
    const refused = await setUp({});
    expect(refused.code).toBe(1);
    expect(refused.output).toMatch(/CA that this machine doesn't trust[^]*NODE_EXTRA_CA_CERTS/);
    expect(refused.output).not.toMatch(/must be running|\n +at /);
    const trusted = await setUp({ NODE_EXTRA_CA_CERTS: file("ca.pem") });
    expect(trusted).toEqual({ code: 0, output: expect.stringContaining("can now sign in") });
  },
  60_000,
);

function run(args: string[], env: Record<string, string> = {}) {
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      args,
      { cwd: path.resolve("."), env: { PATH: process.env.PATH, NODE_ENV: "test", ...env } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, output: stdout + stderr }),
    );
    child.stdin?.end();
  });
}
