/** `platform-app` as a program: its streams, its files and its connections, which tests of single commands replace. */
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { createServer as createSecureServer, type Server as SecureServer } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { start } from "@/tests/cli/person";

const ROOT = path.join(import.meta.dirname, "..");
/** The bundle, which the set-up of the tests builds. */
const PROGRAM = path.join(ROOT, "cli/dist/platform-app.js");
const KEY = { PLATFORM_CLIENT_ID: "pci_acme", PLATFORM_API_KEY: "pak_secret" };
const IDENTITY = JSON.stringify({
  organization: { slug: "acme", name: "Acme" },
  apiKey: { name: "CI", scopes: ["publish"] },
  webUrl: "https://pages.example",
});

const run = promisify(execFile);
const hasOpenssl = await succeeds("openssl", "version");
const hasScript = await succeeds("script", "--version");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "cli-main-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function succeeds(...[command, ...argv]: [string, ...string[]]): Promise<boolean> {
  return run(command, argv).then(
    () => true,
    () => false,
  );
}

interface Ended {
  status: number | null;
  out: string;
  errors: string;
}

/** @param leaves whose reader is gone before anything is written */
function runProgram(
  argv: string[],
  variables: Record<string, string> = {},
  { cwd = folder, leaves }: { cwd?: string; leaves?: "stdout" | "stderr" } = {},
): Promise<Ended> {
  const { PATH = "" } = process.env;
  const env = { NODE_ENV: "production" as const, PATH, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder };
  const child = spawn(process.execPath, [PROGRAM, ...argv], { cwd, env: { ...env, ...variables } });
  const said = { out: "", errors: "" };
  child.stdin.end();
  child.stdout.on("data", (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (said.errors += chunk.toString()));
  if (leaves !== undefined) child[leaves].destroy();
  return new Promise((resolve) => child.once("close", (status) => resolve({ status, ...said })));
}

async function listen(server: Server | SecureServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

// Guarantee: `platform-app versions | head -1` ends without a word once its reader has enough.
test("a reader that leaves is not an error", async () => {
  expect(await runProgram(["completion", "zsh"], {}, { leaves: "stdout" })).toEqual({
    status: 0,
    out: "",
    errors: "",
  });
});

// Guarantee: a command whose notes nobody reads does its work to the end, and its status is its own.
test("a command keeps running when nobody reads its notes", { timeout: 120_000 }, async () => {
  const app = path.join(folder, "unread");
  await cp(path.join(ROOT, "examples/vin-autofill"), app, { recursive: true });
  const argv = ["dev", "--port", "0", "--once", "--", "node", "server.mjs"];
  // It begins with a note, because nothing can be saved there.
  const nowhere = { XDG_STATE_HOME: path.join(app, "server.mjs", "state") };
  const dev = await runProgram(argv, nowhere, { cwd: app, leaves: "stderr" });
  expect(dev).toMatchObject({ status: 0, out: expect.stringMatching(/calls, 0 failed/) });
});

// Guarantee: a full disk is named, and never a stack trace.
test.skipIf(!existsSync("/dev/full"))("an output that can't be written is named", async () => {
  const script = 'exec "$0" "$1" completion zsh > /dev/full';
  const full = await run("sh", ["-c", script, process.execPath, PROGRAM]).catch(
    (error: { stderr: string; code: number }) => error,
  );
  expect(full).toMatchObject({
    code: 1,
    stderr: "The output can't be written (ENOSPC). What the command has already done stays in effect.\n",
  });
});

// Guarantee: whoever runs a platform with a certificate of their own learns how to trust it.
test.skipIf(!hasOpenssl)("a self-signed certificate is told with the variable that trusts it", async () => {
  const [key, cert] = [path.join(folder, "key.pem"), path.join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", key, "-out", cert];
  await run("openssl", [...made, ...subject]);
  const identity = { key: await readFile(key), cert: await readFile(cert) };
  const port = await listen(
    createSecureServer(identity, (_request, response) => void response.end(IDENTITY)),
  );
  const variables = { ...KEY, PLATFORM_URL: `https://127.0.0.1:${port}` };
  const refused = await runProgram(["whoami"], variables);
  expect(refused.status).toBe(5);
  expect(refused.errors).toMatch(
    /^The certificate of https:\/\/127\.0\.0\.1:\d+ is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. .*NODE_EXTRA_CA_CERTS/,
  );
  const trusted = await runProgram(["whoami"], { ...variables, NODE_EXTRA_CA_CERTS: cert });
  expect(trusted).toMatchObject({ status: 0, out: expect.stringContaining("Acme (acme)") });
});

test("https to a port without TLS is told", async () => {
  const port = await listen(createServer((_request, response) => void response.end(IDENTITY)));
  const refused = await runProgram(["whoami"], { ...KEY, PLATFORM_URL: `https://127.0.0.1:${port}` });
  expect(refused.status).toBe(5);
  expect(refused.errors).toMatch(/ answers without TLS\. .*http:\/\//);
});

// Guarantee: in a container whose home folder can't be written, everything works but the memory.
test("without a folder to write to, login and dev succeed with a warning", { timeout: 120_000 }, async () => {
  const file = path.join(folder, "file");
  await writeFile(file, "");
  // Also root can't create a folder below a file.
  const nowhere = { XDG_CONFIG_HOME: path.join(file, "config"), XDG_STATE_HOME: path.join(file, "state") };
  const port = await listen(createServer((_request, response) => void response.end(IDENTITY)));
  const login = await runProgram(["login"], { ...nowhere, ...KEY, PLATFORM_URL: `http://127.0.0.1:${port}` });
  expect(login).toMatchObject({ status: 0, out: expect.stringContaining("Logged in as Acme (acme)") });
  expect(login.errors).toMatch(/^Warning: .*credentials\.json can't be written, so the login is not saved\./);

  const app = path.join(folder, "app");
  await cp(path.join(ROOT, "examples/vin-autofill"), app, { recursive: true });
  const argv = ["dev", "--port", "0", "--once", "--", "node", "server.mjs"];
  const dev = await runProgram(argv, nowhere, { cwd: app });
  expect(dev.errors).toMatch(/Warning: .*can't be written \(ENOTDIR\)/);
  expect(dev.errors).not.toContain("platform-app crashed");
  expect(dev).toMatchObject({ status: 0, out: expect.stringMatching(/calls, 0 failed/) });
});

// Guarantee: a build service that has a terminal never waits for an answer.
test.skipIf(!hasScript)("with CI=true, nothing is asked in a terminal", async () => {
  const environment = { PATH: process.env.PATH ?? "", HOME: folder, CI: "true" };
  for (const argv of ["init", "login"]) {
    const { finished } = start({ folder, environment, hasTerminal: true }, `node "${PROGRAM}" ${argv}`);
    const { status, text } = await finished;
    expect(status, text).toBe(2);
    expect(text).toMatch(/^(Pass --name|This terminal is not interactive)/);
  }
});

// Guarantee: a file or folder that can't be used is named in a message, and never causes a crash.
test("a file or folder that can't be used is named", async () => {
  const file = path.join(folder, "a-file");
  await writeFile(file, "");
  const home = { XDG_CONFIG_HOME: file };
  const refused = await runProgram(["logout", "--all"], home);
  expect(refused.errors).toMatch(/^\S*a-file\S* can't be read or written: .* \(\w+\)\. .* \[FILE_FAILED\]/);
  expect(refused.status).toBe(1);
  const { out, status } = await runProgram(["logout", "--all", "--json"], home);
  const message = expect.stringContaining(file);
  expect(JSON.parse(out)).toMatchObject({ error: { code: "FILE_FAILED", message } });
  expect(status).toBe(1);

  // What a shell leaves open when another one removes its folder.
  const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$1" validate';
  const gone = await run("sh", ["-c", script, process.execPath, PROGRAM], { cwd: folder }).catch(
    (error: { stderr: string; code: number }) => error,
  );
  expect(gone).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The current folder no longer exists\./),
  });
});
